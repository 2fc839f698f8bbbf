"""A word must agree with every word of y instead of one.

Caught by revise_keeps: One answer in y is enough
"""


def revise(self, x, y):
    overlap = self.crossword.overlaps[x, y]
    if overlap is None:
        return False
    i, j = overlap
    revised = False
    for word in list(self.domains[x]):
        if not all(word[i] == other[j] for other in self.domains[y]):
            self.domains[x].remove(word)
            revised = True
    return revised
