"""True is returned inside of the loop, after the first arc.

Caught by ac3_all_arcs: an overlap into the queue: both directions
"""


def ac3(self, arcs=None):
    if arcs is None:
        arcs = [(x, y) for x in self.crossword.variables for y in self.crossword.neighbors(x)]
    while arcs:
        x, y = arcs.pop(0)
        if self.revise(x, y):
            if len(self.domains[x]) == 0:
                return False
            for z in self.crossword.neighbors(x) - {y}:
                arcs.append((z, x))
        return True
