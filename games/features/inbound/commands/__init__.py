"""The commands of which an email may consist: their words, their lines, and what a text means."""
