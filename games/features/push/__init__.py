"""Notifications in browsers, also while no page is open: web push."""
