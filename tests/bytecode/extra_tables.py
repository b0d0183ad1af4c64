"""More broken frames and tables: sections, strings, constants, globals, functions, debug information."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.bytecode.extra_types import Case
from tests.support.invalid.malformed_bodies import I1, body_module, constant
from tests.support.invalid.malformed_container import BASE
from tests.support.invalid.malformed_tables import (
    DEBUG_GOOD,
    SUBPROGRAM,
    constant_module,
    debug_section,
    located,
)
from tests.support.synthetic.assembler import (
    CONSTANT,
    DEBUG,
    FUNCTION,
    GLOBAL,
    PRODUCER,
    RETURN,
    STRING,
    TYPE,
    Function,
    Module,
    operation,
    table,
    varint,
    varints,
)

NEW = (13, 5)
SCALAR_ARGUMENT = (b"\x10\x01\x01\x00", b"\x0d\x02\x00", b"\x03")


def one(**fields: Any) -> Module:
    """A module with one function table entry."""
    return BASE.with_(functions=(Function(**fields),))


def _frames() -> Iterator[Case]:
    head = BASE.assemble()[:12]
    yield "padding-cut", head + b"\x81\x00\x08"
    yield "padding-cut-64", head + b"\x81\x00\x40\xcb"
    yield "alignment-huge", head + b"\x81\x00" + varint(2**40) + b"\xcb"
    yield "alignment-cut", head + b"\x81\x00"
    yield "alignment-one", head + b"\x81\x01\x01"
    yield "version-and-tag", BASE.with_(version=(13, 6), tag=1)
    yield "tag-255", BASE.with_(tag=0xFF)
    yield "tag-3", BASE.with_(version=NEW, tag=3)
    yield "preview-13.1", BASE.with_(version=(13, 1), tag=1)
    yield "producer-of-no-letters", BASE.with_(strings=(b"k", b""), payloads={PRODUCER: b"\x01"})


def _strings() -> Iterator[Case]:
    base = body_module(constant(I1, 1) + operation(0x05, 1, 0) + RETURN)
    for name, entries, starts in (
        ("outside", (b"k", b"abcdefgh"), (0, 99)),
        ("falling", (b"k", b"abcdefgh", b"x"), (0, 3, 1)),
        ("all-falling", (b"kk", b"abcdefgh", b"x"), (5, 3, 1)),
    ):
        yield name, base.with_(payloads={STRING: table(entries, 4, starts=starts)})
    for name, payload in (
        ("none", b"\x00"),
        ("padding-cut", b"\x01\xcb\xcb"),
        ("offsets-cut", b"\x01\xcb\xcb\xcb\x00\x00\x00"),
        ("empty", b"\x01\xcb\xcb\xcb" + bytes(4)),
    ):
        yield name, BASE.with_(payloads={STRING: payload})
    yield "no-types", BASE.with_(payloads={TYPE: b"\x00"})
    yield "types-empty", BASE.with_(payloads={TYPE: b""})


def _constants() -> Iterator[Case]:
    yield "none", BASE.with_(payloads={CONSTANT: b"\x00"})
    yield "huge", BASE.with_(payloads={CONSTANT: varint(2**40)})
    yield "padding-cut", BASE.with_(payloads={CONSTANT: b"\x01"})
    entry = b"\x10" + bytes(16)
    yield (
        "beyond",
        constant_module(bytes(16)).with_(payloads={CONSTANT: table((entry, b""), 8, starts=(0, 90))}),
    )
    yield (
        "trailing",
        constant_module(b"").with_(payloads={CONSTANT: table((b"\x04" + bytes(4) + b"junk",), 8)}),
    )
    packed = (
        (1, b"\x01"),
        (1, b"\x02"),
        (1, b"\xff"),
        (2, b"\x03"),
        (2, b"\xff"),
        (8, b"\xf0"),
        (16, b"\x01"),
        (16, b"\xff"),
        (16, b"\x02"),
        (16, b"\x01\x80"),
        (16, b"\x01\x02\x03"),
        (4, b""),
    )
    for count, data in packed:
        yield f"i1-{count}-{data.hex()}", constant_module(data, element=0, dims=(count,))
    for element, data in (
        (19, b"\x0f"),
        (19, b"\xff"),
        (19, b"\xff\x01\x02\x03"),
        (22, b"\xff"),
        (8, b"\xff\xff\xff"),
        (8, b"\x00\xfc\xf9"),
    ):
        yield f"type-{element}-{data.hex()}", constant_module(data, element=element)


def _globals() -> Iterator[Case]:
    good = constant_module(bytes(4)).with_(strings=(b"k", b"g"))
    for length in range(6):
        yield f"cut-{length}", good.with_(payloads={GLOBAL: b"\x01" + bytes(length) + b"\xff" * 6})
    entries = {
        "name-empty": (1, 2, 0, 0, 0, 0),
        "alignment": (1, 2, 0, 2**64 - 1, 0, 0),
        "visibility-33-bits": (1, 2, 0, 3, 2**32, 0),
        "of-i32": (1, 1, 0, 3, 0, 0),
    }
    for name, fields in entries.items():
        strings = (b"k", b"") if name == "name-empty" else (b"k", b"g")
        yield name, good.with_(strings=strings, payloads={GLOBAL: b"\x01" + varints(*fields)})
    scalar = constant_module(bytes(4), dims=()).with_(strings=(b"k", b"g"))
    yield "scalar", scalar.with_(payloads={GLOBAL: b"\x01" + varints(1, 2, 0, 3, 0, 0)})


def _functions() -> Iterator[Case]:
    yield "hints-tag", one(flags=6, hints=b"\x0e")
    yield "hints-tag-new", one(hints=b"\x0e").with_(version=NEW)
    yield "hints-dictionary", one(flags=6, hints=b"\x0a\x00")
    yield "hints-empty", one(flags=6, hints=b"\x0b\x00")
    yield "hints-no-dictionary", one(flags=6, hints=b"\x0b\x01\x00\x03\x01")
    for name, given in (("tag", b"\x0e"), ("one", b"\x06\x01\x0a\x00"), ("dictionary", b"\x0a\x00")):
        yield f"arguments-{name}", one(arguments=given).with_(version=NEW)
    scalar = BASE.with_(strings=(b"k", b"cuda_tile.a"), types=SCALAR_ARGUMENT, version=NEW)
    for name, given in (
        ("named", b"\x06\x01\x0a\x01\x01\x03\x01"),
        ("two", b"\x06\x02\x0a\x00\x0a\x00"),
        ("none", b"\x06\x00"),
    ):
        yield f"attributes-{name}", scalar.with_(functions=(Function(arguments=given),))
    fields = b"\x01\x00\x00\x02\x00"
    for length in range(1, 6):
        yield f"cut-{length}", BASE.with_(payloads={FUNCTION: fields[:length]})
    for name, rest in (("hints", b""), ("arguments", b"\x0b\x00"), ("length", b"\x0b\x00\x06\x00")):
        yield f"cut-new-{name}", BASE.with_(version=NEW, payloads={FUNCTION: fields + rest})
    yield "trailing", BASE.with_(payloads={FUNCTION: b"\x00zzzz"})
    yield "flags-4", one(flags=4, hints=b"")
    yield "flags-0-new", one(flags=0, hints=b"", arguments=b"\x06\x00").with_(version=NEW)
    for flags in (0, 3):
        yield f"flags-{flags}-and-opcode", one(flags=flags, body=b"\x19")
    for flags in (0, 5):
        yield f"flags-{flags}-old", one(flags=flags).with_(version=(13, 1))
    yield "body-empty-new", one(body=b"").with_(version=NEW)


def _located(attributes: list[bytes], rows: list[int], version: tuple[int, int] = (13, 4)) -> Module:
    return located(debug_section(attributes, rows)).with_(version=version)


def _debug() -> Iterator[Case]:
    good = DEBUG_GOOD
    yield "no-flags-new", _located(good, [4, 4], NEW)
    for flags in (0, 1, 2, 3, 64, 128):
        yield f"flags-{flags}", _located([*good[:2], SUBPROGRAM + bytes([flags]), good[3]], [4, 4], NEW)
    yield "flags-old", _located([*good[:2], SUBPROGRAM + b"\x03", good[3]], [4, 4])
    yield "function-at-file", _located(good, [1, 4])
    yield "operation-at-file", _located(good, [4, 1])
    yield "lexical-block", _located([*good, b"\x03\x03\x01\x05\x06", b"\x04\x05\x01\x0b\x02"], [4, 6])
    yield "call-site", _located([*good, b"\x06\x04\x04"], [4, 5])
    yield "call-site-unknown", _located([*good, b"\x06\x00\x04"], [4, 5])
    for line in (2**32 - 1, 2**40):
        yield f"line-{line}", _located([*good[:3], b"\x04\x03\x01" + varints(line, 2**33)], [4, 4])
    yield "tag-modulo-256", _located([*good[:3], varint(256 + 4) + b"\x03\x01\x0a\x01"], [4, 4])
    yield "no-attributes", _located([], [0, 0])
    blocks = (b"\x03", b"\x03\x03\x01", b"\x03\x03\x01\x01")
    for number, block in enumerate(blocks):
        yield f"block-cut-{number}", _located([*good[:3], block, b"\x04\x04\x01\x01\x01"], [5, 5])
    for number, entry in enumerate((b"\x04\x03\x01", b"\x04\x03\x01\x01", b"\x06\x03", b"\x06")):
        yield f"location-cut-{number}", _located([*good[:3], entry], [4, 4])
    for length in range(1, 7):
        yield f"subprogram-cut-{length}", _located([*good[:2], SUBPROGRAM[:length], good[3]], [4, 4])
    yield "file-cut", _located([b"\x02\x01", *good[1:]], [4, 4])
    yield "unit-cut", _located([good[0], b"\x01", *good[2:]], [4, 4])
    pad = b"\xcb" * 3
    for number, parts in enumerate(
        (
            [b"\0"],
            [b"\0", b""],
            [b"\0", b"\0"],
            [b"\0", b"\0", b""],
            [b"\0", b"\0", b"\0"],
            [b"\0", b"\0", b"\0", b""],
            [b"\0", b"\0", b"\0", b"\0"],
        )
    ):
        yield f"empty-{number}", BASE.with_(payloads={DEBUG: pad.join(parts)})


def table_cases() -> Iterator[Case]:
    """Name and module of every case."""
    families = {
        "frame": _frames,
        "string": _strings,
        "constant": _constants,
        "global": _globals,
        "function": _functions,
        "debug": _debug,
    }
    for family, cases in families.items():
        for name, made in cases():
            yield f"{family}/{name}", made
