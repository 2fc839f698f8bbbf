"""The word of a neighbor is looked up that has none.

Caught by consistent_partial: not every variable is in the assignment yet
"""


def consistent(self, assignment):
    if len(set(assignment.values())) != len(assignment):
        return False
    for x in assignment:
        if len(assignment[x]) != x.length:
            return False
        for y in self.crossword.neighbors(x):
            i, j = self.crossword.overlaps[x, y]
            if assignment[x][i] != assignment[y][j]:
                return False
    return True
