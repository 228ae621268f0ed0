"""Pictures that chats and social networks show of a link to the site."""
