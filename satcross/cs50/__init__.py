"""The classes of CS50 AI's Crossword project, with the course's names and behaviour."""

from __future__ import annotations

from satcross.cs50.crossword import Crossword, CrosswordCreator, Variable

__all__ = ["Crossword", "CrosswordCreator", "Variable"]
