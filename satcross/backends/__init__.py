"""The backends: each answers a puzzle. Only these modules call a solver library.

``base`` says what a backend is given and returns, and ``registry`` has the names; CONTRIBUTING.md
shows how to add one.
"""
