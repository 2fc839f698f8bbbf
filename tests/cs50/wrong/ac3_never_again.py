"""An arc that has been looked at never comes back.

Caught by ac3_fixpoint: a word removed may be the last answer of another
"""


def ac3(self, arcs=None):
    if arcs is None:
        arcs = [(x, y) for x in self.domains for y in self.crossword.neighbors(x)]
    queue, seen = list(arcs), set(arcs)
    while queue:
        x, y = queue.pop(0)
        if self.revise(x, y):
            if not self.domains[x]:
                return False
            for z in self.crossword.neighbors(x):
                if (z, x) not in seen:
                    seen.add((z, x))
                    queue.append((z, x))
    return True
