"""Patterns of blocked cells that a word list can fill."""
