"""Solving, counting and optimising, with every fill verified."""
