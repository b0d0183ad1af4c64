"""What no bytecode can hold, in modules that nobody verified: a diagnostic each, and never anything else."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.bytecode.writer_support import CONTEXT, constant, kernel
from tilewright.bytecode import read_bytecode, write_bytecode
from tilewright.dialects.cuda_tile.attributes import (
    BoundedAttr,
    DICompileUnitAttr,
    DIFileAttr,
    DILexicalBlockAttr,
    DILocation,
    DISubprogramAttr,
    DivByAttr,
    SameElementsAttr,
)
from tilewright.dialects.cuda_tile.enums import RoundingMode, RoundingModeAttr
from tilewright.dialects.cuda_tile.ops.control import EntryOp, ModuleOp
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.dialects.cuda_tile.version import VERSIONS
from tilewright.dialects.ub.dialect import PoisonOp
from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import (
    UNIT,
    ArrayAttr,
    DenseArrayAttr,
    DenseElementsAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    integer32,
    integer64,
)
from tilewright.ir.builtin_types import FunctionType, IntegerType, VectorType, f32, i1, i32, i64
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.equality import difference
from tilewright.ir.location import UNKNOWN, CallSiteLocation, FileLineColLocation, FusedLocation, NameLocation
from tilewright.ir.operation import Operation
from tilewright.testing import sample_modules

TILE = TileType((4,), i32)
PREDICATE = '%r = "cuda_tile.assume"(%c) <{predicate = #cuda_tile.bounded<0, ?>}> : (!cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi32>'


def entry_of(module: ModuleOp) -> EntryOp:
    return next(op for op in module.walk() if isinstance(op, EntryOp))


def op_of(module: ModuleOp, mnemonic: str) -> Operation:
    return next(op for op in module.walk() if op.kind.mnemonic == mnemonic)


def refused(module: Operation, message: str) -> None:
    """Every version refuses the module with this message and code TW0318."""
    for version in (None, *VERSIONS):
        with pytest.raises(DiagnosticError) as raised:
            write_bytecode(module, version, verify=False)
        messages = [diagnostic.message for diagnostic in raised.value.diagnostics]
        assert any(message in text for text in messages), messages
        assert all(
            str(diagnostic.code) == "TW0318" and diagnostic.hints for diagnostic in raised.value.diagnostics
        )


def with_attribute(
    name: str, value: Attribute | None, body: str = "", mnemonic: str = "constant"
) -> ModuleOp:
    """A module in which an attribute of an operation is replaced or (None) removed."""
    module = kernel(f"{constant('i32')}\n{body}")
    op = op_of(module, mnemonic)
    if value is None:
        del op.attributes[name]
    else:
        op.attributes[name] = value
    return module


NEGI = '%r = "cuda_tile.negi"(%c) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi32>'
PERMUTE = '%r = "cuda_tile.permute"(%c) <{permutation = array<i32: 0>}> : (!cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi32>'
FMA_FLAG = '%d = "cuda_tile.exp2"(%c) : (!cuda_tile.tile<4xi32>) -> !cuda_tile.tile<4xi32>'
NESTED = 200


def nested_array() -> Attribute:
    found: Attribute = UNIT
    for _ in range(NESTED):
        found = ArrayAttr((found,))
    return found


def nested_type() -> Type:
    found: Type = FunctionType()
    for _ in range(NESTED):
        found = FunctionType((found,), ())
    return found


ATTRIBUTES: dict[str, tuple[ModuleOp, str]] = {
    "missing": (with_attribute("value", None), "lacks the attribute 'value'"),
    "not declared": (
        with_attribute("extra", UNIT),
        "attribute 'extra' is not declared by 'cuda_tile.constant'",
    ),
    "constant": (with_attribute("value", UNIT), "a constant must be dense elements"),
    "elements of no tile": (
        with_attribute("value", DenseElementsAttr(VectorType((4,), i32), bytes(16))),
        "a constant must be dense elements of an integer or float tile",
    ),
    "enum": (
        with_attribute("overflow", RoundingModeAttr(RoundingMode.ZERO), NEGI, "negi"),
        "attribute 'overflow' of 'cuda_tile.negi': expected ",
    ),
    "flag": (with_attribute("flush_to_zero", integer32(1), FMA_FLAG, "exp2"), "expected unit, got 1 : i32"),
    "array of the wrong type": (
        with_attribute("permutation", DenseArrayAttr(i64, (0,)), PERMUTE, "permute"),
        "expected a dense array of i32",
    ),
    "array with a reserved element": (
        with_attribute("permutation", DenseArrayAttr(i32, (-(2**31),)), PERMUTE, "permute"),
        "an array holds a value that bytecode reserves",
    ),
    "predicate": (
        with_attribute("predicate", UNIT, PREDICATE, "assume"),
        "expected an assume predicate, got unit",
    ),
    "divisor": (
        with_attribute("predicate", DivByAttr(1 << 64), PREDICATE, "assume"),
        "18446744073709551616 is no unsigned 64-bit integer",
    ),
    "bound": (
        with_attribute("predicate", BoundedAttr(None, 1 << 63), PREDICATE, "assume"),
        "9223372036854775808 is no signed 64-bit integer",
    ),
    "run length": (
        with_attribute("predicate", SameElementsAttr((1 << 63,)), PREDICATE, "assume"),
        "is no signed 64-bit integer",
    ),
}


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_attributes(name: str) -> None:
    refused(*ATTRIBUTES[name])


ENTRY_ATTRIBUTES: dict[str, tuple[str, Attribute | None, str]] = {
    "no name": ("sym_name", None, "'cuda_tile.entry' has no name"),
    "an empty name": ("sym_name", StringAttr(""), "'cuda_tile.entry' has no name"),
    "a lone surrogate": ("sym_name", StringAttr("\ud800"), "is no text: it holds a lone surrogate"),
    "no type": ("function_type", TypeAttr(i32), "entry 'k' has no function type"),
    "another type": ("function_type", TypeAttr(FunctionType((TILE,), ())), "do not match its function type"),
    "hints": ("optimization_hints", UNIT, "entry 'k' has optimization hints that are none"),
    "results": ("res_attrs", ArrayAttr((DictionaryAttr.of({"a.b": UNIT}),)), "attributes of results"),
    "arguments": ("arg_attrs", UNIT, "argument attributes that are no array"),
    "not declared": ("extra", UNIT, "attribute 'extra' is not declared by 'cuda_tile.entry'"),
}


@pytest.mark.parametrize("name", ENTRY_ATTRIBUTES)
def test_attributes_of_kernels(name: str) -> None:
    attribute, value, message = ENTRY_ATTRIBUTES[name]
    module = kernel()
    if value is None:
        del entry_of(module).attributes[attribute]
    else:
        entry_of(module).attributes[attribute] = value
    refused(module, message)


TAGGED = {
    "unit": (UNIT, "unsupported attribute for serialization: unit"),
    "too deep": (nested_array(), "attributes nest deeper than 100 levels"),
    "an integer without width": (IntegerAttr(IntegerType(7), 1), "unsupported type in bytecode writer: 'i7'"),
    "a symbol": (SymbolRefAttr("a"), "unsupported attribute for serialization: @a"),
    "an empty name": (DictionaryAttr.of({"": integer32(1)}), "must have a name"),
    "a typed string": (StringAttr("a", i32), "a string must have no type"),
}


@pytest.mark.parametrize("name", TAGGED)
def test_attributes_of_arguments(name: str) -> None:
    value, message = TAGGED[name]
    module = kernel(hints=", arg_attrs = []")
    entry_of(module).attributes["arg_attrs"] = ArrayAttr((DictionaryAttr.of({"a.b": value}),))
    with pytest.raises(DiagnosticError, match=r"TW0318") as raised:
        write_bytecode(module, verify=False)
    assert message in str(raised.value)


GLOBALS: dict[str, tuple[str, Attribute | None, str]] = {
    "value": ("value", None, "global `g` has no dense elements"),
    "name": ("sym_name", UNIT, "'cuda_tile.global' has no name"),
    "alignment": ("alignment", integer32(4), "global `g` has no valid alignment: 4 : i32"),
    "visibility": ("symbol_visibility", UNIT, "global `g` has no valid visibility: unit"),
    "constant": ("constant", integer64(1), "expected unit"),
}


@pytest.mark.parametrize("name", GLOBALS)
def test_attributes_of_globals(name: str) -> None:
    attribute, value, message = GLOBALS[name]
    module = kernel(
        globals='"cuda_tile.global"() <{sym_name = "g", value = dense<0> : !cuda_tile.tile<4xi32>}> : () -> ()'
    )
    held = op_of(module, "global").attributes
    held.pop(attribute, None)
    if value is not None:
        held[attribute] = value
    refused(module, message)


def _use_after_the_end(module: ModuleOp) -> None:
    inside = entry_of(module).regions[0].block.first
    assert inside is not None
    block = Block()
    constant_op = op_of(module, "constant")
    constant_op.detach()
    block.append(constant_op)
    block.append(Operation.from_parts(CONTEXT.kinds["cuda_tile.continue"]))
    loop = Operation.from_parts(CONTEXT.kinds["cuda_tile.loop"], regions=[Region([block])])
    body = entry_of(module).regions[0].block
    body.prepend(loop)


def _drop_terminator(module: ModuleOp) -> None:
    body = entry_of(module).regions[0].block
    block = Block()
    body.prepend(Operation.from_parts(CONTEXT.kinds["cuda_tile.loop"], regions=[Region([block])]))


def _nest_an_entry(module: ModuleOp) -> None:
    entry_of(module).regions[0].block.prepend(entry_of(kernel()).detach())


def _foreign_operation(module: ModuleOp) -> None:
    entry_of(module).regions[0].block.prepend(Operation.from_parts(PoisonOp.op_kind))


def _set(mnemonic: str, change: Callable[[Operation], None]) -> Callable[[ModuleOp], None]:
    return lambda module: change(op_of(module, mnemonic))


def _segments(sizes: tuple[int, ...]) -> Callable[[Operation], None]:
    def change(op: Operation) -> None:
        op.attributes[OPERAND_SEGMENTS] = DenseArrayAttr(i32, sizes)

    return change


def _replace(op: Operation, **parts: object) -> None:
    """Put an operation of the same kind with other parts in front."""
    assert op.parent is not None
    made = Operation.from_parts(op.kind, attributes=dict(op.attributes), **parts)  # pyright: ignore[reportArgumentType]
    op.parent.insert_before(op, made)


PRINTED = '%q = "cuda_tile.print_tko"(%c) <{str = "", operandSegmentSizes = array<i32: 1, 0>}> : (!cuda_tile.tile<4xi32>) -> !cuda_tile.token'
STRUCTURES: dict[str, tuple[Callable[[ModuleOp], None], str]] = {
    "use after the end of a block": (
        _use_after_the_end,
        "operand #0 of 'cuda_tile.negi' is not defined before",
    ),
    "no terminator": (_drop_terminator, "a block of 'cuda_tile.loop' is expected to have a terminator"),
    "entry in a body": (_nest_an_entry, "operation 'cuda_tile.entry' cannot stand in a function"),
    "another dialect": (
        _foreign_operation,
        "only ops from the 'cuda_tile' dialect are allowed, found 'ub.poison'",
    ),
    "too few operands": (
        _set("negi", lambda op: op.set_operands(())),
        "operation 'cuda_tile.negi' has 0 operands instead of 1",
    ),
    "too many operands": (
        _set("negi", lambda op: op.set_operands((*op.operands, *op.operands))),
        "operation 'cuda_tile.negi' has 2 operands instead of 1",
    ),
    "no results": (
        _set("negi", lambda op: _replace(op, operands=op.operands)),
        "operation 'cuda_tile.negi' has 0 results instead of 1",
    ),
    "regions": (
        _set("negi", lambda op: _replace(op, operands=op.operands, result_types=[TILE], regions=[Region()])),
        "operation 'cuda_tile.negi' has 1 regions instead of 0",
    ),
    "successors": (
        _set(
            "negi", lambda op: _replace(op, operands=op.operands, result_types=[TILE], successors=[op.parent])
        ),
        "operation 'cuda_tile.negi' has successors",
    ),
    "segments": (_set("print_tko", _segments((3, 0))), "operand segments that do not fit its operands"),
    "negative segments": (
        _set("print_tko", _segments((2, -1))),
        "operand segments that do not fit its operands",
    ),
    "no region": (
        lambda module: entry_of(module).regions[0].blocks.clear(),
        "entry 'k' must have one region with one block",
    ),
    "deep types": (
        _set("negi", lambda op: setattr(op.results[0], "type", nested_type())),
        "types nest deeper than 100 levels",
    ),
    "foreign types": (
        _set("negi", lambda op: setattr(op.results[0], "type", VectorType((4,), f32))),
        "unsupported type in bytecode writer: 'vector<4xf32>'",
    ),
    "a symbol that is none": (
        lambda module: module.body.block.prepend(op_of(module, "constant").detach()) and None,
        "only function and global ops are allowed in the body of the module",
    ),
}


@pytest.mark.parametrize("name", STRUCTURES)
def test_structures(name: str) -> None:
    change, message = STRUCTURES[name]
    module = kernel(f"{constant('i32')}\n{NEGI}\n{PRINTED}")
    change(module)
    with pytest.raises(DiagnosticError) as raised:
        write_bytecode(module, verify=False)
    assert message in str(raised.value)


FILE = DIFileAttr("a.py", "/")
SUBPROGRAM = DISubprogramAttr(FILE, 1, "k", "k", DICompileUnitAttr(FILE), 1)
PLACE = DILocation(FileLineColLocation("a.py", 2, 3), SUBPROGRAM)


def deep_scope() -> Attribute:
    scope: Attribute = SUBPROGRAM
    for line in range(NESTED):
        scope = DILexicalBlockAttr(scope, FILE, line, 1)
    return scope


LOCATIONS: dict[str, tuple[Location, str]] = {
    "name": (NameLocation("n"), "unsupported location, got NameLoc, expected DILocAttr or CallSiteLoc"),
    "fused": (FusedLocation((PLACE, PLACE)), "unsupported location, got FusedLoc"),
    "caller": (CallSiteLocation(PLACE, NameLocation("n", PLACE)), "unsupported location, got NameLoc"),
    "callee": (CallSiteLocation(FusedLocation((PLACE,)), PLACE), "unsupported location, got FusedLoc"),
    "scope": (
        DILocation(FileLineColLocation("a", 1, 1), FILE),
        "a DIFileAttr cannot stand in debug information",
    ),
    "deep": (
        DILocation(FileLineColLocation("a", 1, 1), deep_scope()),
        "debug attributes nest deeper than 100",
    ),
    "line": (DILocation(FileLineColLocation("a", 1 << 32, 1), SUBPROGRAM), "is no unsigned 32-bit integer"),
    "flags": (
        DILocation(
            FileLineColLocation("a", 1, 1), DISubprogramAttr(FILE, 1, "k", "k", DICompileUnitAttr(FILE), 1, 2)
        ),
        "unrecognized flag bits (0x2)",
    ),
}


@pytest.mark.parametrize("name", LOCATIONS)
def test_locations(name: str) -> None:
    location, message = LOCATIONS[name]
    module = kernel()
    op_of(module, "return").location = location
    refused(module, message)


def test_positions_without_a_scope_are_left_out() -> None:
    module = kernel(constant("i32"))
    assert op_of(module, "constant").location.source is not None
    assert all(op.location is UNKNOWN for op in read_bytecode(write_bytecode(module), CONTEXT).walk())


def test_a_long_chain_of_calls() -> None:
    location: Location = PLACE
    for column in range(3000):
        location = CallSiteLocation(DILocation(FileLineColLocation("a.py", 2, column), SUBPROGRAM), location)
    module = kernel()
    entry_of(module).location = PLACE
    op_of(module, "return").location = location
    read = read_bytecode(write_bytecode(module), CONTEXT)
    assert op_of(read, "return").location is location


def _deep(depth: int) -> ModuleOp:
    module = kernel(constant("i1", shape=""))
    condition = op_of(module, "constant").results
    kind, end = CONTEXT.kinds["cuda_tile.if"], CONTEXT.kinds["cuda_tile.yield"]
    inner: Operation | None = None
    for _ in range(depth):
        block = Block()
        if inner is not None:
            block.append(inner)
        block.append(Operation.from_parts(end))
        inner = Operation.from_parts(kind, condition, regions=[Region([block]), Region()])
    assert inner is not None
    body = entry_of(module).regions[0].block
    assert body.last is not None
    body.insert_before(body.last, inner)
    return module


def test_deep_regions() -> None:
    module = _deep(4000)
    read = read_bytecode(write_bytecode(module, verify=False), CONTEXT, verify=False)
    assert difference(module, read) is None


def test_too_deep_regions() -> None:
    assert write_bytecode(_deep(4096), verify=False)
    refused(_deep(4097), "regions nest deeper than 4096 levels")


def test_of_very_many_problems_the_first_ones_are_told() -> None:
    module = kernel("\n".join(constant("i32", f"c{number}") for number in range(150)))
    for op in module.walk():
        if op.kind.mnemonic == "constant":
            op.attributes["extra"] = UNIT
    with pytest.raises(DiagnosticError) as raised:
        write_bytecode(module, verify=False)
    assert len(raised.value.diagnostics) == 100
    assert "50 more problems like these are not shown" in str(raised.value)


VALUES: tuple[Attribute, ...] = (
    UNIT,
    integer32(-1),
    integer64(1 << 40),
    IntegerAttr(i1, 1),
    StringAttr("\ud800"),
    StringAttr("a"),
    TypeAttr(i32),
    TypeAttr(FunctionType((TILE,), (TILE,))),
    DenseArrayAttr(i1, (1, 0, 1)),
    DenseArrayAttr(i32, (-1, 5, 2**31 - 1)),
    DenseElementsAttr(TileType((4,), i1), b"\0\1\0\1"),
    DenseElementsAttr(VectorType((4,), i32), bytes(4)),
    ArrayAttr((FloatAttr(f32, 1), integer32(1))),
    DictionaryAttr.of({"a": DictionaryAttr.of({"b": integer32(1)})}),
    RoundingModeAttr(RoundingMode.NEAREST_AWAY),
    SymbolRefAttr("a", ("b",)),
    BoundedAttr(1, None),
    PLACE,
)


def _spoil(source: random.Random, module: ModuleOp) -> None:
    """Make one random mistake in a module."""
    op = source.choice(list(module.walk()))
    match source.randrange(5):
        case 0 if op.attributes:
            del op.attributes[source.choice(sorted(op.attributes))]
        case 1:
            names = [*op.kind.attributes_by_ir_name, OPERAND_SEGMENTS, "extra"]
            op.attributes[source.choice(names)] = source.choice(VALUES)
        case 2 if op.operands:
            op.set_operands(source.sample(op.operands, source.randrange(len(op.operands))))
        case 3 if op.operands:
            values = [v for other in module.walk() for v in other.results]
            op.set_operand(source.randrange(len(op.operands)), source.choice(values or [op.operands[0]]))
        case _:
            op.location = source.choice((PLACE, NameLocation("n"), CallSiteLocation(PLACE, UNKNOWN)))


@pytest.mark.parametrize("seed", range(4))
def test_spoilt_modules_are_written_or_refused(seed: int) -> None:
    """What is written, the reader takes apart again, if only to refuse it with a diagnostic."""
    source = random.Random(seed)
    outcomes = {True: 0, False: 0}
    for module in sample_modules(150, seed=f"spoilt {seed}"):
        for _ in range(source.choice((1, 1, 2, 3))):
            _spoil(source, module)
        outcomes[_outcome(module)] += 1
    assert min(outcomes.values()) > 10


def _told(error: DiagnosticError) -> bool:
    assert all(d.code is not None and d.message for d in error.diagnostics)
    assert str(error)
    return True


def _outcome(module: ModuleOp) -> bool:
    try:
        data = write_bytecode(module, verify=False)
    except DiagnosticError as error:
        return not _told(error)
    try:
        return read_bytecode(data, CONTEXT, verify=False).sym_name == "kernels"
    except DiagnosticError as error:
        return _told(error)
