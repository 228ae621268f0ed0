"""The environment of the templates of pages, and the pieces of HTML that Python makes for them."""
