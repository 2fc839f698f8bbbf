"""The arcs given are not looked at.

Caught by ac3_one_arc: Start the queue with the given arcs alone
"""


def ac3(self, arcs=None):
    queue = [(x, y) for x in self.domains for y in self.crossword.neighbors(x)]
    while queue:
        x, y = queue.pop(0)
        if self.revise(x, y):
            if not self.domains[x]:
                return False
            queue += [(z, x) for z in self.crossword.neighbors(x) if z != y]
    return True
