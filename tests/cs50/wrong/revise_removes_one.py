"""It returns after the first word that goes.

Caught by revise_removes: return only after the loop
"""


def revise(self, x, y):
    overlap = self.crossword.overlaps[x, y]
    if overlap is None:
        return False
    i, j = overlap
    for word in self.domains[x]:
        if not any(word[i] == other[j] for other in self.domains[y]):
            self.domains[x].remove(word)
            return True
    return False
