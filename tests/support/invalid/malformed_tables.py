"""Broken string, type, constant, global, function and debug tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.support.invalid.malformed_container import BASE, RawCase
from tests.support.synthetic.assembler import (
    CONSTANT,
    DEBUG,
    FUNCTION,
    GLOBAL,
    RETURN,
    STRING,
    TYPE,
    Function,
    Module,
    integers,
    offsets,
    operation,
    pad,
    table,
    varint,
    varints,
)

DYNAMIC = -(1 << 63)


def typed(*types: bytes, version: tuple[int, int] = (13, 4), body: bytes = RETURN) -> Module:
    """A module whose entry takes the last of ``types`` (indices start at 1; 0 is the signature)."""
    signature = b"\x10\x01" + varint(len(types)) + b"\x00"
    return BASE.with_(version=version, types=(signature, *types), functions=(Function(body=body),))


def _strings() -> Iterator[RawCase]:
    many = BASE.with_(payloads={STRING: table((b"k",), 4, count=99)})
    yield "string-count", many.assemble(), "number of strings (99) exceeds the maximum of"
    yield "string-empty-section", BASE.with_(payloads={STRING: b""}).assemble(), ""
    outside = BASE.with_(payloads={STRING: table((b"k",), 4, starts=(50,))})
    yield "string-start-outside", outside.assemble(), ""
    falling = BASE.with_(payloads={STRING: table((b"k", b"x"), 4, starts=(2, 1))})
    yield "string-starts-fall", falling.assemble(), ""
    yield "string-not-utf8", BASE.with_(strings=(b"\xff\xfe",)).assemble(), ""


def _types() -> Iterator[RawCase]:
    many = BASE.with_(payloads={TYPE: table(BASE.types, 4, count=99)})
    yield "type-count", many.assemble(), "number of types (99) exceeds the maximum of"
    for tag in (23, 24, 99, 127, 200):
        yield f"type-tag-{tag}", typed(varint(tag)).assemble(), f"unknown type tag: {tag}"
    versioned = {
        18: ("Float8E8M0FNU", (13, 2)),
        19: ("Float4E2M1FN", (13, 3)),
        20: ("GatherScatterViewType", (13, 3)),
        21: ("StridedViewType", (13, 3)),
        22: ("Int4", (13, 3)),
        130: ("FloatNV8E5M3FNU", (13, 4)),
    }
    for tag, (name, since) in versioned.items():
        old = (since[0], since[1] - 1)
        message = (
            f"type '{name}' requires bytecode version {since[0]}.{since[1]}+, file version is 13.{old[1]}"
        )
        yield f"type-{name}-too-new", typed(varint(tag), b"\x0d\x01\x00", version=old).assemble(), message
    payloads = {
        "tile-cut": b"\x0d",
        "tile-rank-cut": b"\x0d\x01",
        "tile-dims-cut": b"\x0d\x01\x02\x04",
        "pointer-cut": b"\x0c",
        "tensor-view-cut": b"\x0e\x00",
        "partition-view-cut": b"\x0f\x00",
        "function-cut": b"\x10\x02\x01",
        "empty-entry": b"",
    }
    for name, payload in payloads.items():
        yield f"type-{name}", typed(b"\x03", payload).assemble(), ""
    yield "type-index", typed(b"\x0d\x63\x00").assemble(), "failed to get elementType type"
    yield "type-cycle", typed(b"\x0c\x00\x01").assemble(), ""
    yield "type-function-of-cycle", typed(b"\x10\x01\x01\x00").assemble(), ""
    yield "type-pointer-flag", typed(b"\x03", b"\x0c\x02\x01").assemble(), ""
    yield (
        "type-ptr-attr-range",
        typed(b"\x03", b"\x0c\x01\x01\x07", version=(13, 5)).assemble(),
        ("invalid integer value for enum type: 7"),
    )
    yield (
        "type-ptr-attr-version",
        typed(b"\x03", b"\x0c\x01\x01\x01").assemble(),
        ("enum value 1 is not available in bytecode version 13.4"),
    )
    tensor = b"\x0e\x00\x01" + integers([8], 8) + integers([1], 8)
    padded = b"\x0f\x01" + integers([4], 4) + b"\x02" + integers([0], 4) + b"\x09"
    yield (
        "type-padding-range",
        typed(b"\x07", tensor, padded).assemble(),
        "invalid integer value for enum type: 9",
    )
    old_tensor = b"\x0e\x01" + integers([8], 8) + integers([1], 8)
    presence = b"\x0f" + integers([4], 4) + b"\x02" + integers([0], 4) + b"\x02\x00"
    yield (
        "type-presence-byte",
        typed(b"\x07", old_tensor, presence, version=(13, 2)).assemble(),
        (
            "unsupported type in bytecode for entry argument #0: '!cuda_tile.partition_view<tile=(4), padding_value = zero"
        ),
    )
    yield (
        "type-unused-and-invalid",
        typed(b"\x0d\x01\x00")
        .with_(types=(b"\x10\x00\x00", b"\x03", b"\x0d\x02\x00", b"\x0d\x02\x00"))
        .assemble(),
        "",
    )
    yield (
        "type-starts-fall",
        BASE.with_(payloads={TYPE: table((*BASE.types, *BASE.types), 4, starts=(3, 0))}).assemble(),
        "",
    )


def constant_module(data: bytes, element: int = 3, dims: tuple[int, ...] = (4,), index: int = 0) -> Module:
    """A module whose entry makes one constant of the given wire bytes."""
    types = (b"\x10\x00\x00", varint(element), b"\x0d\x01" + integers(dims, 8))
    body = operation(0x10, 2, index) + RETURN
    return BASE.with_(types=types, constants=(data,), functions=(Function(body=body),))


def _constants() -> Iterator[RawCase]:
    yield "constant-index", constant_module(bytes(16), index=9).assemble(), "constant index 9 out of bounds"
    size = "failed to validate buffer size and format"
    yield "constant-short", constant_module(bytes(12)).assemble(), size
    yield "constant-long", constant_module(bytes(20)).assemble(), size
    yield "constant-empty", constant_module(b"").assemble(), size
    yield "constant-tf32-as-32", constant_module(bytes(16), element=8).assemble(), size
    yield (
        "constant-i1",
        constant_module(b"\0\0", element=0, dims=(2,)).assemble(),
        ("i1 dense attribute payload size 2 is not a recognized encoding for 2 elements"),
    )
    good = constant_module(bytes(16))
    entry = varint(16) + bytes(16)
    changes = {
        "count": table((entry,), 8, count=99),
        "start-outside": table((entry,), 8, starts=(90,)),
        "starts-fall": table((entry, entry), 8, starts=(17, 0)),
        "length-outside": table((varint(99) + bytes(16),), 8),
        "empty-section": b"",
    }
    texts = {
        "count": "insufficient data for constant indices",
        "starts-fall": "invalid constant start indices",
    }
    for name, payload in changes.items():
        yield f"constant-{name}", good.with_(payloads={CONSTANT: payload}).assemble(), texts.get(name, "")
    yield (
        "constant-of-pointer",
        constant_module(bytes(8), dims=())
        .with_(types=(b"\x10\x00\x00", b"\x0c\x00\x03", b"\x0d\x01\x00", b"\x03"))
        .assemble(),
        "expect Cuda Tile integer or float type but got",
    )
    yield "constant-of-i4", constant_module(bytes(4), element=22).assemble(), ""
    yield (
        "constant-of-token",
        constant_module(bytes(4)).with_(types=(b"\x10\x00\x00", b"\x03", b"\x11")).assemble(),
        "",
    )


def _globals() -> Iterator[RawCase]:
    good = constant_module(bytes(4)).with_(functions=(Function(),), strings=(b"k", b"g"))
    entries = {
        "plain": (varints(1, 2, 0, 0, 0, 0), ""),
        "name": (varints(9, 2, 0, 0, 0, 0), "string index 9 out of bounds"),
        "type": (varints(1, 9, 0, 0, 0, 0), "provided type is null"),
        "constant": (varints(1, 2, 9, 0, 0, 0), "global value constant index out of bounds"),
        "visibility": (varints(1, 2, 0, 0, 2, 0), "invalid symbol visibility value: 2"),
        "flag": (varints(1, 2, 0, 0, 0, 2), ""),
        "cut": (varints(1, 2, 0), "number of globals (1) exceeds the maximum of 0"),
        "cut-name": (b"", "number of globals (1) exceeds the maximum of 0"),
    }
    for name, (entry, message) in entries.items():
        yield f"global-{name}", good.with_(payloads={GLOBAL: varint(1) + entry}).assemble(), message
    yield (
        "global-count",
        good.with_(payloads={GLOBAL: varint(99)}).assemble(),
        "number of globals (99) exceeds",
    )
    yield "global-no-count", good.with_(payloads={GLOBAL: b""}).assemble(), "failed to read number of global."
    old = good.with_(version=(13, 2), payloads={GLOBAL: varint(1) + varints(1, 2, 0, 0, 0, 0)})
    yield "global-old-layout", old.assemble(), ""


def one(**changes: Any) -> Module:
    """A module with one function that differs from a valid one by ``changes``."""
    return BASE.with_(functions=(Function(**changes),))


def _functions() -> Iterator[RawCase]:
    new = (13, 5)
    yield "function-name-index", one(name=9).assemble(), "string index 9 out of bounds"
    yield "function-name-empty", BASE.with_(strings=(b"",)).assemble(), "function name at index 0 is empty"
    yield (
        "function-signature-index",
        one(signature=9).assemble(),
        ("function signature index 9 out of bounds for function 'k'"),
    )
    yield (
        "function-signature-kind",
        BASE.with_(types=(b"\x03",)).assemble(),
        ("does not refer to a function type for function 'k'"),
    )
    yield (
        "function-signature-broken",
        BASE.with_(types=(b"\x10\x01\x09\x00",)).assemble(),
        ("failed to parse type at index 0 for function 'k"),
    )
    for flags in (0x08, 0x10, 0x80):
        text = f"function entry has unrecognized flag bits ({hex(flags)});"
        yield f"function-flags-{flags}", one(flags=2 | flags).assemble(), text
        old = one(flags=2 | flags).with_(version=(13, 3))
        yield f"function-flags-{flags}-old", old.assemble(), ""
    yield (
        "function-flags-16-new",
        one(flags=18).with_(version=new).assemble(),
        ("function entry has unrecognized flag bits (0x10);"),
    )
    yield (
        "function-test-form",
        one(flags=10).with_(version=new).assemble(),
        ("function entry has testing form in non-test build"),
    )
    yield (
        "function-kernel-and-extern",
        one(flags=6).with_(version=new).assemble(),
        ("function entry cannot be both kernel and extern impl"),
    )
    yield "function-not-entry", one(flags=0).assemble(), "preview feature 'simt'"
    yield (
        "function-not-entry-new",
        one(flags=0, hints=b"").with_(version=new).assemble(),
        "preview feature 'simt'",
    )
    yield "function-private", one(flags=3).assemble(), "entry op must have public symbol visibility"
    yield (
        "function-private-new",
        one(flags=3).with_(version=new).assemble(),
        ("entry op must have public symbol visibility"),
    )


def _function_parts() -> Iterator[RawCase]:
    new = (13, 5)
    yield "function-location", one(location=1).assemble(), "failed to read function location for 'k'"
    hints = "invalid optimization hints attribute for function 'k'"
    yield "function-hints-tag", one(flags=6, hints=b"\x03\x01").assemble(), hints
    yield (
        "function-hints-entry",
        one(flags=6, hints=b"\x0b\x01\x00\x03\x01").assemble(),
        ("expected dictionary attribute for optimization_hints entry `k` got value=true"),
    )
    yield "function-hints-missing", one(flags=6).assemble(), ""
    yield "function-hints-tag-new", one(hints=b"\x03\x01").with_(version=new).assemble(), hints
    yield "function-arguments-tag", one(arguments=b"\x03\x01").with_(version=new).assemble(), ""
    yield (
        "function-body-length",
        one(body_length=127).assemble(),
        ("function body length 127 exceeds remaining bytecode data ("),
    )
    yield "function-body-short", one(body_length=2).assemble(), ""
    yield "function-body-empty", one(body=b"").assemble(), ""
    yield (
        "function-count",
        BASE.with_(payloads={FUNCTION: pad(varint(99), 8)}).assemble(),
        "number of functions (99)",
    )
    yield "function-no-count", BASE.with_(payloads={FUNCTION: b""}).assemble(), ""
    yield (
        "function-same-name",
        BASE.with_(functions=(Function(), Function())).assemble(),
        ("redefinition of symbol named 'k'"),
    )


def debug_section(
    attributes: list[bytes], indices: list[int], starts: list[int] | None = None, functions: int | None = None
) -> bytes:
    """A debug section; by default one function whose run starts at 0."""
    starts = [0] if starts is None else starts
    head = pad(varint(len(starts) if functions is None else functions), 4)
    runs = head + b"".join(s.to_bytes(4, "little") for s in starts)
    rows = pad(runs + varint(len(indices)), 8) + b"".join(i.to_bytes(8, "little") for i in indices)
    count = pad(rows + varint(len(attributes)), 4)
    return count + b"".join(o.to_bytes(4, "little") for o in offsets(attributes)) + b"".join(attributes)


DEBUG_STRINGS = (b"k", b"a.py", b"/d")
DEBUG_FILE, DEBUG_UNIT = b"\x02\x01\x02", b"\x01\x01"
SUBPROGRAM = b"\x05\x01\x0a\x00\x00\x02\x0b"
LOCATION = b"\x04\x03\x01\x0a\x01"
DEBUG_GOOD = [DEBUG_FILE, DEBUG_UNIT, SUBPROGRAM, LOCATION]


def located(section: bytes) -> Module:
    """A module whose function has location row 1 of the given debug section."""
    return BASE.with_(strings=DEBUG_STRINGS, functions=(Function(location=1),), payloads={DEBUG: section})


def _debug() -> Iterator[RawCase]:
    yield "debug-good", located(debug_section(DEBUG_GOOD, [4, 4])).assemble(), ""
    reads = "failed to read function location for 'k'"
    yield "debug-empty", located(b"").assemble(), "failed to read total number of operations with debug info"
    yield "debug-attribute-id", located(debug_section(DEBUG_GOOD, [9, 9])).assemble(), reads
    yield "debug-no-rows", located(debug_section(DEBUG_GOOD, [])).assemble(), reads
    yield (
        "debug-few-rows",
        located(debug_section(DEBUG_GOOD, [4])).assemble(),
        "failed to read operation location.",
    )
    yield "debug-no-functions", located(debug_section(DEBUG_GOOD, [4, 4], [])).assemble(), reads
    yield "debug-run-outside", located(debug_section(DEBUG_GOOD, [4, 4], [50])).assemble(), reads
    row_two = BASE.with_(
        strings=DEBUG_STRINGS,
        functions=(Function(location=5),),
        payloads={DEBUG: debug_section(DEBUG_GOOD, [4, 4])},
    )
    yield "debug-function-row", row_two.assemble(), reads
    broken = {
        "file-string": [b"\x02\x09\x02", *DEBUG_GOOD[1:]],
        "file-cut": [b"\x02", *DEBUG_GOOD[1:]],
        "unit-kind": [DEBUG_FILE, b"\x01\x03", *DEBUG_GOOD[2:]],
        "loc-kind": [*DEBUG_GOOD[:3], b"\x04\x01\x01\x0a\x01"],
        "unknown-tag": [*DEBUG_GOOD[:3], b"\x07\x01"],
        "tag-zero": [*DEBUG_GOOD[:3], b"\x00"],
        "loc-cut": [*DEBUG_GOOD[:3], b"\x04\x03"],
        "call-site": [*DEBUG_GOOD[:3], b"\x06\x01\x01"],
        "subprogram-cut": [*DEBUG_GOOD[:2], b"\x05\x01", LOCATION],
        "self": [*DEBUG_GOOD[:3], b"\x06\x04\x04"],
        "empty-entry": [*DEBUG_GOOD[:3], b""],
        "loc-scope-index": [*DEBUG_GOOD[:3], b"\x04\x63\x01\x0a\x01"],
        "block-cut": [*DEBUG_GOOD, b"\x03\x03"],
    }
    for name, attributes in broken.items():
        row = len(attributes)
        yield f"debug-{name}", located(debug_section(attributes, [row, row])).assemble(), ""
    whole = debug_section(DEBUG_GOOD, [4, 4])
    for cut in (1, 6, 9, 20, 33, 37):
        yield f"debug-cut-{cut}", located(whole[:cut]).assemble(), ""


def table_cases() -> Iterator[RawCase]:
    """Every broken table; an empty message expects none that is documented."""
    for family in (_strings, _types, _constants, _globals, _functions, _function_parts, _debug):
        yield from family()
