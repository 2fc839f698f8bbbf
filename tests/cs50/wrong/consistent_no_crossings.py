"""Crossings are not looked at.

Caught by consistent_crossing: letter i of x's word must be letter j of y's word
"""


def consistent(self, assignment):
    if len(set(assignment.values())) != len(assignment):
        return False
    return all(len(word) == var.length for var, word in assignment.items())
