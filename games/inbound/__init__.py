"""Replies by email: what views are for pages. Whatever is done is done by forms and services."""
