"""Only words that cross are compared for being the same.

Caught by consistent_repeats: All words must be different
"""


def consistent(self, assignment):
    for x in assignment:
        if len(assignment[x]) != x.length:
            return False
        for y in self.crossword.neighbors(x):
            if y in assignment:
                i, j = self.crossword.overlaps[x, y]
                if assignment[x] == assignment[y] or assignment[x][i] != assignment[y][j]:
                    return False
    return True
