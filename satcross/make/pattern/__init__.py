"""Patterns of blocked cells that meet demands and that a word list can fill."""
