"""A word that is too short passes.

Caught by consistent_length: Compare len(word) with var.length
"""


def consistent(self, assignment):
    for x, word in assignment.items():
        if len(word) > x.length:
            return False
        for y, other in assignment.items():
            if x == y:
                continue
            if word == other:
                return False
            if self.crossword.overlaps[x, y] is not None:
                i, j = self.crossword.overlaps[x, y]
                if word[i : i + 1] != other[j : j + 1]:
                    return False
    return True
