"""Writing: versions, what they refuse, the frame, determinism, and what stays of a module."""

from __future__ import annotations

import pytest

from tests.bytecode.fixture_files import fixture, fixtures
from tests.bytecode.writer_support import CONTEXT, as_read_back, constant, kernel
from tests.house.tree import run_python
from tilewright.bytecode import SectionKind, read_bytecode, read_container, write_bytecode
from tilewright.dialects.builtin.dialect import BUILTIN
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.ops.control import EntryOp, ModuleOp
from tilewright.dialects.cuda_tile.version import VERSIONS, Version
from tilewright.ir.builtin_attributes import StringAttr
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.equality import difference
from tilewright.ir.text.parser import parse_module

UNARY = '%r = "cuda_tile.{op}"(%c) <{{{attributes}}}> : ({source}) -> {result}'


def unary(op: str, element: str, attributes: str, result: str = "") -> str:
    kind = f"!cuda_tile.tile<4x{element}>"
    made = UNARY.format(op=op, attributes=attributes, source=kind, result=result or kind)
    return f"{constant(element)}\n{made}"


TOKEN = '%t = "cuda_tile.make_token"() : () -> !cuda_tile.token'
PRINT = '"cuda_tile.print_tko"({operands}) <{{str = "", operandSegmentSizes = array<i32: 0, {n}>}}> : ({types}) -> !cuda_tile.token'
GLOBAL = '"cuda_tile.global"() <{{sym_name = "g", value = dense<0> : !cuda_tile.tile<4xi32> {rest}, alignment = 0 : i64}}> : () -> ()'
POINTER = "%p: !cuda_tile.tile<ptr<f32, <{}>>>"

