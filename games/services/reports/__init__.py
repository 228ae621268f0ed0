"""What players do about reports, and who may handle which."""
