"""Broken function bodies: opcodes, operands, attributes, regions and blocks."""

from __future__ import annotations

from collections.abc import Iterator

from tests.support.invalid.malformed_container import BASE, RawCase
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

# Type indices of TYPES: 0 signature, 1 i32, 2 tile<i32>, 3 f32, 4 tile<4xf32>, 5 tile<4xi32>, 6 token, 7 i1,
# 8 tile<i1>, 9 ptr<f32>, 10 tile<4xptr<f32>>, 11 tile<f32>, 12 i64, 13 tile<4xi64>.
VECTOR = integers([4], 8)
STRINGS = (b"k", b"", b"sm_90", b"latency", b"g")
F32, F32X4, I32, I32X4, I1, TOKEN, POINTERS = 11, 4, 2, 5, 8, 6, 10


def types(version: tuple[int, int]) -> tuple[bytes, ...]:
    """The type table of these modules (pointers carry a flags word from 13.4 on)."""
    pointer = b"\x0c\x00\x03" if version >= (13, 4) else b"\x0c\x03"
    return (
        b"\x10\x00\x00",
        b"\x03",
        b"\x0d\x01\x00",
        b"\x07",
        b"\x0d\x03" + VECTOR,
        b"\x0d\x01" + VECTOR,
        b"\x11",
        b"\x00",
        b"\x0d\x07\x00",
        pointer,
        b"\x0d\x09" + VECTOR,
        b"\x0d\x03\x00",
        b"\x04",
        b"\x0d\x0c" + VECTOR,
    )


def constant(type_index: int, index: int = 0) -> bytes:
    """A constant op: constant 0 is a four-byte splat, 1 one byte, 2 eight bytes."""
    return operation(0x10, type_index, index)


def module(*ops: bytes, version: tuple[int, int] = (13, 4), end: bytes = RETURN) -> bytes:
    """A file whose entry runs ``ops``, then returns."""
    return body_module(b"".join(ops) + end, version).assemble()


def body_module(body: bytes, version: tuple[int, int] = (13, 4)) -> Module:
    """A module with these types, strings and constants and the given body."""
    return BASE.with_(
        version=version,
        types=types(version),
        strings=STRINGS,
        functions=(Function(body=body),),
        constants=(b"\0\0\x80\x3f", b"\x01", bytes(8)),
    )


def _opcodes() -> Iterator[RawCase]:
    for opcode in (
        *range(0x19, 0x25),
        *range(0x34, 0x3A),
        0x7E,
        0x80,
        0xFFF,
        0x3000,
        0x3001,
        0x4000,
        0x4002,
        0x7FFFFF,
    ):
        known = opcode < 0x6E
        message = (
            f"unknown or unimplemented opcode: {opcode}"
            if known
            else f"unsupported opcode {opcode} for bytecode"
        )
        message = message if opcode != 0x4000 and opcode != 0x4002 else "encountered public-preview opcode"
        yield f"opcode-{opcode:x}", module(operation(opcode), version=(13, 5)), message
    newest = {(13, 1): 0x6D, (13, 2): 0x6E, (13, 3): 0x75, (13, 4): 0x7A}
    for version, last in newest.items():
        message = f"unsupported opcode {last + 1} for bytecode version {version[0]}.{version[1]}"
        yield f"opcode-newer-{version[1]}", module(operation(last + 1), version=version), message
    yield "opcode-13.5-in-13.1", module(operation(0x7D), version=(13, 1)), "unsupported opcode 125"
    for opcode, name in ((0x16, "entry"), (0x31, "global"), (0x4B, "module")):
        yield f"opcode-{name}", module(operation(opcode)), ""
    yield "opcode-open", body_module(b"\xff").assemble(), "failed to read operation opcode."
    yield "opcode-eleven-bytes", body_module(b"\xff" * 11 + RETURN).assemble(), ""


