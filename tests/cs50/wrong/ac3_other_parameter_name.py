"""The parameter has another name than in the course's file.

Caught by ac3_one_arc: Call a method's parameters as the course's file does
"""


def ac3(self, queue=None):
    if queue is None:
        queue = [(x, y) for x in self.domains for y in self.crossword.neighbors(x)]
    while queue:
        x, y = queue.pop(0)
        if self.revise(x, y):
            if not self.domains[x]:
                return False
            queue += [(z, x) for z in self.crossword.neighbors(x) if z != y]
    return True
