"""More broken function bodies: attributes, counts and segments cut short or out of range."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bytecode.extra_types import Case
from tests.support.invalid.malformed_bodies import (
    F32,
    F32X4,
    I1,
    I32,
    I32X4,
    POINTERS,
    STRINGS,
    TOKEN,
    VECTOR,
    body_module,
    constant,
    module,
    types,
)
from tests.support.invalid.malformed_container import BASE
from tests.support.synthetic.assembler import (
    RETURN,
    Function,
    Module,
    integers,
    operation,
    varint,
    varints,
    zigzag,
)

INTS, FLOATS, TRUE = constant(I32X4), constant(F32X4), constant(I1, 1)
NEW = (13, 5)

CUT_PREDICATES = {
    "tag": b"",
    "integer": b"\x01",
    "integer-value": b"\x01\x01",
    "float": b"\x02\x03",
    "bool": b"\x03",
    "type": b"\x04",
    "string": b"\x05",
    "array": b"\x06",
    "array-element": b"\x06\x01",
    "dictionary": b"\x0a",
    "dictionary-key": b"\x0a\x01",
    "dictionary-value": b"\x0a\x01\x02",
    "div_by": b"\x08",
    "div_by-flags": b"\x08\x10",
    "div_by-every": b"\x08\x10\x01",
    "div_by-along": b"\x08\x10\x02",
    "same_elements": b"\x09",
    "same_elements-values": b"\x09\x02",
    "bounded": b"\x0c",
    "bounded-lower": b"\x0c\x01",
    "bounded-upper": b"\x0c\x02",
    "hints": b"\x0b",
    "dense": b"\x07",
    "dense-index": b"\x07\x05",
}
PREDICATES = {
    "div_by-3": b"\x08\x03\x00",
    "div_by-0": b"\x08\x00\x00",
    "div_by-large": b"\x08" + varint(2**63) + b"\x00",
    "div_by-every-only": b"\x08\x10\x01\x02",
    "div_by-along-only": b"\x08\x10\x02\x00",
    "div_by-flag": b"\x08\x10\x08",
    "same_elements-minimum": b"\x09" + integers([-(2**63)], 8),
    "same_elements-huge": b"\x09" + varint(2**40),
    "same_elements-long": b"\x09" + varint(99),
    "same_elements-negative": b"\x09" + integers([-1], 8),
    "dense": b"\x07\x05\x00",
    "dense-of-f32": b"\x07\x03\x00",
    "hints": b"\x0b\x00",
    "array": b"\x06\x00",
    "array-huge": b"\x06" + varint(2**40),
    "dictionary-huge": b"\x0a" + varint(2**40),
    "array-type": b"\x06\x01\x04\x03",
    "array-dictionary": b"\x06\x01\x0a\x00",
    "array-array": b"\x06\x01\x06\x00",
    "array-div_by": b"\x06\x01\x08\x10\x00",
    "array-string": b"\x06\x01\x05\x02",
    "i1-two": b"\x01\x07\x02",
    "i64": b"\x01\x0c" + varint(2**64 - 1),
    "dictionary-duplicate": b"\x0a\x02\x02\x03\x01\x02\x03\x01",
}


def reduction(dim: int, identities: bytes = b"\x01\x02\x03\x00") -> bytes:
    """A reduce over value 0, a tile<4xf32>."""
    body = operation(0x02, F32, 0, 0, 1, 2) + operation(0x6D, 0, 1, 3)
    return operation(0x58, 1, F32, dim, identities, 1, 0) + varints(1, 1, 2, F32, F32, 2) + body


def _predicates() -> Iterator[Case]:
    for name, attribute in CUT_PREDICATES.items():
        yield f"cut-{name}", body_module(INTS + operation(0x06, I32X4, attribute))
    for name, attribute in PREDICATES.items():
        yield name, module(INTS, operation(0x06, I32X4, attribute, 0))
    for name, attribute in {"cut": b"\x0d", "9": b"\x0d\x09", "large": b"\x0d" + varint(2**32)}.items():
        yield f"reduction-kind-{name}", body_module(INTS + operation(0x06, I32X4, attribute), NEW)


def _counts() -> Iterator[Case]:
    yield "flags-cut", body_module(FLOATS + operation(0x02, F32X4))
    yield "results-cut", body_module(operation(0x3C))
    yield "results-huge", body_module(operation(0x3C, 2**40))
    yield "results-extra", body_module(FLOATS + operation(0x26, 2, F32X4, F32X4, 1, 0) + RETURN)
    yield "operands-huge", body_module(operation(0x5C, 0, 2**40))
    yield "operands-large", body_module(operation(0x5C, 0, 2**31))
    yield "operands-gdc", body_module(operation(0x44, TOKEN) + operation(0x78, TOKEN, 2, 0, 0) + RETURN)
    yield "operands-for", body_module(operation(0x29, 0, 0, 0, 1, 0) + RETURN)
    yield "regions-for", body_module(constant(I32) + operation(0x29, 0, 0, 1, 0, 0) + RETURN)
    yield "regions-empty", body_module(TRUE + operation(0x32, 0, 0, 2, 0, 0) + RETURN)
    yield "module-inside", body_module(operation(0x4B, 0, 0, 1, 1, 0, 0) + RETURN)
    if_with_argument = operation(0x32, 0, 0, 2, 1, 1, F32, 1, operation(0x6D, 0, 0), 0)
    yield "block-argument", body_module(TRUE + if_with_argument + RETURN)
    for opcode in (0x3FFF, 0x4FFF, 0x5000, 0xFFFF, 2**32 + 0x10, 2**32 + 0x4000):
        yield f"opcode-{opcode:x}", module(operation(opcode), version=NEW)


def _segments() -> Iterator[Case]:
    printing = (0x55, 1, TOKEN)
    yield "base-cut", body_module(operation(0x43, 1, 9))
    yield "results-two", body_module(operation(0x55, 2, TOKEN, TOKEN, 0, 2, 0) + RETURN)
    yield "results-none", body_module(operation(0x55, 0, 0, 2, 0) + RETURN)
    yield "results-old", body_module(operation(0x55, 1, TOKEN, 2, 0) + RETURN, (13, 1))
    tokens = operation(0x55, 0, 2, 0) + operation(0x44, TOKEN) + operation(0x3C, 1, TOKEN, 2, 0, 0)
    yield "old-print-has-no-number", body_module(tokens + RETURN, (13, 1))
    yield "size-cut", body_module(operation(*printing, 0, 2))
    yield "element-cut", body_module(operation(*printing, 0, 2, 1))
    yield "element-index", body_module(operation(*printing, 0, 2, 1, 9) + RETURN)
    yield "token-cut", body_module(operation(*printing, 1, 2, 0))
    yield "many", body_module(operation(*printing, 0, 2, 5, 9) + RETURN)
    for size in (2**31, 2**32, 2**40):
        yield f"size-{size}", body_module(operation(*printing, 0, 2, size) + RETURN)


def _inline() -> Iterator[Case]:
    yield "dim-cut", body_module(FLOATS + operation(0x0C, F32X4))
    yield "dim-64-bits", body_module(FLOATS + operation(0x0C, F32X4, 2**64 - 1, 0, 0) + RETURN)
    yield "dim-66-bits", body_module(FLOATS + operation(0x0C, F32X4, 2**66, 0, 0) + RETURN)
    yield "dim-negative", body_module(FLOATS + reduction(2**32 - 1) + RETURN)
    yield "dim-33-bits", body_module(FLOATS + reduction(2**32) + RETURN)
    yield "identities-cut", body_module(FLOATS + operation(0x58, 1, F32, 0))
    yield "identities-dense", body_module(FLOATS + reduction(0, b"\x01\x07\x04\x00") + RETURN)
    yield "reverse-cut", body_module(FLOATS + operation(0x5E, 1, F32X4, 0))
    scan = (
        operation(0x5E, 1, F32X4, 0, 2) + b"\x01\x02\x03\x00" + varints(1, 0) + varints(1, 1, 2, F32, F32, 2)
    )
    end = operation(0x02, F32, 0, 0, 1, 2) + operation(0x6D, 0, 1, 3)
    yield "reverse-two", body_module(FLOATS + scan + end + RETURN)
    yield "constant-cut", body_module(operation(0x10, F32))
    yield "string-cut", body_module(TRUE + operation(0x05))
    yield "string-empty", module(TRUE, operation(0x05, 1, 0))
    yield "symbol-cut", body_module(operation(0x2C, POINTERS))


def _inbounds() -> Iterator[Case]:
    for name, given in {
        "one": b"\x01\x01",
        "two": b"\x01\x02",
        "long": b"\x02\x01\x01",
        "none": b"\x00",
        "huge": varint(2**40),
    }.items():
        yield f"inbounds-{name}", _load(given, varints(3, 1, 1) + RETURN)
    yield "inbounds-cut", _load(b"", b"")
    yield "inbounds-values-cut", _load(b"\x02\x01", b"")
    yield "index", _load(b"\x01\x01", varints(3, 1, 99) + RETURN)


def _load(inbounds: bytes, operands: bytes) -> Module:
    """A load_view_tko of a partition view made from the entry's arguments."""
    tensor = b"\x0e\x00\x03" + integers([8], 8) + integers([1], 8)
    view = b"\x0f\x00" + integers([4], 4) + b"\x0e" + integers([0], 4)
    table = (b"\x10\x02\x11\x02\x00", *types((13, 4))[1:], tensor, view, b"\x0c\x00\x03", b"\x0d\x10\x00")
    body = operation(0x43, 1, 14, 0, 0, 0) + operation(0x42, 15, 2)
    load = operation(0x3E, 2, F32X4, TOKEN, 0, 0) + inbounds + operands
    return BASE.with_(types=table, strings=STRINGS, functions=(Function(body=body + load),))


