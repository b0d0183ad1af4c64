"""Element-wise operations that Tile IR does not have, written as a contributor would: as edits of the compiler's files.

There is one of each kind.  For some of them `math` has an operation already, the others bring one of `nv_tileaa`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from tests.house.edited_sources import Edit, Edits, before, behind

FUTURE = "from __future__ import annotations\n"
LIST = "\n\nOPERATIONS = (\n"
TARGET_LIST = "\n\nOPERATIONS: tuple[type[Operation], ...] = (\n"
ROWS = "TABLE: dict[type[Operation], ArithmeticRow] = {\n"
MEANINGS = "\n\nRULES.rules.update(\n    {\n"
LAST = "\nFLOAT_RULES: dict[type[Operation], Rule] = {\n"


def listed(declaration: str, name: str, list_: str = LIST) -> tuple[Edit, ...]:
    """A class in front of the list of its chapter, and its row there."""
    return (before(list_, f"\n\n{declaration.strip()}\n"), behind(list_, f"    {name},\n"))


def rule(table: str, formula: str, row: str) -> tuple[Edit, ...]:
    """A function in front of a table of functions, and its row there."""
    return (before(table, f"\n\n{formula.strip()}\n"), behind(table, f"    {row},\n"))


def chosen(operation: str, table: str, formula: str, row: str) -> tuple[Edit, ...]:
    """`rule` for an operation of `nv_tileaa`, which the table names."""
    return (behind(FUTURE, f"from {NV_TILEAA} import {operation}\n"), *rule(table, formula, row))


CUDA_TILE = "tilewright.dialects.cuda_tile."
NV_TILEAA = "tilewright.dialects.nv_tileaa.ops.math"
LOWERING = "tilewright.lowering.cuda_tile_to_tileaa.arithmetic"
MEANING = "tilewright.interp.rules."
ELEMENTS = "tilewright.targets.elements."

UNARY_FLOAT: Edits = {
    f"{CUDA_TILE}ops.float": listed(
        '@tile_op(0xE0, GROUP)\nclass ExpM1Op(UnaryFloatOp, name="cuda_tile.expm1"):\n    """`e^x - 1`."""',
        "ExpM1Op",
    ),
    LOWERING: (behind(ROWS, "    floats.ExpM1Op: ArithmeticRow(math.ExpM1Op, _precise),\n"),),
    f"{MEANING}float": (
        behind(FUTURE, "import functools\nimport numpy\n"),
        behind(MEANINGS, "ops.ExpM1Op: calls(functools.partial(arithmetic.elementary, numpy.expm1)),\n"),
    ),
    f"{ELEMENTS}math.exponential": rule(
        "\n\nFUNCTIONS: Mapping[str, MathFunction] = {\n",
        "def expm1(x: Expression) -> Expression:\n    return exp(x) - 1.0",
        '"expm1": MathFunction(expm1, operations.ExpM1Op)',
    ),
}
"""A function of the library."""

BINARY_FLOAT: Edits = {
    f"{CUDA_TILE}ops.float": listed(
        '@tile_op(0xE1, GROUP)\nclass DistanceFOp(BinaryFloatOp, name="cuda_tile.distancef"):\n    """`|x - y|`."""',
        "DistanceFOp",
    ),
    NV_TILEAA: listed(
        """
class DistanceFOp(ElementOp, SameTypeResultOp, name="nv_tileaa.distancef"):
    lhs: Value = operand_def(FLOAT_LIKE, LEFT)
    rhs: Value = operand_def(FLOAT_LIKE, RIGHT)
    result: Value = result_def(FLOAT_LIKE, RESULT)
    traits = (Pure(), Commutative(), same_type("lhs", "rhs", "result"))
""",
        "DistanceFOp",
        TARGET_LIST,
    ),
    LOWERING: (behind(ROWS, "    floats.DistanceFOp: ArithmeticRow(aa.DistanceFOp),\n"),),
    f"{MEANING}float": (
        before(MEANINGS, "\n\ndef _distance(x, y):\n    return arithmetic.absf(arithmetic.subf(x, y))\n"),
        behind(MEANINGS, "ops.DistanceFOp: calls(_distance),\n"),
    ),
    f"{ELEMENTS}floats": chosen(
        "DistanceFOp",
        "\n\nFLOAT_RULES: dict[type[Operation], Rule] = {\n",
        "def distance(x: Expression, y: Expression) -> Expression:\n    return (x - y).magnitude()",
        "DistanceFOp: lambda at: in_wider(at, distance).value",
    ),
}
"""An operation that neither `arith` nor `math` has."""

BINARY_INTEGER: Edits = {
    f"{CUDA_TILE}ops.integer": listed(
        '@tile_op(0xE2, BITWISE_GROUP)\nclass RotLIOp(BinaryIntegerOp, name="cuda_tile.rotli"):\n    """Rotates."""',
        "RotLIOp",
    ),
    NV_TILEAA: listed(
        """
class RotLIOp(ElementOp, SameTypeResultOp, name="nv_tileaa.rotli"):
    lhs: Value = operand_def(FIXED_INTEGER_LIKE, LEFT)
    rhs: Value = operand_def(FIXED_INTEGER_LIKE, RIGHT)
    result: Value = result_def(FIXED_INTEGER_LIKE, RESULT)
    traits = (Pure(), same_type("lhs", "rhs", "result"))
""",
        "RotLIOp",
        TARGET_LIST,
    ),
    LOWERING: (behind(ROWS, "    integers.RotLIOp: ArithmeticRow(aa.RotLIOp),\n"),),
    f"{MEANING}integer": (
        before(
            MEANINGS,
            """

