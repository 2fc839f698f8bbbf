"""The version of satcross."""

__version__ = "0.2.0"