def reduce_module(element: int, identity: bytes, zero: bytes) -> Module:
    """A reduce over tile<4xE> with one identity; type 1 is E, type 4 i1, type 6 i32."""
    table = (
        b"\x10\x00\x00",
        bytes([element]),
        b"\x0d\x01" + VECTOR,
        b"\x0d\x01\x00",
        b"\x00",
        b"\x0d\x04\x00",
        b"\x03",
    )
    reduce = (
        operation(0x58, 1, 3, 0, b"\x01" + identity, 1, 0)
        + varints(1, 1, 2, 3, 3, 1)
        + operation(0x6D, 0, 1, 1)
    )
    body = operation(0x10, 2, 0) + reduce + RETURN
    return BASE.with_(types=table, constants=(zero,), functions=(Function(body=body),))


def _identities() -> Iterator[Case]:
    infinity = 0xFFF0000000000000
    yield "f64-minus-infinity", reduce_module(9, b"\x02\x01" + zigzag(infinity - 2**64), bytes(8))
    yield "f64-65-bits", reduce_module(9, b"\x02\x01" + varint(infinity << 1), bytes(8))
    yield "f16", reduce_module(5, b"\x02\x01" + zigzag(0xFC00), bytes(2))
    yield "f16-negative", reduce_module(5, b"\x02\x01" + zigzag(0xFC00 - 2**16), bytes(2))
    yield "f8", reduce_module(10, b"\x02\x01\x38", bytes(1))
    yield "f4-too-wide", reduce_module(19, b"\x02\x01\xff", bytes(1))
    yield "i1-bool", reduce_module(0, b"\x03\x05", bytes(1))
    yield "i1-integer", reduce_module(0, b"\x01\x04\x02", bytes(1))
    yield "i32", reduce_module(3, b"\x01\x06" + varint(2**32 - 1), bytes(4))


def attribute_cases() -> Iterator[Case]:
    """Name and module of every case."""
    families = {
        "predicate": _predicates,
        "count": _counts,
        "segment": _segments,
        "inline": _inline,
        "bounds": _inbounds,
        "identity": _identities,
    }
    for family, cases in families.items():
        for name, made in cases():
            yield f"{family}/{name}", made
