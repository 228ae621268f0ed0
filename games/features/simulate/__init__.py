"""Whole games among house players at the command line, and in simulated days."""
