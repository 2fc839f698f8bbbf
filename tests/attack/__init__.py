"""The attack on satcross as one command, and the tests of what it has found."""