def _operands() -> Iterator[RawCase]:
    yield (
        "operand-none",
        module(operation(0x00, F32X4, 9)),
        "operand index 9 out of bounds (size=0) for operand 0",
    )
    one = constant(F32X4)
    yield (
        "operand-index",
        module(one, operation(0x00, F32X4, 9)),
        ("operand index 9 out of bounds (size=1) for operand 0"),
    )
    yield (
        "operand-second",
        module(one, operation(0x04, I32X4, 0, 9)),
        ("operand index 9 out of bounds (size=1) for operand 1"),
    )
    yield "operand-own-result", module(operation(0x00, F32X4, 0)), "operand index 0 out of bounds (size=0)"
    yield "operand-count-large", module(operation(0x3C, 1, TOKEN, 99)), ""
    yield "operand-count-cut", body_module(operation(0x5C, 0)).assemble(), ""
    yield "operand-cut", body_module(operation(0x00, F32X4)).assemble(), ""
    yield "operand-for-too-few", module(operation(0x29, 0, 0, 1, 0, 0)), ""
    yield "result-type-index", module(operation(0x10, 99, 0)), "failed to get result type 0 for ConstantOp"
    yield "result-type-cut", body_module(operation(0x10)).assemble(), ""
    yield "result-count-terminator", body_module(operation(0x5C, 1, F32, 0)).assemble(), ""
    yield "result-count-join", module(operation(0x44, TOKEN), operation(0x3C, 2, TOKEN, TOKEN, 2, 0, 0)), ""
    yield (
        "result-of-region-reused",
        module(
            constant(I1, 1),
            operation(0x32, 0, 0, 2, 1, 0, 2, constant(F32X4), operation(0x6D, 0, 0), 0),
            operation(0x00, F32X4, 1),
        ),
        "operand index 1 out of bounds (size=1) for operand 0",
    )


def _enums() -> Iterator[RawCase]:
    f, i, p = constant(F32X4), constant(I32X4), operation(0x33, POINTERS, 0)
    wide = operation(0x10, 13, 2)
    loads = wide + p
    bad = 9
    ops: dict[str, tuple[bytes, bytes, int]] = {
        "signedness": (i, operation(0x46, I32X4, bad, 0, 0), bad),
        "overflow": (i, operation(0x03, I32X4, bad, 0, 0), bad),
        "rounding": (f, operation(0x02, F32X4, 0, bad, 0, 0), bad),
        "ordering": (f, operation(0x0E, 5, 0, bad, 0, 0), bad),
        "predicate": (f, operation(0x0E, 5, bad, 0, 0, 0), bad),
        "memory-ordering": (loads, operation(0x3D, F32X4, TOKEN, 0, bad, 1), bad),
        "memory-scope": (loads, operation(0x3D, F32X4, TOKEN, 1, 1, bad, 1), bad),
        "atomic-mode": (loads + f, operation(0x08, F32X4, TOKEN, 0, 1, 1, 10, 1, 2), 10),
        "above-32-bits": (i, operation(0x03, I32X4, 2**32 + bad, 0, 0), bad),
    }
    for name, (before, op, value) in ops.items():
        yield f"enum-{name}", module(before, op), f"invalid integer value for enum type: {value}"
    away = operation(0x02, F32X4, 0, 7, 0, 0)
    for minor in (1, 3):
        yield (
            f"enum-nearest-away-13.{minor}",
            module(f, away, version=(13, minor)),
            (f"enum value 7 is not available in bytecode version 13.{minor}"),
        )
    yield (
        "enum-cut",
        body_module(f + operation(0x02, F32X4, 0)).assemble(),
        "failed to read VarInt for enum attribute.",
    )
    yield "flags-unknown-bit", module(f, operation(0x02, F32X4, 2, 0, 0, 0)), ""
    yield "flags-unknown-bits-load", module(loads, operation(0x3D, F32X4, TOKEN, 0x60, 0, 1)), ""


