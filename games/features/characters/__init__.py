"""Characters: the portraits of computer players."""
