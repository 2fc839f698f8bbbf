"""The answer in y must be another word, which is the search's business.

Caught by ac3_pure: That words differ is the business of consistent
"""


def revise(self, x, y):
    overlap = self.crossword.overlaps[x, y]
    if overlap is None:
        return False
    i, j = overlap
    revised = False
    for word in self.domains[x].copy():
        if not any(word[i] == other[j] and word != other for other in self.domains[y]):
            self.domains[x].remove(word)
            revised = True
    return revised