def _rotated(x, amount):
    by = amount & (8 * x.itemsize - 1)
    return integers.ori(integers.shli(x, by), integers.shri(x, 8 * x.itemsize - by, False))
""",
        ),
        behind(MEANINGS, "ops.RotLIOp: calls(_rotated),\n"),
    ),
    f"{ELEMENTS}integers": chosen(
        "RotLIOp",
        "\n\nINTEGER_RULES: dict[type[Operation], Rule] = {\n",
        """
def _rotate(x: Expression, amount: Expression) -> Expression:
    by = amount & (x.element.width - 1)
    return _shift_left(x, by) | _shift_right(x, x.element.width - by)
""",
        "RotLIOp: formula(_rotate)",
    ),
}
"""An operation that neither `arith` nor `math` has."""

UNARY_INTEGER: Edits = {
    f"{CUDA_TILE}ops.integer": listed(
        """
@tile_op(0xE3, BITWISE_GROUP)
class PopCountIOp(TileOp, name="cuda_tile.popcounti"):
    \"\"\"How many bits are ones.\"\"\"

    source: Value = operand_def(T, "The operand.")
    result: Value = result_def(T, "The count.")
    assembly_format = "$source attr-dict `:` type($result)"
    traits = (Pure(), Elementwise())
""",
        "PopCountIOp",
    ),
    LOWERING: (behind(ROWS, "    integers.PopCountIOp: ArithmeticRow(math.CtPopOp),\n"),),
    f"{MEANING}integer": (
        behind(FUTURE, "import numpy\n"),
        before(
            MEANINGS,
            "\n\ndef _ones(x):\n"
            "    bits = numpy.unpackbits(x[..., None].view(numpy.uint8), axis=-1)\n"
            "    return bits.sum(axis=-1).astype(x.dtype)\n",
        ),
        behind(MEANINGS, "ops.PopCountIOp: calls(_ones),\n"),
    ),
}
"""An operation that `math` has, and that the elements know."""

COMPARISON: Edits = {
    f"{CUDA_TILE}ops.float": listed(
        """
@tile_op(0xE4, GROUP)
class IsInfOp(TileOp, name="cuda_tile.isinf"):
    \"\"\"Whether a number is infinite.\"\"\"

    source: Value = operand_def(T, "The operand.")
    result: Value = result_def(BOOLEAN_TILE, "The answer.")
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"
    traits = (Pure(), Elementwise(), same_shape("source", "result"))
""",
        "IsInfOp",
    ),
    LOWERING: (behind(ROWS, "    floats.IsInfOp: ArithmeticRow(math.IsInfOp, _precise),\n"),),
    f"{MEANING}float": (behind(MEANINGS, "ops.IsInfOp: calls(numpy.isinf),\n"),),
}
"""A question that `math` has, and that the elements know."""

CONVERSION: Edits = {
    f"{CUDA_TILE}ops.conversion": listed(
        """
@tile_op(0xE5, GROUP)
class NearestOp(TileOp, name="cuda_tile.nearest"):
    \"\"\"The signed integer next to a float.\"\"\"

    from_: Value = operand_def(FLOAT_TILE, "The floats.")
    to: Value = result_def(INTEGER_TILE, "The integers.")
    assembly_format = "$from attr-dict `:` type($from) `->` type($to)"
    traits = (Pure(), Elementwise(), same_shape("from", "to"))
""",
        "NearestOp",
    ),
    NV_TILEAA: listed(
        """
class NearestOp(ElementOp, name="nv_tileaa.nearest"):
    source: Value = operand_def(FLOAT_LIKE, "The floats.")
    result: Value = result_def(FIXED_INTEGER_LIKE, "The integers.")
    traits = (Pure(), Elementwise())
""",
        "NearestOp",
        TARGET_LIST,
    ),
    LOWERING: (behind(ROWS, "    casts.NearestOp: ArithmeticRow(aa.NearestOp),\n"),),
    f"{MEANING}conversion": (
        behind(FUTURE, "import numpy\n"),
        before(
            MEANINGS,
            "\n\ndef _nearest(x, source, target):\n"
            "    return convert.ftoi(numpy.rint(x), source, target, True)\n",
        ),
        behind(
            MEANINGS,
            "ops.NearestOp: calls(_nearest, lambda op: (tile_format(op.from_.type), tile_format(op.to.type))),\n",
        ),
    ),
    f"{ELEMENTS}convert": (
        behind(FUTURE, "from tilewright.dialects.llvm.intrinsics.float import RoundEvenOp\n"),
        *chosen(
            "NearestOp",
            "\n\nCONVERSION_RULES: dict[type[Operation], Rule] = {\n",
            """
def nearest(at: Lanes) -> Value:
    whole = widen(at.expressions()[0], at.source()).apply(RoundEvenOp)
    return _saturated(whole, at.target(), signed=True).extended(at.target(), signed=False).value
""",
            "NearestOp: nearest",
        ),
    ),
}
"""An operation that neither `arith` nor `math` has."""

OPERATIONS: dict[str, Edits] = {
    "unary float": UNARY_FLOAT,
    "binary float": BINARY_FLOAT,
    "binary integer": BINARY_INTEGER,
    "unary integer": UNARY_INTEGER,
    "comparison": COMPARISON,
    "conversion": CONVERSION,
}
"""By kind."""


def together(operations: Sequence[Edits]) -> Edits:
    """The edits of several operations."""
    found: dict[str, list[Edit]] = defaultdict(list)
    for edits in operations:
        for module, changes in edits.items():
            found[module] += changes
    return found
