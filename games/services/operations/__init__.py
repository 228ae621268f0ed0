"""Work that runs by itself or for the host of the server: clock, health, cleaning up."""
