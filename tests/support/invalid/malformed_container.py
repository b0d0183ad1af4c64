"""Broken headers and section frames."""

from __future__ import annotations

from collections.abc import Iterator

from tests.support.synthetic.assembler import CONSTANT, FUNCTION, PRODUCER, STRING, TYPE, Module, varint

RawCase = tuple[str, bytes, str]
"""Name, file, documented message."""

MAGIC_MESSAGE = "input does not correspond to Tile IR bytecode"
BASE = Module()


def _headers() -> Iterator[RawCase]:
    good = BASE.assemble()
    yield "empty-file", b"", MAGIC_MESSAGE
    yield "short-magic", good[:4], MAGIC_MESSAGE
    yield "wrong-magic", BASE.with_(magic=b"\x7fTileIS\x00").assemble(), MAGIC_MESSAGE
    yield "text", b"entry @k() { return }\n", MAGIC_MESSAGE
    yield "no-version", good[:8], "failed to read"
    yield "no-minor", good[:9], "failed to read"
    yield "no-tag", good[:10], "failed to read"
    yield "half-tag", good[:11], "failed to read"
    for major, minor in ((13, 0), (13, 6), (12, 9), (14, 1), (0, 0), (250, 0), (255, 255)):
        message = f"unsupported Tile version {major}.{minor}.0, this reader supports versions [13.1 - 13.5]"
        yield f"version-{major}.{minor}", BASE.with_(version=(major, minor)).assemble(), message
    new = BASE.with_(version=(13, 5))
    yield "tag-bit-1", new.with_(tag=2).assemble(), "header has unrecognized version tag bits (0x2);"
    yield "tag-bit-15", new.with_(tag=0x8000).assemble(), "header has unrecognized version tag bits (0x8000);"
    yield (
        "tag-preview",
        new.with_(tag=1).assemble(),
        "public-preview bytecode requires at least one enabled preview",
    )
    yield "tag-bit-1-old", BASE.with_(tag=2).assemble(), ""


def _frames() -> Iterator[RawCase]:
    good = BASE.assemble()
    yield "no-sections", good[:12], "unexpected end of data while reading section header"
    yield "only-end", good[:12] + b"\x00", "string section is mandatory"
    yield "no-end", good[:-1], "unexpected end of data while reading section header"
    yield "end-aligned", BASE.with_(end=b"\x80").assemble(), "end section should not have alignment flag set"
    yield "end-not-last", BASE.with_(end=b"\x00\x00").assemble(), "end section is not the last section"
    yield "end-first", good[:12] + b"\x00" + good[12:], "end section is not the last section"
    for section in (8, 9, 0x7F):
        extra = BASE.with_(payloads={section: b"\x00"}, order=(*BASE.order, section))
        yield f"unknown-section-{section}", extra.assemble(), f"unknown section ID: {section}"
    names = {STRING: "string", FUNCTION: "function", TYPE: "type"}
    for section, name in names.items():
        message = f"{name} section is mandatory" if section != TYPE else "out of bounds"
        yield f"missing-{name}", BASE.with_(payloads={section: None}).assemble(), message
    for section, needed in {STRING: 4, FUNCTION: 8, TYPE: 4, CONSTANT: 8}.items():
        message = f"section {section} must have alignment that is a multiple of {needed} bytes, but has "
        base = BASE.with_(constants=(b"\x01",))
        yield (
            f"unaligned-{section}",
            base.with_(alignments={section: None}).assemble(),
            (message + "no alignment flag set"),
        )
        yield (
            f"alignment-2-of-{section}",
            base.with_(alignments={section: 2}).assemble(),
            message + "alignment of 2",
        )
    for alignment in (0, 3, 6):
        yield (
            f"alignment-{alignment}",
            BASE.with_(alignments={STRING: alignment}).assemble(),
            (f"invalid alignment value: {alignment}"),
        )
    yield "wide-alignment", BASE.with_(alignments={STRING: 64}).assemble(), ""


def _lengths() -> Iterator[RawCase]:
    good = BASE.assemble()
    size = len(BASE.payload(STRING) or b"")
    long = BASE.with_(lengths={STRING: size + 5}).assemble()
    yield "section-too-long", long, f"section length {size + 5} exceeds remaining data size"
    yield "section-huge", BASE.with_(lengths={STRING: 2**62}).assemble(), "exceeds remaining data size"
    yield "section-short", BASE.with_(lengths={STRING: size - 1}).assemble(), ""
    yield "no-length", good[:12] + b"\x81", "failed to read section length"
    yield "open-length", good[:12] + b"\x81" + b"\xff" * 3, "failed to read section length"
    yield "long-length", good[:12] + b"\x81" + b"\xff" * 11, "failed to read section length"
    yield "no-alignment", good[:12] + b"\x81\x04", ""
    yield "filler-cut", good[:12] + b"\x81\x00\x04\xcb", ""
    yield "filler-wrong", good.replace(b"\xcb", b"\x00"), ""
    for cut in (13, len(good) // 2, len(good) - 3):
        yield f"cut-at-{cut}", good[:cut], ""
    yield "repeated-section", BASE.with_(order=(*BASE.order, STRING)).assemble(), ""
    producer = BASE.with_(payloads={PRODUCER: varint(9)})
    yield "producer-out-of-bounds", producer.assemble(), "string index 9 out of bounds"
    yield "producer-empty", BASE.with_(payloads={PRODUCER: b""}).assemble(), ""
    yield "producer-old-version", BASE.with_(version=(13, 1), payloads={PRODUCER: b"\x00"}).assemble(), ""


def container_cases() -> Iterator[RawCase]:
    """Every broken header, section frame and section length; an empty message expects none."""
    yield from _headers()
    yield from _frames()
    yield from _lengths()
