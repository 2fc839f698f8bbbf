"""After x has lost words, the arcs (x, z) join the queue, and not (z, x).

Caught by ac3_one_arc_followers: add (z, x) for every neighbor z
"""


def ac3(self, arcs=None):
    if arcs is None:
        arcs = [(x, y) for x in self.domains for y in self.crossword.neighbors(x)]
    queue = list(arcs)
    while queue:
        x, y = queue.pop(0)
        if self.revise(x, y):
            if not self.domains[x]:
                return False
            queue += [(x, z) for z in self.crossword.neighbors(x) if z != y]
    return True
