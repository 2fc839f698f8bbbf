"""The first crossing decides.

Caught by consistent_crossing: return True only after all of them
"""


def consistent(self, assignment):
    if len(set(assignment.values())) != len(assignment):
        return False
    for var, word in assignment.items():
        if len(word) != var.length:
            return False
    for x in assignment:
        for y in self.crossword.neighbors(x):
            if y in assignment:
                i, j = self.crossword.overlaps[x, y]
                return assignment[x][i] == assignment[y][j]
    return True
