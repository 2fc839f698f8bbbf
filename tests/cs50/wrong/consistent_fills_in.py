"""Variables that are missing are written into the assignment.

Caught by consistent_partial: must not change the assignment
"""


def consistent(self, assignment):
    for var in self.crossword.variables:
        assignment.setdefault(var, None)
    words = [word for word in assignment.values() if word is not None]
    if len(set(words)) != len(words):
        return False
    for x in assignment:
        if assignment[x] is None:
            continue
        if len(assignment[x]) != x.length:
            return False
        for y in self.crossword.neighbors(x):
            if assignment[y] is not None:
                i, j = self.crossword.overlaps[x, y]
                if assignment[x][i : i + 1] != assignment[y][j : j + 1]:
                    return False
    return True
