import pytest
from hypothesis import given, strategies as st

from tests.support.mlir_tools import mlir_opt
from tilewright.ir.arithmetic.affine import (
    AffineConstant,
    AffineDimension,
    AffineExpression,
    AffineMap,
    AffineMapAttr,
    AffineOperator,
    AffineSymbol,
    combine,
    evaluate,
    identity_map,
    permutation_map,
)
from tilewright.ir.arithmetic.strided_layout import StridedLayoutAttr, strides_and_offset
from tilewright.ir.builtin_types import DYNAMIC, MemRefType, f32
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.text.parser import parse_attribute, parse_type

SPELT = [
    ("(d0, d1)[s0] -> (d0 + s0, d1 floordiv 4)", "(d0, d1)[s0] -> (d0 + s0, d1 floordiv 4)"),
    ("() -> ()", "() -> ()"),
    ("(i, j) -> (j, i)", "(d0, d1) -> (d1, d0)"),
    ("(d0) -> (1 + d0)", "(d0) -> (d0 + 1)"),
    ("(d0) -> (d0 * 2 + d0 * 3)", "(d0) -> (d0 * 5)"),
    ("(d0) -> (d0 - d0 floordiv 4 * 4)", "(d0) -> (d0 mod 4)"),
    ("(d0) -> (d0 + 1 + d0 + 2)", "(d0) -> (d0 * 2 + 3)"),
    ("(d0)[s0] -> (s0 + d0)", "(d0)[s0] -> (d0 + s0)"),
    ("(d0)[s0] -> (s0 * d0)", "(d0)[s0] -> (d0 * s0)"),
    ("(d0)[s0] -> (-d0 + s0, -s0, d0 - 3, d0 - s0 * 3)", "(d0)[s0] -> (-d0 + s0, -s0, d0 - 3, d0 - s0 * 3)"),
    (
        "(d0) -> ((d0 * 8) floordiv 4, (d0 * 8) ceildiv 4, (d0*8) mod 4, (d0 * 8 + 3) mod 4)",
        "(d0) -> (d0 * 2, d0 * 2, 0, 3)",
    ),
    ("(d0, d1) -> ((d0 * 8 + d1) floordiv 4)", "(d0, d1) -> (d0 * 2 + d1 floordiv 4)"),
    (
        "(d0, d1) -> ((d0 * 8 + d1 * 4) floordiv 4, (d0 mod 8) mod 4, (d0 mod 4) mod 8)",
        "(d0, d1) -> (d0 * 2 + d1, d0 mod 4, (d0 mod 4) mod 8)",
    ),
    (
        "(d0, d1) -> (d0 - (d1 + 2), d0 - (d1 - 2), (d0 + d1) * 3, -(d0 + d1))",
        "(d0, d1) -> (d0 - (d1 + 2), d0 - (d1 - 2), (d0 + d1) * 3, -(d0 + d1))",
    ),
    (
        "(d0, d1)[s0] -> (d0 floordiv s0, d1 ceildiv s0, d0 mod s0, (d0 + d1) mod 7 + 2)",
        "(d0, d1)[s0] -> (d0 floordiv s0, d1 ceildiv s0, d0 mod s0, (d0 + d1) mod 7 + 2)",
    ),
    (
        "(d0, d1)[s0, s1] -> (d0 * s0 + d1 * s1, d0 * 2 * s0, d0 * s0 * 2, s0 * 2 * d0 * s1)",
        "(d0, d1)[s0, s1] -> (d0 * s0 + d1 * s1, (d0 * s0) * 2, (d0 * s0) * 2, (d0 * (s0 * 2)) * s1)",
    ),
    (
        "(d0, d1) -> (7 floordiv 2, -7 floordiv 2, -7 ceildiv 2, -7 mod 3, 3 - d0, 5 * d0 - 5 * d1)",
        "(d0, d1) -> (3, -4, -3, 2, -d0 + 3, d0 * 5 - d1 * 5)",
    ),
    (
        "(d0, d1) -> (d0 * 0, d0 * 1, d0 + 0, d0 floordiv 1, d0 mod 1, d0 - d0, d0 + d1 - d0)",
        "(d0, d1) -> (0, d0, d0, d0, 0, 0, d0 + d1 - d0)",
    ),
    (
        "(d0, d1)[s0] -> (d0 + (d1 + s0), d0 + (d1 + 3), (s0 + d0) + d1)",
        "(d0, d1)[s0] -> (d0 + d1 + s0, d0 + d1 + 3, d0 + s0 + d1)",
    ),
    (
        "(d0)[s0] -> ((d0 * 4 + 2) floordiv 2, (d0 * 4 + s0) floordiv 2, d0 floordiv 2 * 2 + d0 mod 2)",
        "(d0)[s0] -> (d0 * 2 + 1, d0 * 2 + s0 floordiv 2, (d0 floordiv 2) * 2 + d0 mod 2)",
    ),
    (
        "(d0) -> (d0 floordiv 2 floordiv 3, (d0 * 3) floordiv 2, (d0 * 6) floordiv 4, d0 * 4 floordiv -2)",
        "(d0) -> ((d0 floordiv 2) floordiv 3, (d0 * 3) floordiv 2, (d0 * 6) floordiv 4, d0 * -2)",
    ),
    (
        "(d0) -> (d0 * -1, d0 * -2 + 1, 1 - d0 * 2, d0 mod 4 - d0)",
        "(d0) -> (-d0, d0 * -2 + 1, d0 * -2 + 1, d0 mod 4 - d0)",
    ),
    (
        "(d0, d1) -> (d0 * 4 + d0 floordiv 2, (d0 + d1) + (d0 + d1), d0 * 3 + d1 * 3)",
        "(d0, d1) -> (d0 * 4 + d0 floordiv 2, (d0 + d1) * 2, d0 * 3 + d1 * 3)",
    ),
]

