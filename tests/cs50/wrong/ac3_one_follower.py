"""Only one neighbor follows.

Caught by ac3_one_arc_followers: for every neighbor z of x
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
            for z in self.crossword.neighbors(x):
                if z != y:
                    queue.append((z, x))
                    break
    return True
