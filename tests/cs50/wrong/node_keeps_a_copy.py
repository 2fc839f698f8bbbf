"""The narrowed sets are made and never put into self.domains.

Caught by node_consistency: len() is var.length
"""


def enforce_node_consistency(self):
    domains = self.domains.copy()
    for var in domains:
        domains[var] = {word for word in domains[var] if len(word) == var.length}
