"""The words of y go, not those of x.

Caught by revise_empties: changes self.domains[x] only
"""


def revise(self, x, y):
    overlap = self.crossword.overlaps[x, y]
    if overlap is None:
        return False
    i, j = overlap
    letters = {word[i] for word in self.domains[x]}
    kept = {word for word in self.domains[y] if word[j] in letters}
    revised = kept != self.domains[y]
    self.domains[y] = kept
    return revised
