"""Answers to clues as text, data and pictures."""
