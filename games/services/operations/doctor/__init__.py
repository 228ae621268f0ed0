"""What `manage.py doctor` looks at, by subject: each part of the server in words."""
