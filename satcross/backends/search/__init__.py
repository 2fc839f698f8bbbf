"""The search backend: arc consistency and backtracking on bitsets."""
