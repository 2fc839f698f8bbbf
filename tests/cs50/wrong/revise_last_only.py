"""Only the last word of y decides.

Caught by revise_removes: some word of y, where i, j = overlaps[x, y]
"""


def revise(self, x, y):
    o = self.crossword.overlaps[x, y]
    revised = False
    if o:
        i, j = o
        for w in self.domains[x].copy():
            ok = False
            for v in self.domains[y]:
                ok = w[i] == v[j]
            if not ok:
                self.domains[x].remove(w)
                revised = True
    return revised
