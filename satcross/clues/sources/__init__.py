"""Sources of candidates for a clue, one module each."""
