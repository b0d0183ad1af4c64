"""Reading: structure, value numbers, version defaults, constants, debug information, the frame."""

from __future__ import annotations

import pytest

from tests.bytecode.fixture_files import Fixture, fixture, fixtures
from tests.bytecode.tool_text import module_names
from tests.support.invalid.malformed_bodies import F32X4, I1, TOKEN, body_module, constant, module
from tests.support.invalid.malformed_container import BASE
from tests.support.invalid.malformed_tables import DEBUG_GOOD, constant_module, debug_section, located
from tests.support.synthetic.assembler import RETURN, Function, Module, operation, varints
from tilewright.bytecode import SectionKind, read_bytecode, read_container
from tilewright.dialects.cuda_tile.attributes import DILocation, OptimizationHintsAttr
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.enums import IntegerOverflow, RoundingMode, SymbolVisibility
from tilewright.dialects.cuda_tile.ops.control import EntryOp, ForOp, GlobalOp, IfOp, ModuleOp, PrintTkoOp
from tilewright.dialects.cuda_tile.ops.tile import ConstantOp
from tilewright.dialects.cuda_tile.version import VERSIONS
from tilewright.ir.builtin_attributes import DenseElementsAttr, IntegerAttr
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.location import UNKNOWN, CallSiteLocation
from tilewright.ir.operation import Operation

CONTEXT = Context([CUDA_TILE])


def _read(data: bytes | Module, **options: bool) -> ModuleOp:
    return read_bytecode(data if isinstance(data, bytes) else data.assemble(), CONTEXT, **options)


def _ops(data: bytes | Module, kind: str, **options: bool) -> list[Operation]:
    return [op for op in _read(data, **options).walk() if op.kind.mnemonic == kind]


def _entry(data: bytes | Module) -> EntryOp:
    (entry,) = [op for op in _read(data).body.block if isinstance(op, EntryOp)]
    return entry


@pytest.mark.parametrize("case", fixtures(), ids=lambda case: case.name)
def test_fixtures(case: Fixture) -> None:
    assert module_names(_read(case.data)) == list(case.operations)
    assert str(read_container(case.data).version) == case.version


def test_empty_module_of_every_version() -> None:
    for version in VERSIONS:
        assert list(_read(fixture(f"module.no-functions@{version}")).body.block) == []


def test_container_info() -> None:
    info = read_container(BASE.with_(payloads={7: b"\x00"}).assemble())
    assert info.producer == "k"
    assert [section.kind for section in info.sections] == [
        SectionKind.FUNCTION,
        SectionKind.TYPE,
        SectionKind.PRODUCER,
        SectionKind.STRING,
    ]
    assert all(section.offset % section.alignment == 0 for section in info.sections)
    assert _read(BASE.with_(payloads={7: b"\x00"})).producer == "k"


def test_container_does_not_look_at_functions() -> None:
    broken = body_module(b"\x19").assemble()
    assert read_container(broken).producer is None
    with pytest.raises(DiagnosticError):
        _read(broken)


def test_diagnostics_of_the_frame_name_the_file() -> None:
    with pytest.raises(
        DiagnosticError, match=r"^a\.bc: error\[TW0300\] at offset 0: input does not correspond"
    ):
        read_container(b"", name="a.bc")


def test_context_needs_the_dialect() -> None:
    with pytest.raises(ValueError, match="must have the dialect 'cuda_tile' loaded"):
        read_bytecode(b"", Context())


def test_verification_can_be_left_out() -> None:
    data = body_module(b"").assemble()
    with pytest.raises(DiagnosticError, match="expects a non-empty block"):
        _read(data)
    assert _read(data, verify=False).body.block.first is not None


def test_globals_come_before_entries() -> None:
    ops = list(_read(fixture("global.private-constant-aligned@13.3")).body.block)
    assert isinstance(ops[0], GlobalOp)
    assert ops[0].constant
    assert ops[0].symbol_visibility is SymbolVisibility.PRIVATE
    assert ops[0].location is UNKNOWN
    assert isinstance(ops[1], EntryOp)


def test_values_of_a_block_free_their_numbers() -> None:
    yield_one = operation(0x6D, 0, 1, 1)
    branch = varints(1, 0, 2) + constant(F32X4) + yield_one
    ops = {
        op.kind.mnemonic: op
        for op in _read(
            module(
                constant(I1, 1), operation(0x32, 1, F32X4, 0, 2, branch, branch), operation(0x00, F32X4, 1)
            )
        ).walk()
    }
    if_, absolute = ops["if"], ops["absf"]
    assert isinstance(if_, IfOp)
    assert absolute.operands == if_.results
    for region in if_.regions:
        made, yielded = region.block
        assert yielded.operands == made.results


def test_print_of_13_1_returns_a_token_without_a_number() -> None:
    tokens = operation(0x55, 0, 2, 0) + operation(0x44, TOKEN) + operation(0x3C, 1, TOKEN, 2, 0, 0)
    made = body_module(tokens + RETURN, (13, 1)).assemble()
    print_, token, join, _ = _entry(made).body.block
    assert isinstance(print_, PrintTkoOp)
    assert print_.token is None
    assert len(print_.results) == 1
    assert join.operands == (token.results[0], token.results[0])


def test_defaults_of_old_files() -> None:
    for name, attribute, value in (
        ("negi.", "overflow", IntegerOverflow.NONE),
        ("tanh.", "rounding_mode", RoundingMode.FULL),
        ("exp.", "rounding_mode", RoundingMode.FULL),
    ):
        case = next(case for case in fixtures() if case.name.startswith(name) and case.version == "13.1")
        (op,) = _ops(case.data, name[:-1])
        assert getattr(op, attribute) is value


