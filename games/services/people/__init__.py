"""People and each other: who knows whom, who has blocked whom, sanctions, names."""
