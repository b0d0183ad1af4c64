"""Random modules of arithmetic on scalars and tiles, and what tests of the conversion to `nv_tileas` share."""

from __future__ import annotations

from hypothesis import strategies as st

from tilewright.dialects.arith.attributes import (
    CmpFPredicate,
    CmpIPredicate,
    FastMathFlags,
    FastMathFlagsAttr,
    IntegerOverflowFlags,
    IntegerOverflowFlagsAttr,
    RoundingMode,
)
from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.dialects.func.ops import FuncOp, ReturnOp
from tilewright.driver.startup import context
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import UNIT, StringAttr, TypeAttr, integer32, integer64
from tilewright.ir.builtin_types import (
    FunctionType,
    RankedTensorType,
    VectorType,
    f16,
    f32,
    i1,
    i8,
    i32,
)
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.value import Value
from tilewright.ir.verifier import verify
from tilewright.lowering.tileaa_to_tileas.arith_bank import ARITH_OPERATIONS
from tilewright.lowering.tileaa_to_tileas.descriptors import ConvertTileAAToTileAS
from tilewright.passes.manager import PassManager

FLAGS = st.integers(0, 127).map(lambda bits: FastMathFlagsAttr(FastMathFlags(bits)))
OVERFLOWS = st.integers(0, 3).map(lambda bits: IntegerOverflowFlagsAttr(IntegerOverflowFlags(bits)))
CASTS: dict[str, tuple[Type, Type]] = {
    "bitcast": (f32, i32),
    "extf": (f16, f32),
    "extsi": (i8, i32),
    "extui": (i8, i32),
    "truncf": (f32, f16),
    "trunci": (i32, i8),
    "fptosi": (f32, i32),
    "fptoui": (f32, i32),
    "sitofp": (i32, f32),
    "uitofp": (i32, f32),
}
"""Element types of operand and result."""
COMPARISONS = {"cmpf": f32, "cmpi": i32}


def attribute_strategy(mnemonic: str, name: str) -> st.SearchStrategy[Attribute | None]:
    """Values of an attribute of an operation; None where it may be absent."""
    match name:
        case "fastmath":
            return FLAGS
        case "overflowFlags":
            return OVERFLOWS
        case "roundingmode":
            return st.sampled_from([None, *map(integer32, range(len(RoundingMode)))])
        case "isExact":
            return st.sampled_from([None, UNIT])
        case _:
            cases = CmpFPredicate if mnemonic == "cmpf" else CmpIPredicate
            return st.integers(0, len(cases) - 1).map(integer64)


def shaped(element: Type, shape: tuple[int, ...] | None) -> Type:
    """A tile, a vector for the shape ``(0,)`` (which stands for four elements), or the element itself."""
    if shape is None:
        return element
    return VectorType((4,), element) if shape == (0,) else RankedTensorType(shape, element)


def operand_types(mnemonic: str, shape: tuple[int, ...] | None) -> tuple[list[Type], Type]:
    """Operand types and the result type of an operation of the bank on values of a shape."""
    if mnemonic in CASTS:
        source, target = CASTS[mnemonic]
        return [shaped(source, shape)], shaped(target, shape)
    if mnemonic in COMPARISONS:
        return [shaped(COMPARISONS[mnemonic], shape)] * 2, shaped(i1, shape)
    value = shaped(f32 if mnemonic.endswith("f") else i32, shape)
    if mnemonic == "select":
        return [shaped(i1, shape), value, value], value
    return [value] * (1 if mnemonic == "negf" else 2), value


SHAPES = st.sampled_from([None, (0,), (4,), (8, 64), (1, 2, 4)])


@st.composite
def arith_modules(draw: st.DrawFn) -> Operation:
    """A module with a function that does arithmetic on its arguments and returns all results."""
    block = Block()
    pool: dict[Type, list[Value]] = {}
    for _ in range(draw(st.integers(1, 12))):
        source = draw(st.sampled_from(ARITH_OPERATIONS))
        op = _operation(draw, source, block, pool)
        block.append(op)
        pool.setdefault(op.results[0].type, []).append(op.results[0])
    returned: list[Value] = [op.results[0] for op in block.ops]
    block.append(ReturnOp(tuple(returned)))
    return _module(block, returned)


def _operation(
    draw: st.DrawFn, source: type[Operation], block: Block, pool: dict[Type, list[Value]]
) -> Operation:
    kind = source.op_kind
    types, result = operand_types(kind.mnemonic, draw(SHAPES))
    operands = [draw(st.sampled_from([*pool.get(type, ()), block.add_argument(type)])) for type in types]
    attributes = {f.ir_name: draw(attribute_strategy(kind.mnemonic, f.ir_name)) for f in kind.attributes}
    present = {name: value for name, value in attributes.items() if value is not None}
    return Operation.from_parts(kind, operands, [result], present)


def _module(block: Block, returned: list[Value]) -> Operation:
    inputs = tuple(argument.type for argument in block.arguments)
    signature = FunctionType(inputs, tuple(value.type for value in returned))
    attributes: dict[str, Attribute] = {"sym_name": StringAttr("f"), "function_type": TypeAttr(signature)}
    function = Operation.from_parts(FuncOp.op_kind, attributes=attributes, regions=[Region([block])])
    body = Block()
    body.append(function)
    return Operation.from_parts(ModuleOp.op_kind, regions=[Region([body])])


def function(body: str, arguments: str = "", returns: str = "") -> str:
    """A module in generic form with one function; the body ends in `func.return`."""
    inputs = ", ".join(part.partition(": ")[2] for part in arguments.split("; ") if part)
    listed = arguments.replace("; ", ", ")
    head = f"^bb0({listed}):\n" if arguments else ""
    return (
        '"builtin.module"() ({\n'
        f'"func.func"() <{{function_type = ({inputs}) -> ({returns}), sym_name = "f"}}> ({{\n{head}{body}\n'
        "}) : () -> ()\n}) : () -> ()\n"
    )


def parsed(text: str, known: Context) -> Operation:
    """The module of a text, which must be valid."""
    module = parse_module(known, text)
    assert [str(error) for error in verify(module, all_errors=True)] == []
    return module


def converted(text: str) -> Operation:
    """The module after the pass, which must be valid."""
    known = context()
    module = parsed(text, known)
    PassManager(known).add(ConvertTileAAToTileAS()).run(module)
    assert [str(error) for error in verify(module, all_errors=True)] == []
    return module


def failure_of(text: str) -> tuple[DiagnosticError, str, str]:
    """How the pass fails, and the text of the module before and after."""
    known = context()
    module = parsed(text, known)
    before = module.print()
    try:
        PassManager(known).add(ConvertTileAAToTileAS()).run(module)
    except DiagnosticError as error:
        return error, before, module.print()
    raise AssertionError(f"the pass did not fail:\n{module.print()}")


def names(module: Operation) -> list[str]:
    """The names of all operations of a module but those that hold others, in order."""
    return [op.name for op in module.walk() if not op.regions]
