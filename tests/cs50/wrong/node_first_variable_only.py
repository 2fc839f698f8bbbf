"""The return stands in the loop, so that one variable is dealt with.

Caught by node_consistency_all_variables: len() is var.length
"""


def enforce_node_consistency(self):
    for var in self.domains:
        self.domains[var] = {word for word in self.domains[var] if len(word) == var.length}
        return
