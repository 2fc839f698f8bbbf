"""Dictionaries on this computer: download, preparation, look-up."""
