"""Each arc is looked at once.

Caught by ac3_fixpoint: Once over all arcs is not enough
"""


def ac3(self, arcs=None):
    if arcs is None:
        arcs = [(x, y) for x in self.domains for y in self.crossword.neighbors(x)]
    for x, y in arcs:
        if self.revise(x, y) and not self.domains[x]:
            return False
    return True
