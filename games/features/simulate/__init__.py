"""Whole games among computer players at the command line, and in simulated days."""
