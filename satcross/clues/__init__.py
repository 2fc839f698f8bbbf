"""Answering crosswords from their clues: sources of candidates, their scores, reconciling."""
