"""Soft clauses for the weights of a slot's words."""

from __future__ import annotations

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

from encoders import Instance, encode, weight_levels


def test_the_cost_is_what_the_words_fall_short_by() -> None:
    square = Instance(
        slots=(((0, 0), (0, 1)), ((0, 0), (1, 0))),
        candidates=(("AB", "CD", "EF"), ("CE", "AY", "EZ")),
    )
    weights = ({"AB": 90, "CD": 40, "EF": -10}, {"CE": 40, "AY": -20, "EZ": 70})
    clauses, encoding = encode(square)
    formula = WCNF()
    formula.extend(clauses)
    for slot, own in enumerate(weights):
        hard, soft = weight_levels(encoding, slot, own)
        formula.extend(hard)
        for weight, clause in soft:
            formula.append(clause, weight=weight)
    with RC2(formula) as rc2:
        model = rc2.compute()
        assert encoding.decode(model) == ["CD", "CE"]
        assert rc2.cost == (90 - 40) + (70 - 40)


def test_one_level_has_nothing_to_ask_for() -> None:
    _, encoding = encode(Instance(slots=(((0, 0), (0, 1)),), candidates=(("AB", "CD"),)))
    assert weight_levels(encoding, 0, {"AB": 7, "CD": 7}) == ([], [])
