"""What is done for an email: what views are for pages, by the same forms and services."""
