"""Choose words that agree where slots cross, from candidates with probabilities."""
