"""The weights of the local search for layouts, in Python and in compiled code."""

UNPLACED_COST = 10_000
"""Cost of the value of a word without a placement: more than any area."""
CROSSING_VALUE = 2.0
"""Area, in cells, that a crossing is worth when a word is inserted."""
EDGE_WEIGHT = 0.5
"""Weight of the number of letters in the sparsest outer row or column, which may disappear."""
INSERTION_NOISE = 3.0
"""Upper limit of the random noise, in cells, on the cost of a placement."""
FIRST_THRESHOLD = 0.08
"""Share of the area by which the first changes may increase the cost."""
