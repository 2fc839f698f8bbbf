"""Choose one word for every slot from the candidates of its clue."""

from satcross.answer.choosing.methods import DEFAULT_METHOD, METHODS, Answers, Clock, answer
from satcross.answer.choosing.problem import PER_NAT, Problem, build_problem

__all__ = [
    "DEFAULT_METHOD",
    "METHODS",
    "PER_NAT",
    "Answers",
    "Clock",
    "Problem",
    "answer",
    "build_problem",
]