REFUSALS = {
    "operation": (
        "operation 'cuda_tile.atan2' is not available in bytecode version 13.1",
        "13.2",
        {
            "body": f'{constant("f32")}\n%r = "cuda_tile.atan2"(%c, %c) : '
            "(!cuda_tile.tile<4xf32>, !cuda_tile.tile<4xf32>) -> !cuda_tile.tile<4xf32>"
        },
    ),
    "attribute": (
        "attribute 'overflow' requires bytecode version 13.2+, but targeting 13.1",
        "13.2",
        {"body": unary("negi", "i32", "overflow = #cuda_tile.overflow<no_wrap>")},
    ),
    "rounding": (
        "attribute 'rounding_mode' requires bytecode version 13.3+, but targeting 13.2",
        "13.3",
        {"body": unary("exp", "f32", "rounding_mode = #cuda_tile.rounding<approx>")},
    ),
    "flag": (
        "optional attribute 'saturating' is provided but requires bytecode version 13.4, targeting 13.3",
        "13.4",
        {
            "body": unary(
                "ftoi",
                "f32",
                "saturating, signedness = #cuda_tile.signedness<signed>, "
                "rounding_mode = #cuda_tile.rounding<nearest_int_to_zero>",
                "!cuda_tile.tile<4xi32>",
            )
        },
    ),
    "enum case": (
        "attribute 'rounding_mode' of 'cuda_tile.ftof': enum value 7 is not available in bytecode version 13.3",
        "13.4",
        {
            "body": unary(
                "ftof", "f32", "rounding_mode = #cuda_tile.rounding<nearest_away>", "!cuda_tile.tile<4xtf32>"
            )
        },
    ),
    "operand": (
        "optional operand 'token' is provided but requires bytecode version 13.2, targeting 13.1",
        "13.2",
        {
            "body": f"{TOKEN}\n%q = "
            + PRINT.format(operands="%t", n=1, types="!cuda_tile.token").replace("{{", "{")
        },
    ),
    "result": (
        "result 'result_token' requires bytecode version 13.2 but is being used and targeting 13.1",
        "13.2",
        {
            "body": "%q = "
            + PRINT.format(operands="", n=0, types="")
            + '\n%j = "cuda_tile.join_tokens"(%q, %q) : (!cuda_tile.token, !cuda_tile.token) -> !cuda_tile.token'
        },
    ),
    "scalar type": (
        "type 'Float8E8M0FNU' requires bytecode version 13.2+, targeting 13.1",
        "13.2",
        {"arguments": "%x: !cuda_tile.tile<f8E8M0FNU>"},
    ),
    "fnv8": (
        "type 'FloatNV8E5M3FNU' requires bytecode version 13.4+, targeting 13.3",
        "13.4",
        {"arguments": "%x: !cuda_tile.tile<fnv8E5M3FNU>"},
    ),
    "type parameter": (
        "parameter 'ptrAttr' requires bytecode version 13.4+, but targeting 13.3",
        "13.4",
        {"arguments": POINTER.format("none")},
    ),
    "case in a type": (
        "enum value 2 is not available in bytecode version 13.4",
        "13.5",
        {"arguments": POINTER.format("multicast")},
    ),
    "constant global": (
        "constant global `g` cannot be encoded in bytecode version 13.2 (the `constant` attribute requires "
        "bytecode 13.3+)",
        "13.3",
        {"globals": GLOBAL.format(rest=", constant")},
    ),
    "private global": (
        "global `g` uses non-public symbol visibility, which cannot be encoded in bytecode version 13.2 "
        "(requires bytecode 13.3+)",
        "13.3",
        {"globals": GLOBAL.format(rest=", symbol_visibility = #cuda_tile.symbol_visibility<private>")},
    ),
    "argument attributes": (
        "optional attribute 'arg_attrs' is provided but requires bytecode version 13.5, targeting 13.4",
        "13.5",
        {"arguments": "%x: !cuda_tile.tile<i32>", "hints": ", arg_attrs = [{test.a = 1 : i32}]"},
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_an_old_version_cannot_hold(name: str) -> None:
    message, since, parts = REFUSALS[name]
    module = kernel(**parts)
    older = VERSIONS[VERSIONS.index(Version.parse(since)) - 1]
    with pytest.raises(DiagnosticError) as raised:
        write_bytecode(module, older)
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.message == message
    assert str(diagnostic.code) == "TW0317"
    assert diagnostic.location.source is not None
    assert diagnostic.hints == [f"write bytecode version {since} or newer"]
    for version in VERSIONS[VERSIONS.index(older) + 1 :]:
        read = read_bytecode(write_bytecode(module, version), CONTEXT)
        assert difference(as_read_back(module, version), read) is None


@pytest.mark.parametrize("name", REFUSALS)
def test_the_oldest_version_that_holds_the_module(name: str) -> None:
    _, since, parts = REFUSALS[name]
    data = write_bytecode(kernel(**parts))
    assert str(read_container(data).version) == since


def test_everything_refused_is_told_at_once() -> None:
    body = f"{REFUSALS['operation'][2]['body']}\n{REFUSALS['attribute'][2]['body'].replace('%c', '%d').replace('%r', '%s')}"
    with pytest.raises(DiagnosticError) as raised:
        write_bytecode(kernel(body, globals=REFUSALS["constant global"][2]["globals"]), (13, 1))
    assert [d.message.split()[0] for d in raised.value.diagnostics] == ["constant", "operation", "attribute"]


def test_what_says_nothing_is_no_obstacle() -> None:
    body = unary("negi", "i32", "overflow = #cuda_tile.overflow<none>")
    module = kernel(body, globals=GLOBAL.format(rest=""), hints=", arg_attrs = [], res_attrs = []")
    assert read_container(write_bytecode(module)).version == VERSIONS[0]


def test_an_unused_result_that_the_version_lacks_is_left_out() -> None:
    body = f"%q = {PRINT.format(operands='', n=0, types='')}\n{TOKEN}\n" + (
        '%j = "cuda_tile.join_tokens"(%t, %t) : (!cuda_tile.token, !cuda_tile.token) -> !cuda_tile.token'
    )
    module = kernel(body)
    assert read_container(write_bytecode(module)).version == VERSIONS[0]
    assert difference(module, read_bytecode(write_bytecode(module), CONTEXT)) is None


def test_the_producer() -> None:
    module = read_bytecode(fixture("exp.f32@13.1"), CONTEXT)
    module.attributes["producer"] = StringAttr("a tool")
    assert read_container(write_bytecode(module)).producer == "a tool"
    assert str(read_container(write_bytecode(module)).version) == "13.3"
    assert difference(module, read_bytecode(write_bytecode(module), CONTEXT)) is None
    assert read_container(write_bytecode(module, (13, 2))).producer is None, "as the public tools do"
    module.attributes["producer"] = StringAttr("")
    assert read_bytecode(write_bytecode(module), CONTEXT).producer == ""


def test_unknown_versions() -> None:
    with pytest.raises(ValueError, match=r"unknown bytecode version 13\.6: the known ones are 13\.1, 13\.2"):
        write_bytecode(kernel(), (13, 6))


def test_sections() -> None:
    info = read_container(write_bytecode(kernel(globals=GLOBAL.format(rest=""))))
    assert [section.kind for section in info.sections] == [
        SectionKind.FUNCTION,
        SectionKind.GLOBAL,
        SectionKind.CONSTANT,
        SectionKind.DEBUG,
        SectionKind.TYPE,
        SectionKind.STRING,
    ]
    assert all(section.offset % section.alignment == 0 for section in info.sections)


@pytest.mark.parametrize("version", VERSIONS, ids=str)
def test_the_empty_module(version: Version) -> None:
    data = fixture(f"module.no-functions@{version}")
    assert write_bytecode(read_bytecode(data, CONTEXT), version) == data


def test_globals_go_first() -> None:
    module = read_bytecode(fixture("global.private-constant-aligned@13.3"), CONTEXT)
    first, *rest = list(module.body.block)
    first.detach()
    module.body.block.append(first)
    assert [op.name for op in module.body.block] == [*(op.name for op in rest), "cuda_tile.global"]
    assert write_bytecode(module, (13, 3)) == fixture("global.private-constant-aligned@13.3")


def test_the_module_is_not_changed() -> None:
    for case in fixtures():
        module, again = (read_bytecode(case.data, CONTEXT) for _ in range(2))
        write_bytecode(module)
        assert difference(module, again, locations=True) is None


def test_a_module_inside_of_a_builtin_module() -> None:
    context = Context([CUDA_TILE, BUILTIN])
    text = '"builtin.module"() ({ "cuda_tile.module"() <{sym_name = "kernels"}> ({ ^bb0: }) : () -> () }) : () -> ()'
    outer = parse_module(context, text)
    assert write_bytecode(outer) == fixture("module.no-functions@13.1")
    two = parse_module(
        context,
        text.replace('"cuda_tile.module"', '"builtin.module"() ({ ^bb0: }) : () -> () "cuda_tile.module"'),
    )
    with pytest.raises(DiagnosticError, match=r"expected a single 'cuda_tile.module'"):
        write_bytecode(two)
    entry = next(op for op in kernel().walk() if isinstance(op, EntryOp))
    with pytest.raises(DiagnosticError, match=r"expected a 'cuda_tile.module', got 'cuda_tile.entry'"):
        write_bytecode(entry, verify=False)


def test_verification_comes_first() -> None:
    module = kernel(arguments="%x: !cuda_tile.tile<4xi32>")
    with pytest.raises(DiagnosticError, match="rank 0"):
        write_bytecode(module)
    assert (
        difference(module, read_bytecode(write_bytecode(module, verify=False), CONTEXT, verify=False)) is None
    )


PROGRAM = """
import hashlib
from tests.bytecode.fixture_files import fixtures
from tests.bytecode.writer_support import CONTEXT
from tilewright.bytecode import read_bytecode, write_bytecode
from tilewright.testing import sample_modules
made = [write_bytecode(read_bytecode(case.data, CONTEXT)) for case in fixtures()]
made += [write_bytecode(module) for module in sample_modules(20, seed="determinism")]
print(hashlib.sha256(b"".join(made)).hexdigest())
"""


def test_the_same_bytes_under_every_hash_seed() -> None:
    assert len({run_python(PROGRAM, seed=seed) for seed in ("0", "1", "4242")}) == 1


LOADED = "import sys; print(sorted(m for m in sys.modules if m.startswith('tilewright.bytecode')))"


def test_importing_the_package_loads_how_files_begin_only() -> None:
    wanted = "['tilewright.bytecode', 'tilewright.bytecode.magic']"
    assert run_python(f"import tilewright.bytecode\n{LOADED}").strip() == wanted
    reading = run_python(f"from tilewright.bytecode import read_bytecode\n{LOADED}")
    assert "tilewright.bytecode.writer.module" not in reading


def test_a_missing_name_is_an_attribute_error() -> None:
    import tilewright.bytecode as package

    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = package.nothing
    assert set(package.__all__) <= set(dir(package))
    assert isinstance(read_bytecode(fixture("exp.f32@13.1"), CONTEXT), ModuleOp)
