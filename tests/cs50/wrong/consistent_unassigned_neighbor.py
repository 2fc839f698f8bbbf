"""The word of a neighbor is asked for that has none.

Caught by consistent_partial: Compare crossings only when both variables are assigned
"""


def consistent(self, assignment):
    if len(set(assignment.values())) != len(assignment):
        return False
    for x in assignment:
        if len(assignment[x]) != x.length:
            return False
        for y in self.crossword.neighbors(x):
            i, j = self.crossword.overlaps[x, y]
            if y not in assignment or assignment[x][i] != assignment[y][j]:
                return False
    return True
