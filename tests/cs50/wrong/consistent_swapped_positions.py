"""The two positions of the crossing are exchanged.

Caught by consistent_full: Check lengths, crossings and repetition
"""


def consistent(self, assignment):
    if len(set(assignment.values())) != len(assignment):
        return False
    for x in assignment:
        if len(assignment[x]) != x.length:
            return False
        for y in self.crossword.neighbors(x):
            if y in assignment:
                j, i = self.crossword.overlaps[x, y]
                if assignment[x][i : i + 1] != assignment[y][j : j + 1]:
                    return False
    return True
