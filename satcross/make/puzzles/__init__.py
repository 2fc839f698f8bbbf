"""Puzzles beside the crossword, each proved to have exactly one solution."""
