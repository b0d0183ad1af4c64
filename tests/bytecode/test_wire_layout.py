"""The layouts derived from the declarations are those of the format's wire table, in every version."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from tests.bytecode.wire_table import WIRE_TABLE
from tilewright.bytecode.codecs import AttributeCodec, codec
from tilewright.bytecode.reader.decoders import decoders
from tilewright.bytecode.wire import WireLayout, flag_bits, layout, layouts, newest_opcode, tile_operations
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.version import VERSIONS, Version
from tilewright.ir.declaration.attribute_kind import EnumKind
from tilewright.ir.declaration.fields import Arity

FULL_NAMES = {
    "ftz": "flush_to_zero",
    "scope": "memory_scope",
    "hints": "optimization_hints",
    "ordering:MO": "memory_ordering_semantics",
    "ordering:CO": "comparison_ordering",
    "predicate:CP": "comparison_predicate",
}
ENUMS = {
    "RM": "rounding",
    "OV": "overflow",
    "SG": "signedness",
    "MO": "memory_ordering_semantics",
    "MS": "memory_scope",
    "RMW": "atomic_rmw_mode",
    "CP": "comparison_predicate",
    "CO": "comparison_ordering",
    "SV": "symbol_visibility",
    "MR": "multimem_reduction_kind",
}
CODECS = {
    "str": {"StringCodec", "SymbolRefCodec"},
    "int": {"IntegerCodec"},
    "bool": {"BoolCodec"},
    "type": {"TypeCodec"},
    "i32[]": {"DenseArrayCodec"},
    "bool[]": {"DenseArrayCodec"},
    "const": {"ElementsCodec"},
    "array": {"ArrayCodec"},
    "hints": {"HintsCodec"},
    "tagged": {"PredicateCodec"},
}
NEWEST = dict(zip(VERSIONS, (0x6D, 0x6E, 0x75, 0x7A, 0x7D), strict=True))


def _version(text: str | None, default: Version) -> Version:
    return Version(*map(int, text.split("."))) if text else default


def _items(cell: str, separator: str) -> list[str]:
    return [] if cell == "-" else [item.strip() for item in cell.split(separator) if item.strip()]


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    opcode: int
    name: str
    since: Version
    results: str
    flags: str
    attributes: str
    operands: str
    regions: str

    def flag_bits(self) -> list[tuple[str, int, Version]]:
        found = [re.fullmatch(r"(\d)=(\w+)(?:@(.*))?", item) for item in _items(self.flags, " ")]
        return [(FULL_NAMES.get(m[2], m[2]), int(m[1]), _version(m[3], self.since)) for m in found if m]

    def wire_attributes(self, version: Version) -> list[tuple[str, str, bool]]:
        made: list[tuple[str, str, bool]] = []
        for item in _items(self.attributes, ","):
            m = re.fullmatch(r"(\w+)(\??):([^@]+)(?:@(.*))?", item)
            assert m is not None, item
            if _version(m[4], self.since) <= version:
                name = FULL_NAMES.get(f"{m[1]}:{m[3]}", FULL_NAMES.get(m[1], m[1]))
                made.append((name, m[3], bool(m[2])))
        return made

    def result_count(self, version: Version) -> int:
        items = [i for i in _items(self.results.removeprefix("c:"), ",") if i != "0"]
        return sum(_version(i.partition("@")[2], self.since) <= version for i in items)

    def operand_groups(self) -> list[tuple[str, Arity]]:
        groups: list[tuple[str, Arity]] = []
        for item in _items(self.operands.removeprefix("N;"), " "):
            name = item.partition("@")[0]
            arity = (
                Arity.OPTIONAL if name.endswith("?") else Arity.VARIADIC if name.endswith("*") else Arity.ONE
            )
            groups.append((re.sub(r"(\[c\])?[?*]$", "", name), arity))
        return groups


ROWS = {
    row.opcode: row
    for row in (
        Row(int(cells[0], 16), cells[1], _version(cells[2], VERSIONS[0]), *cells[3:])
        for cells in ([cell.strip() for cell in line.split("|")] for line in WIRE_TABLE.splitlines())
    )
}
CASES = [(op, v) for op in tile_operations() for v in VERSIONS if op.since <= v]


def _case_name(value: object) -> str:
    return value.op_kind.mnemonic if isinstance(value, type) and issubclass(value, TileOp) else str(value)


def test_every_operation_is_in_the_table() -> None:
    assert {op.opcode: (op.op_kind.mnemonic, op.since) for op in tile_operations()} == {
        row.opcode: (row.name, row.since) for row in ROWS.values()
    }
    assert len(ROWS) == 108


@pytest.mark.parametrize("version", VERSIONS, ids=str)
def test_newest_opcodes(version: Version) -> None:
    assert newest_opcode(version) == NEWEST[version]
    assert layouts(version).keys() == {row.opcode for row in ROWS.values() if row.since <= version}
    assert decoders(version).keys() == layouts(version).keys()


@pytest.mark.parametrize(("op", "version"), CASES, ids=_case_name)
def test_layout(op: type[TileOp], version: Version) -> None:
    row, derived = ROWS[op.opcode], layout(op, version)
    assert derived.counted_results == row.results.startswith("c:")
    assert derived.results == row.result_count(version)
    assert derived.regions == (0 if row.regions == "-" else int(row.regions))
    _check_flags(row, derived, op)
    _check_attributes(row, derived)
    _check_operands(row, derived)


def _check_flags(row: Row, derived: WireLayout, op: type[TileOp]) -> None:
    bits = row.flag_bits()
    ir_names = {f.name: f.ir_name for f in derived.kind.attributes}
    found = {ir_names.get(name, name): bit for name, bit in flag_bits(op).items()}
    assert {_camel(n): b for n, b in found.items()} == {_camel(n): b for n, b, _ in bits}
    assert derived.has_flags == any(since <= derived.version for *_, since in bits)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def _check_attributes(row: Row, derived: WireLayout) -> None:
    wanted = row.wire_attributes(derived.version)
    assert [a.name for a in derived.attributes] == [name for name, *_ in wanted]
    for attribute, (_, kind, optional) in zip(derived.attributes, wanted, strict=True):
        assert (attribute.flag is not None) == optional
        if kind in ENUMS:
            assert isinstance(attribute.kind, EnumKind)
            assert attribute.kind.attribute_class.name == f"cuda_tile.{ENUMS[kind]}"
        else:
            made: AttributeCodec = codec(attribute.kind, derived.version)
            assert type(made).__name__ in CODECS[kind]


def _check_operands(row: Row, derived: WireLayout) -> None:
    groups = row.operand_groups()
    assert derived.counted_operands == row.operands.startswith("N;")
    assert derived.segmented == (sum(arity is not Arity.ONE for _, arity in groups) > 1)
    assert [field.arity for field in derived.kind.operands] == [arity for _, arity in groups]
    if derived.segmented:
        assert [group.name for group in derived.operands] == [name for name, _ in groups]
    elif not derived.counted_operands:
        assert derived.operand_count == len(groups)
        assert [field.name for field in derived.kind.operands] == [name for name, _ in groups]


def test_defaults_of_old_versions() -> None:
    def default(name: str, version: Version) -> dict[str, str]:
        op = next(op for op in tile_operations() if op.op_kind.mnemonic == name)
        return {key: getattr(value, "text", "?") for key, value in layout(op, version).defaults}

    v13_1, v13_2, v13_3, *_ = VERSIONS
    assert default("negi", v13_1) == {"overflow": "none"}
    assert default("negi", v13_2) == {}
    assert default("tanh", v13_1) == {"rounding_mode": "full"}
    assert default("exp", v13_2) == {"rounding_mode": "full"}
    assert default("exp", v13_3) == {}
    assert default("global", v13_2) == {"symbol_visibility": "public"}
    assert default("load_view_tko", v13_1) == {}
