"""Matrices of bits against counting: every answer of rank is one about the set of images."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tests.layouts.layout_samples import invertible_columns
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.layouts.bits import BitMatrix, XorBasis, independent, intersection


@st.composite
def matrices(draw: st.DrawFn, columns: int = 4) -> BitMatrix:
    """A matrix of up to 5 x 4 bits."""
    rows = draw(st.integers(0, 5))
    found = draw(st.lists(st.integers(0, (1 << rows) - 1), max_size=columns))
    return BitMatrix(tuple(found), rows)


def images(matrix: BitMatrix) -> list[int]:
    return [matrix(number) for number in range(1 << len(matrix.columns))]


def sums(vectors: list[int]) -> set[int]:
    """All xors of vectors, by counting."""
    return set(images(BitMatrix(tuple(vectors), 8)))


@given(matrices())
def test_sums_are_xors(matrix: BitMatrix) -> None:
    for a in range(1 << len(matrix.columns)):
        for b in range(a):
            assert matrix(a ^ b) == matrix(a) ^ matrix(b)


@given(matrices())
def test_rank_and_kernel(matrix: BitMatrix) -> None:
    found = images(matrix)
    assert 1 << matrix.rank == len(set(found))
    assert matrix.is_onto == (set(found) == set(range(1 << matrix.rows)))
    assert matrix.is_one_to_one == (len(set(found)) == len(found))
    kernel = {number for number, image in enumerate(found) if not image}
    assert sums(list(matrix.kernel())) == kernel
    assert 1 << len(matrix.kernel()) == len(kernel)


@given(matrices(), matrices())
def test_products(first: BitMatrix, second: BitMatrix) -> None:
    if second.rows <= len(first.columns):
        product = first @ second
        assert images(product) == [first(image) for image in images(second)]
    both = first.beside(second)
    for a in range(1 << len(first.columns)):
        for b in range(1 << len(second.columns)):
            assert both(b << len(first.columns) | a) == first(a) ^ second(b)


@given(matrices())
def test_solutions(matrix: BitMatrix) -> None:
    found = images(matrix)
    for image in range(1 << matrix.rows):
        number = matrix.solve(image)
        assert (number is not None) == (image in found)
        if number is not None:
            assert matrix(number) == image
            fewest = min(n.bit_length() for n, other in enumerate(found) if other == image)
            assert number.bit_length() == fewest


@given(matrices())
def test_pseudo_inverses(matrix: BitMatrix) -> None:
    found = matrix.pseudo_inverse()
    assert matrix @ found @ matrix == matrix
    assert found @ matrix @ found == found


@given(st.integers(0, 5).flatmap(invertible_columns))
def test_inverses(columns: list[int]) -> None:
    matrix = BitMatrix(tuple(columns), len(columns))
    assert matrix @ matrix.inverse() == matrix.inverse() @ matrix == BitMatrix.identity(len(columns))


@given(matrices(), matrices())
def test_intersections(first: BitMatrix, second: BitMatrix) -> None:
    found = intersection(first.columns, second.columns)
    assert sums(found) == set(images(first)) & set(images(second))
    assert XorBasis(found).rank == len(found)


@given(matrices())
def test_spans(matrix: BitMatrix) -> None:
    span = XorBasis()
    taken = independent(matrix.columns, span)
    assert len(taken) == span.rank == matrix.rank
    assert {number for number in range(1 << matrix.rows) if number in span} == set(images(matrix))


def test_what_is_refused() -> None:
    with pytest.raises(DiagnosticError, match=r"TW1403.*2 x 2 bits and rank 1 has no inverse"):
        BitMatrix((1, 1), 2).inverse()
    with pytest.raises(DiagnosticError, match="expected columns of 1 bits"):
        BitMatrix((2,), 1)
