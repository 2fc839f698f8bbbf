"""There is no return True at the end.

Caught by consistent_empty: return True at the end
"""


def consistent(self, assignment):
    if len(set(assignment.values())) != len(assignment):
        return False
    for x in assignment:
        if len(assignment[x]) != x.length:
            return False
        for y in self.crossword.neighbors(x):
            if y in assignment:
                i, j = self.crossword.overlaps[x, y]
                if assignment[x][i] != assignment[y][j]:
                    return False