D0, D1, S0 = AffineDimension(0), AffineDimension(1), AffineSymbol(0)


@pytest.mark.parametrize(("text", "simplified"), SPELT)
def test_map_is_simplified_as_in_mlir(text: str, simplified: str) -> None:
    attribute = parse_attribute(Context(), f"affine_map<{text}>")
    assert str(attribute) == f"affine_map<{simplified}>"
    assert parse_attribute(Context(), str(attribute)) is attribute


def test_mlir_opt_spells_maps_the_same() -> None:
    listed = "".join(f'"test.a"() {{m = affine_map<{text}>}} : () -> ()\n' for text, _ in SPELT)
    flags = ("--mlir-print-op-generic", "--allow-unregistered-dialect", "--mlir-print-local-scope")
    code, out, err = mlir_opt(listed, *flags)
    assert code == 0, err
    assert all(f"affine_map<{simplified}>" in out for _, simplified in SPELT)


EXPRESSIONS: st.SearchStrategy[AffineExpression] = st.recursive(
    st.sampled_from([D0, D1, S0]) | st.integers(-4, 4).map(AffineConstant),
    lambda inner: st.builds(
        lambda operator, left, right: (operator, left, right), st.sampled_from(AffineOperator), inner, inner
    ),
    max_leaves=8,
)


def _build(tree: object, values: dict[AffineExpression, int]) -> tuple[AffineExpression, int] | None:
    """The simplified expression of a tree and its value; None where it is not affine or divides by <= 0."""
    if isinstance(tree, AffineExpression):
        return tree, evaluate(tree, [values[D0], values[D1]], [values[S0]])
    assert isinstance(tree, tuple)
    operator, *parts = tree
    built = [_build(part, values) for part in parts]
    if None in built:
        return None
    (left, first), (right, second) = built
    product = operator is AffineOperator.MULTIPLY
    if operator is not AffineOperator.ADD and not (right.is_symbolic or (product and left.is_symbolic)):
        return None
    if operator not in (AffineOperator.ADD, AffineOperator.MULTIPLY) and second <= 0:
        return None
    plain = {
        AffineOperator.ADD: lambda: first + second,
        AffineOperator.MULTIPLY: lambda: first * second,
        AffineOperator.MODULO: lambda: first % second,
        AffineOperator.FLOOR_DIVIDE: lambda: first // second,
        AffineOperator.CEIL_DIVIDE: lambda: -(-first // second),
    }
    return combine(operator, left, right), plain[operator]()


@given(EXPRESSIONS, st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 9))
def test_simplification_keeps_the_value(tree: object, first: int, second: int, symbol: int) -> None:
    built = _build(tree, {D0: first, D1: second, S0: symbol})
    if built is not None:
        expression, value = built
        assert evaluate(expression, [first, second], [symbol]) == value
        text = f"affine_map<(d0, d1)[s0] -> ({expression})>"
        assert parse_attribute(Context(), text) is AffineMapAttr(AffineMap(2, 1, (expression,)))


def test_maps() -> None:
    assert identity_map(2).is_identity
    assert not permutation_map([1, 0]).is_identity
    assert permutation_map([1, 0]).is_projected_permutation
    assert permutation_map([1, 0]).evaluate([3, 4]) == (4, 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("affine_map<(d0) -> (d1)>", "use of undeclared identifier 'd1'"),
        ("affine_map<(d0, d0) -> (d0)>", "redefinition of identifier 'd0'"),
        (
            "affine_map<(d0, d1) -> (d0 * d1)>",
            "non-affine expression: at least one of the multiply operands has to be symbolic",
        ),
        ("affine_map<(d0) -> (d0 mod d0)>", "non-affine expression: right operand of mod has to be symbolic"),
    ],
)
def test_wrong_map(text: str, message: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        parse_attribute(Context(), text)
    assert message in str(caught.value)


LAYOUTS = [
    ("memref<4x8xf32, strided<[8, 1]>>", ((8, 1), 0)),
    ("memref<4x8xf32, strided<[?, 1], offset: ?>>", ((DYNAMIC, 1), DYNAMIC)),
    ("memref<4x8xf32, strided<[-1, 0], offset: -3>, 3 : i32>", ((-1, 0), -3)),
    ("memref<4x8xf32>", ((8, 1), 0)),
    ("memref<4x?x2xf32>", ((DYNAMIC, 2, 1), 0)),
    ("memref<f32>", ((), 0)),
    ("memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>", None),
]


@pytest.mark.parametrize(("text", "expected"), LAYOUTS)
def test_layout_of_memref(text: str, expected: object) -> None:
    type = parse_type(Context(), text)
    assert isinstance(type, MemRefType)
    assert str(type) == text
    assert strides_and_offset(type) == expected


def test_strided_layout_is_uniqued() -> None:
    layout = StridedLayoutAttr((4, DYNAMIC), 2)
    assert layout is StridedLayoutAttr((4, DYNAMIC), 2)
    assert str(layout) == "strided<[4, ?], offset: 2>"
    assert MemRefType((1, 2), f32, layout) is MemRefType((1, 2), f32, layout)
