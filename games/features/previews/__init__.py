"""Every kind of email with sample content, for moderators and for those who work on the site."""
