"""Only one word of y is looked at.

Caught by revise_keeps: One answer in y is enough
"""


def revise(self, x, y):
    overlap = self.crossword.overlaps[x, y]
    if overlap is None:
        return False
    i, j = overlap
    revised = False
    for word in list(self.domains[x]):
        for other in self.domains[y]:
            if word[i] != other[j]:
                self.domains[x].remove(word)
                revised = True
            break
    return revised
