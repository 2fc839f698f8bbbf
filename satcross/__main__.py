"""``python -m satcross``."""

from satcross.cli import main

main()
