"""Trees of integers: their text, and the functions that layouts are made of."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.layouts.parser import parse_tree
from tilewright.layouts.trees import (
    Basis,
    Tree,
    Unknown,
    Wildcard,
    congruent,
    cosize,
    depth,
    integers,
    leaves,
    offset,
    product,
    rank,
    tree_text,
)

LEAVES = st.one_of(
    st.integers(-9, 99),
    st.builds(Basis, st.integers(-9, 9), st.lists(st.integers(0, 3), min_size=1, max_size=2).map(tuple)),
    st.builds(Unknown, st.sampled_from([32, 64]), st.integers(1, 16)),
    st.just(Wildcard.ANY),
    st.fractions(min_value=-4, max_value=4, max_denominator=1000).filter(lambda value: value.denominator > 1),
)
TREES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=8)


@given(TREES)
def test_text_goes_both_ways(tree: Tree) -> None:
    assert parse_tree(tree_text(tree)) == tree
    spaced = tree_text(tree).replace("(", " ( ").replace(",", " , ")
    assert parse_tree(spaced) == tree


@given(TREES)
def test_shape_of_trees(tree: Tree) -> None:
    assert congruent(tree, tree)
    assert not congruent(tree, (tree, tree))
    assert rank((tree, tree)) == 2
    assert depth((tree,)) == depth(tree) + 1
    numbers = list(leaves(tree))
    assert integers(tree) == tuple(leaf for leaf in numbers if isinstance(leaf, int))
    known = all(isinstance(leaf, int) for leaf in numbers)
    assert (product(tree) is not None) == known


def test_a_whole_fraction_is_a_number() -> None:
    assert parse_tree("4/2") == 2
    assert parse_tree("-3/2") == Fraction(-3, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(" * 5000, "nested more than 100 deep"),
        ("9" * 5000, "at most 20 digits, got 5000"),
        ("?{div=" + "9" * 5000 + "}", "expected a width and a divisor"),
        ("1" + " " * 5000 + "!", "unexpected '!'"),
        ("4/0", "positive denominator"),
        ("(4,", "expected a number in '\\(4,', got 'its end'"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message):
        parse_tree(text)


def test_what_is_unknown_stays_unknown() -> None:
    shape, stride = (4, Unknown()), (1, 4)
    assert cosize(shape, stride) is None
    assert offset((1, 2), shape, stride) == 9
    assert offset(7, (4, 2), (1, Unknown())) is None
    assert offset((1, 2, 3), (4, 2), (1, 4)) is None


def test_a_span_has_no_direction() -> None:
    assert cosize((4, 2), (-1, 4)) == 8
    assert cosize((4, 0), (1, 4)) == 0
