"""Modules whose blocks, symbols or parameter attributes do not have the shape that the operation around them needs."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bytecode.extra_attributes import FLOATS, TRUE, reduction
from tests.support.invalid.invalid_sample import Invalid
from tests.support.invalid.malformed_bodies import F32, F32X4, I32, I32X4, TOKEN, body_module, constant
from tests.support.invalid.malformed_container import BASE
from tests.support.invalid.malformed_tables import DEBUG_GOOD, debug_section
from tests.support.synthetic.assembler import RETURN, Function, operation, varint, varints

NEW = (13, 5)
YIELD, CONTINUE, BREAK = operation(0x6D, 0, 0), operation(0x11, 0, 0), operation(0x0A, 0, 0)
EMPTY, ONE_RETURN = varint(0), varints(1, 0, 1) + RETURN
SUM = varints(F32, F32, 2) + operation(0x02, F32, 0, 0, 1, 2) + operation(0x6D, 0, 1, 3)


def _body(name: str, op: str, fragment: str, body: bytes) -> Invalid:
    return Invalid(f"structure/{name}", op, fragment, raw=body_module(body).assemble())


def _if(then: bytes, other: bytes) -> bytes:
    return TRUE + operation(0x32, 0, 0, 2) + then + other + RETURN


def _for(region: bytes) -> bytes:
    return constant(I32) + operation(0x29, 0, 0, 3, 0, 0, 0, 1) + region + RETURN


def _loop(region: bytes) -> bytes:
    return operation(0x41, 0, 0, 1) + region + RETURN


def _fold(opcode: int, result: int, region: bytes) -> bytes:
    flags = b"\x00" if opcode == 0x5E else b""
    head = operation(opcode, 1, result, 0, flags, b"\x01\x02\x03\x00", 1, 0, 1)
    return FLOATS + head + region + RETURN


def _region_shapes() -> Iterator[Invalid]:
    """Regions with no block and with two."""
    yields, counts = varints(1, 0, 1) + YIELD, varints(1, I32, 1) + CONTINUE
    two_yields = varints(2, 0, 1) + YIELD + varints(0, 1) + YIELD
    two = "expects region #0 to have 0 or 1 blocks"
    none = "region #0 ('{}') failed to verify constraint: region with 1 blocks"
    shapes = {
        "if": (_if(two_yields, yields), _if(EMPTY, yields), "thenRegion"),
        "for": (_for(varint(2) + counts + counts), _for(EMPTY), "region"),
        "loop": (_loop(varints(2, 0, 1) + BREAK + varints(0, 1) + BREAK), _loop(EMPTY), "region"),
        "reduce": (_fold(0x58, F32, varints(2, 2) + SUM + varint(2) + SUM), _fold(0x58, F32, EMPTY), "body"),
        "scan": (
            _fold(0x5E, F32X4, varints(2, 2) + SUM + varint(2) + SUM),
            _fold(0x5E, F32X4, EMPTY),
            "body",
        ),
        "entry": (_entry(varints(2, 0, 1) + RETURN + varints(0, 1) + RETURN), _entry(EMPTY), "body"),
    }
    for op, (twice, never, name) in shapes.items():
        yield _body(f"{op}-two-blocks", op, two, twice)
        yield _body(f"{op}-no-block", op, none.format(name), never)
    yield _body("else-two-blocks", "if", two.replace("#0", "#1"), _if(yields, two_yields))


def _entry(region: bytes) -> bytes:
    return operation(0x16, 0, 4, 0, 1) + region + RETURN


def _module(region: bytes) -> bytes:
    return operation(0x4B, 0, 4, 1) + region + RETURN


def _symbols() -> Iterator[Invalid]:
    """Symbols in a kernel, and other things in a module."""
    parent = "symbol's parent must have the SymbolTable trait"
    yield _body("entry-in-entry", "entry", parent, _entry(ONE_RETURN))
    in_branch = varints(1, 0, 2) + _entry(ONE_RETURN).removesuffix(RETURN) + YIELD
    yield _body("entry-in-if", "entry", parent, _if(in_branch, EMPTY))
    yield _body("global-in-entry", "global", parent, operation(0x31, 0, 4, I32X4, 0, 8, 0) + RETURN)
    others = "non-symbol operations are not allowed in a module body"
    yield _body("return-in-module", "return", others, _module(ONE_RETURN))
    yield _body("constant-in-module", "constant", others, _module(varints(1, 0, 2) + constant(I32) + RETURN))
    twice = varints(2, 0, 1) + RETURN + varints(0, 1) + RETURN
    yield _body("module-two-blocks", "module", "expects region #0 to have 0 or 1 blocks", _module(twice))


def _endings() -> Iterator[Invalid]:
    """Kernels that do not end in a terminator: the message shows the last operation."""
    tokens = operation(0x44, TOKEN) + operation(0x3C, 1, TOKEN, 2, 0, 0)
    endings = {
        "constant": FLOATS,
        "join_tokens": tokens,
        "if": _if(varints(1, 0, 1) + YIELD, EMPTY).removesuffix(RETURN),
        "reduce": FLOATS + reduction(0),
        "loop": _loop(varints(1, 0, 1) + BREAK).removesuffix(RETURN),
    }
    for op, body in endings.items():
        yield _body(f"ends-in-{op}", op, "block with no terminator, has", body)
    broken = FLOATS + operation(0x05, 0, 0)
    yield _body("broken-end", "assert", "operand #0 must be tile of i1 values", broken)


def _identities() -> Iterator[Invalid]:
    """Identities that are no numbers."""
    wanted = "identity at index: 0 but got: 'f32' and 'none'"
    yield _body("identity-string", "reduce", wanted, FLOATS + reduction(0, b"\x01\x05\x00") + RETURN)


def _parameters() -> Iterator[Invalid]:
    """Attributes of kernel parameters."""
    constraint = "attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes"
    dialect = "arguments may only have dialect attributes"
    count = "expects argument attribute array to have the same number of elements as the number of function"
    cases = {
        "integer": (b"\x06\x01\x03\x01", constraint),
        "dictionary": (b"\x0a\x01\x02\x03\x01", constraint),
        "no-dialect": (b"\x06\x01\x0a\x01\x01\x03\x01", dialect),
        "two-names": (b"\x06\x01\x0a\x02\x02\x03\x01\x01\x03\x01", dialect),
        "no-text": (b"\x06\x01\x0a\x01\x03\x03\x01", dialect),
        "count": (b"\x06\x02\x0a\x00\x0a\x01\x02\x03\x01", count),
        "dialect": (b"\x06\x01\x0a\x01\x02\x03\x01", ""),
        "dialect-no-text": (b"\x06\x01\x0a\x02\x04\x03\x01\x02\x03\x01", ""),
        "all-empty": (b"\x06\x02\x0a\x00\x0a\x00", ""),
    }
    base = BASE.with_(
        version=NEW,
        strings=(b"k", b"m", b"nv.x", b"\xff\xfe", b"nv.\xff"),
        types=(b"\x10\x01\x02\x00", b"\x03", b"\x0d\x01\x00"),
    )
    for name, (arguments, fragment) in cases.items():
        raw = base.with_(functions=(Function(arguments=arguments),)).assemble()
        yield Invalid(f"parameter/{name}", "entry", fragment, raw=raw)


def _declarations() -> Iterator[Invalid]:
    """The flags of a subprogram in a message."""
    subprogram = b"\x05\x01\x0a\x00\x03\x02\x0b\x01"
    section = debug_section([*DEBUG_GOOD[:2], subprogram, DEBUG_GOOD[3]], [4, 4])
    module = BASE.with_(
        version=NEW,
        strings=(b"k", b"a.py", b"/d", b"f"),
        functions=(Function(location=1),),
        payloads={3: section},
    )
    yield Invalid("debug/declaration", "entry", "flags = declaration", raw=module.assemble())


def rows() -> list[Invalid]:
    """Every row of this family."""
    families = (_region_shapes, _symbols, _endings, _identities, _parameters, _declarations)
    return [row for family in families for row in family()]
