"""The backends: each answers a puzzle; only these modules know a solver library."""
