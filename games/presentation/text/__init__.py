"""Words, numbers and times in the reader's language."""