def _attributes() -> Iterator[RawCase]:
    i = constant(I32X4)
    for value in (-(2**31), 2**31 - 1):
        permute = operation(0x53, I32X4, integers([value], 4), 0)
        yield f"array-{value}", module(i, permute), f"array contains unsupported value {value}"
    yield "array-cut", body_module(i + operation(0x53, I32X4, 9, 0)).assemble(), ""
    yield "array-huge", module(i, operation(0x53, I32X4, 2**60, 0)), "exceeds maximum supported capacity"
    yield "string-index", module(constant(I1, 1), operation(0x05, 99, 0)), "string index 99 out of bounds"
    yield "symbol-empty", module(operation(0x2C, POINTERS, 1)), "empty symbol reference is invalid"
    yield "symbol-index", module(operation(0x2C, POINTERS, 99)), "string index 99 out of bounds"
    for tag in (0, 14, 255):
        yield (
            f"tag-{tag}",
            module(i, operation(0x06, I32X4, tag, 0, 0)),
            (f"unsupported AttributeTag {tag} for self-contained attribute"),
        )
    yield (
        "tag-13-old",
        module(i, operation(0x06, I32X4, 13, 0, 0)),
        ("attribute 'MultimemReductionKindAttr' requires bytecode version 13.5+, targeting 13.4"),
    )
    yield "tag-13", module(i, operation(0x06, I32X4, 13, 0, 0), version=(13, 5)), ""
    yield "predicate-kind", module(i, operation(0x06, I32X4, b"\x03\x01", 0)), ""
    yield "predicate-div-by-cut", body_module(i + operation(0x06, I32X4, 8)).assemble(), ""
    yield "predicate-div-by-flags", module(i, operation(0x06, I32X4, b"\x08\x10\x04", 0)), ""
    yield "predicate-bounded-flags", module(i, operation(0x06, I32X4, b"\x0c\x04", 0)), ""
    f = constant(F32X4)
    tagged: dict[str, tuple[bytes, str]] = {
        "dictionary-empty-key": (
            b"\x0a\x01\x01\x03\x01",
            "invalid empty attribute name for DictionaryAttr element 0",
        ),
        "dictionary-same-key": (
            b"\x0a\x02\x03\x03\x01\x03\x03\x01",
            "failed to parse DictionaryAttr, duplicate key found: ",
        ),
        "dictionary-key-index": (b"\x0a\x01\x63\x03\x01", "string index 99 out of bounds"),
        "dictionary-cut": (b"\x0a\x09\x03", ""),
        "integer-of-float": (b"\x01\x03\x01", "failed to read valid IntegerType for IntegerAttr"),
        "integer-too-wide": (b"\x01\x01" + varint(2**32), "value 4294967296 does not fit in 32 bits"),
        "integer-type-index": (b"\x01\x63\x01", "failed to read valid IntegerType for IntegerAttr"),
        "float-of-integer": (b"\x02\x01\x00", "failed to read valid FloatType for FloatAttr"),
        "float-too-wide": (b"\x02\x03" + zigzag(2**32), ""),
        "bool-two": (b"\x03\x02", ""),
        "type-index": (b"\x04\x63", "failed to get referenced type for TypeAttr"),
        "string-index": (b"\x05\x63", "string index 99 out of bounds"),
        "array-nested": (b"\x06\x01\x0e", "unsupported AttributeTag 14 for self-contained attribute"),
        "dense-index": (b"\x07\x04\x63", "unknown DenseElementsAttr based Attr"),
        "string": (b"\x05\x02", ""),
    }
    for name, (attribute, message) in tagged.items():
        if name.startswith("dictionary"):
            load = operation(0x3D, F32X4, TOKEN, 2, 0, b"\x01\x02" + attribute, 1)
            yield f"hints-{name}", module(operation(0x10, 13, 2), operation(0x33, POINTERS, 0), load), message
        else:
            yield f"identity-{name}", module(f, _reduce(attribute)), message
    hints = operation(0x3D, F32X4, TOKEN, 2, 0, b"\x01\x02\x01\x01\x03", 1)
    yield (
        "hints-not-dictionary",
        module(operation(0x10, 13, 2), operation(0x33, POINTERS, 0), hints),
        ("expected dictionary attribute for optimization_hints entry `sm_90` got value=3 : i32"),
    )
    twice = operation(0x3D, F32X4, TOKEN, 2, 0, b"\x02\x02\x0a\x00\x02\x0a\x00", 1)
    yield (
        "hints-same-target",
        module(operation(0x10, 13, 2), operation(0x33, POINTERS, 0), twice),
        "duplicate key found",
    )


