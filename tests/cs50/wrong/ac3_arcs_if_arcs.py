"""An empty list of arcs is taken for a missing one, by `arcs if arcs else ...`.

Caught by ac3_empty_list: An empty list is not None
"""


def ac3(self, arcs=None):
    queue = (
        arcs
        if arcs
        else [pair for pair in self.crossword.overlaps if self.crossword.overlaps[pair] is not None]
    )
    while queue:
        x, y = queue.pop(0)
        if self.revise(x, y):
            if len(self.domains[x]) == 0:
                return False
            for z in self.crossword.neighbors(x):
                if z != y:
                    queue.append((z, x))
    return True
