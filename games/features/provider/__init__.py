"""Signing in and up with the accounts of a provider (OpenID Connect)."""
