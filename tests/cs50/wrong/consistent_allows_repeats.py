"""A word may be used twice.

Caught by consistent_repeats: All words must be different
"""


def consistent(self, assignment):
    for x in assignment:
        if len(assignment[x]) != x.length:
            return False
        for y in self.crossword.neighbors(x):
            if y in assignment:
                i, j = self.crossword.overlaps[x, y]
                if assignment[x][i] != assignment[y][j]:
                    return False
    return True
