"""All data of a person in one file, as docs/export-format.md describes it."""