def _reduce(identity: bytes) -> bytes:
    body = operation(0x02, 11, 0, 0, 1, 2) + operation(0x6D, 0, 1, 3)
    region = varints(1, 1, 2, 11, 11, 2) + body
    return operation(0x58, 1, 11, 0, b"\x01" + identity, 1, 0) + region


def _regions() -> Iterator[RawCase]:
    i1 = constant(I1, 1)
    block = "invalid block structure: block is expected to have a terminator operation, but "
    yield "block-empty", module(i1, operation(0x32, 0, 0, 2, 1, 0, 0, 0)), block + "it is empty"
    yield (
        "block-unterminated",
        module(i1, operation(0x32, 0, 0, 2, 1, 0, 1, constant(F32), 0)),
        (block + "the last operation 'cuda_tile.constant' is not a terminator."),
    )
    yield (
        "block-two-terminators",
        module(i1, operation(0x32, 0, 0, 2, 1, 0, 2, operation(0x6D, 0, 0) * 2, 0)),
        "",
    )
    yield (
        "region-two-blocks",
        module(i1, operation(0x32, 0, 0, 2, 2, 0, 1, operation(0x6D, 0, 0), 0, 1, operation(0x6D, 0, 0), 0)),
        "",
    )
    yield "region-count-small", module(i1, operation(0x32, 0, 0, 1, 1, 0, 1, operation(0x6D, 0, 0))), ""
    yield "region-count-large", module(i1, operation(0x32, 0, 0, 3, 1, 0, 1, operation(0x6D, 0, 0), 0, 0)), ""
    yield "region-count-zero", module(i1, operation(0x32, 0, 0, 0)), ""
    yield "region-count-cut", body_module(i1 + operation(0x32, 0, 0)).assemble(), ""
    yield (
        "region-block-count-cut",
        body_module(i1 + operation(0x32, 0, 0, 2)).assemble(),
        ("failed to read region block count"),
    )
    yield "region-block-count-huge", body_module(i1 + operation(0x32, 0, 0, 2, 2**40)).assemble(), ""
    yield (
        "block-argument-type",
        module(i1, operation(0x32, 0, 0, 2, 1, 1, 99, 0, 0)),
        ("failed to read block argument type: 0"),
    )
    yield (
        "block-op-count-cut",
        body_module(i1 + operation(0x32, 0, 0, 2, 1, 0)).assemble(),
        ("failed to read block operation count."),
    )
    yield (
        "block-op-count-large",
        body_module(i1 + operation(0x32, 0, 0, 2, 1, 0, 9)).assemble(),
        ("failed to parse operation 0 in block."),
    )
    yield (
        "entry-unterminated",
        body_module(constant(F32)).assemble(),
        ('block with no terminator, has %0 = "cuda_tile.constant"()'),
    )
    yield "entry-after-return", body_module(RETURN + constant(F32) + RETURN).assemble(), ""
    deep = operation(0x6D, 0, 0)
    for _ in range(200):
        deep = operation(
            0x32,
            0,
            0,
            2,
            1,
            0,
            1 if deep[0] == 0x6D else 2,
            deep,
            b"" if deep[0] == 0x6D else operation(0x6D, 0, 0),
            0,
        )
    yield "region-200-deep", module(i1, deep), ""


def body_cases() -> Iterator[RawCase]:
    """Every broken body; an empty message expects none that is documented."""
    for family in (_opcodes, _operands, _enums, _attributes, _regions):
        yield from family()