def test_carried_values() -> None:
    (loop,) = _ops(fixture("for.carried-three@13.1"), "for")
    assert isinstance(loop, ForOp)
    assert not loop.unsigned_cmp
    assert len(loop.body.block.arguments) == 1 + len(loop.init_values) == 4
    (loop,) = _ops(fixture("for.unsigned-carried@13.2"), "for")
    assert isinstance(loop, ForOp)
    assert loop.unsigned_cmp


def test_hints() -> None:
    for version in ("13.1", "13.5"):
        hints = _entry(fixture(f"entry.hints-two@{version}")).optimization_hints
        assert isinstance(hints, OptimizationHintsAttr)
        assert len(hints.hints) == 2
    assert _entry(BASE.with_(functions=(Function(flags=6, hints=b"\x0b\x00"),))).optimization_hints is None


def _constant(data: bytes, element: int = 3, dims: tuple[int, ...] = (4,)) -> DenseElementsAttr:
    (op,) = _ops(constant_module(data, element, dims), "constant")
    assert isinstance(op, ConstantOp)
    return op.value


@pytest.mark.parametrize(
    ("data", "element", "dims", "stored"),
    [
        pytest.param(b"\x0a", 0, (4,), b"\0\1\0\1", id="i1-packed"),
        pytest.param(b"\xff", 0, (4,), b"\1", id="i1-all-true-is-a-splat"),
        pytest.param(b"\x01", 0, (16,), b"\1", id="i1-splat"),
        pytest.param(b"\x01\x80", 0, (16,), b"\1" + bytes(14) + b"\1", id="i1-two-bytes"),
        pytest.param(b"\xff\x01\x02\x03", 19, (4,), b"\x0f\1\2\3", id="f4-unused-bits"),
        pytest.param(b"\xff\xff\xff", 8, (4,), b"\xff\xff\x07", id="tf32-unused-bits"),
        pytest.param(b"\7\0\0\0", 3, (1024, 1024), b"\7\0\0\0", id="splat-is-not-expanded"),
        pytest.param(bytes(range(16)), 3, (4,), bytes(range(16)), id="i32"),
    ],
)
def test_constants(data: bytes, element: int, dims: tuple[int, ...], stored: bytes) -> None:
    assert _constant(data, element, dims).data == stored


def test_constants_are_shared() -> None:
    first, second = _ops(module(constant(F32X4), constant(F32X4)), "constant")
    assert first.attributes["value"] is second.attributes["value"]


def test_integers_are_sign_extended() -> None:
    body = constant(F32X4) * 2 + operation(0x0C, F32X4, 2**64 - 1, 0, 1) + RETURN
    (cat,) = _ops(body_module(body), "cat", verify=False)
    assert isinstance(cat.attributes["dim"], IntegerAttr)
    assert cat.attributes["dim"].value == -1


def test_locations() -> None:
    entry = _entry(fixture("entry.debug-info@13.5"))
    assert isinstance(entry.location, DILocation)
    site = located(debug_section([*DEBUG_GOOD, b"\x06\x04\x04"], [4, 5]))
    (return_,) = _ops(site, "return")
    assert isinstance(return_.location, CallSiteLocation)
    assert return_.location.callers == (return_.location.caller,)


def test_locations_in_pre_order() -> None:
    lines = [b"\x04\x03\x01" + bytes([line, 1]) for line in (11, 12, 13)]
    body = operation(0x29, 0, 0, 3, 0, 0, 0, 1, 1, 1, 2, 1, operation(0x11, 0, 0)) + RETURN
    made = located(debug_section([*DEBUG_GOOD, *lines], [4, 5, 6, 7])).with_(
        types=(b"\x10\x01\x02\x00", b"\x03", b"\x0d\x01\x00"), functions=(Function(location=1, body=body),)
    )
    found = {op.kind.mnemonic: op.location.source for op in _entry(made).walk()}
    assert {name: source and source[1] for name, source in found.items()} == {
        "entry": 10,
        "for": 11,
        "continue": 12,
        "return": 13,
    }


def test_unknown_location_ids() -> None:
    made = located(debug_section(DEBUG_GOOD, [0, 0]))
    assert _entry(made).location is UNKNOWN


@pytest.mark.parametrize("depth", [1, 1000, 4000])
def test_deep_regions(depth: int) -> None:
    """Deeper than Python's recursion limit."""
    made = _deep(depth)
    assert (
        sum(op.kind.mnemonic == "if" for op in read_bytecode(made, CONTEXT, verify=depth < 2000).walk())
        == depth
    )


def test_too_deep_regions() -> None:
    with pytest.raises(DiagnosticError, match=r"TW0316.*regions nest deeper than 4096 levels"):
        _read(_deep(4097))


def _deep(depth: int) -> bytes:
    empty_yield = operation(0x6D, 0, 0)
    inner = operation(0x32, 0, 0, 2, 1, 0, 1) + empty_yield + b"\x00"
    head, tail = operation(0x32, 0, 0, 2, 1, 0, 2), empty_yield + b"\x00"
    return module(constant(I1, 1), head * (depth - 1) + inner + tail * (depth - 1))


def test_entry_arguments_are_numbered_first() -> None:
    made = BASE.with_(
        types=(b"\x10\x02\x02\x02\x00", b"\x03", b"\x0d\x01\x00"),
        functions=(Function(body=operation(0x03, 2, 0, 1, 0) + RETURN),),
    )
    entry = _entry(made)
    (add,) = [op for op in entry.body.block if op.kind.mnemonic == "addi"]
    assert add.operands == (entry.body.block.arguments[1], entry.body.block.arguments[0])
