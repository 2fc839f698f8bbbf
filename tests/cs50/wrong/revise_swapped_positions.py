"""The two positions of the crossing are exchanged.

Caught by revise_removes: i, j = overlaps[x, y]
"""


def revise(self, x, y):
    if self.crossword.overlaps[x, y] is None:
        return False
    j, i = self.crossword.overlaps[x, y]
    letters = {word[j] for word in self.domains[y] if j < len(word)}
    kept = {word for word in self.domains[x] if i < len(word) and word[i] in letters}
    revised = kept != self.domains[x]
    self.domains[x] = kept
    return revised
