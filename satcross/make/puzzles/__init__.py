"""Puzzles beside the crossword, each proved to have exactly one solution."""

SUFFIXES = (".pdf", ".svg", ".png", ".html", ".json", ".txt")
"""The files that codewords and fill-ins are written to."""

LEVELS = ("easy", "medium", "hard")
"""The levels of codewords."""
