"""Discardable attributes: each dialect's table says which there are, and where; all others in its namespace are refused."""

from __future__ import annotations

import pytest

from tests.support.dialect_checks import DIALECTS
from tilewright.bytecode.reader.module import read_bytecode
from tilewright.bytecode.writer.module import write_bytecode
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.dialects.cuda_tile.version import LATEST
from tilewright.dialects.llvm.dialect import LLVM
from tilewright.dialects.nv_tileaa.dialect import NV_TILEAA
from tilewright.dialects.nv_tileas.dialect import NV_TILEAS
from tilewright.ir.builtin_attributes import UNIT, DictionaryAttr, StringAttr
from tilewright.ir.context import Context
from tilewright.ir.declaration.attribute_kind import UnitKind
from tilewright.ir.declaration.discardable import DiscardableAttribute
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify

CONTEXT = Context((*DIALECTS, LLVM, CUDA_TILE, NV_TILEAA, NV_TILEAS), allow_unregistered=True)
NAMES = ("cuda_tile", "nv_tileaa", "nv_tileas")


def function(
    *, on_operation: str = "", on_argument: str = "", on_result: str = "", on_module: str = ""
) -> str:
    """A module with attributes in four places."""
    return f"""module attributes {{{on_module}}} {{
  func.func @f(%a: f32 {{{on_argument}}}) -> (f32 {{{on_result}}}) {{
    %r = arith.negf %a {{{on_operation}}} : f32
    return %r : f32
  }}
}}"""


def parsed(text: str) -> Operation:
    return parse_module(CONTEXT, text)


def complaint(module: Operation) -> tuple[str, str]:
    """The one error of a module, and the hint with it."""
    (error,) = verify(module)
    return error.message, " ".join(error.hints)


PLACES = {
    "on_operation": ("arith.negf", "an operation"),
    "on_module": ("builtin.module", "an operation"),
    "on_argument": ("func.func", "an argument of a function"),
    "on_result": ("func.func", "a result of a function"),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dialect", NAMES)
def test_unknown_names_are_refused(dialect: str, place: str) -> None:
    message, hint = complaint(parsed(function(**{place: f"{dialect}.nonsense"})))
    name, where = PLACES[place]
    assert message == f"'{name}' op has the unknown discardable attribute '{dialect}.nonsense' on {where}"
    assert hint.startswith(f"the discardable attributes of '{dialect}' are {dialect}.")


@pytest.mark.parametrize("place", PLACES)
def test_names_of_other_dialects_are_theirs(place: str) -> None:
    assert verify(parsed(function(**{place: "test.nonsense"}))) == []


def test_the_near_name_is_suggested() -> None:
    text = function(on_module='nv_tileaa.target_spek = "host"')
    assert complaint(parsed(text))[1] == "did you mean 'nv_tileaa.target_spec'?"


def test_an_inherent_attribute_is_suggested() -> None:
    text = '"builtin.module"() ({ %0 = "test.value"() : () -> tensor<8xf32>\n "nv_tileaa.sqrt"(%0) {nv_tileaa.flush_to_zero} : (tensor<8xf32>) -> tensor<8xf32> }) : () -> ()'
    message, hint = complaint(parsed(text))
    assert message.endswith("has the unknown discardable attribute 'nv_tileaa.flush_to_zero' on an operation")
    assert hint == "the operation has an inherent attribute 'flush_to_zero': write it between '<{' and '}>'"


@pytest.mark.parametrize(
    ("places", "message"),
    [
        (
            {"on_operation": 'nv_tileaa.target_spec = "host"'},
            "'arith.negf' op has the discardable attribute 'nv_tileaa.target_spec', which belongs on "
            "'builtin.module', 'cuda_tile.module', 'gpu.module' only",
        ),
        (
            {"on_module": "nv_tileaa.target_spec = 3 : i32"},
            "'builtin.module' op attribute 'nv_tileaa.target_spec' failed to satisfy constraint: target specification "
            "or string",
        ),
        (
            {"on_result": "nv_tileaa.type = i32"},
            "'func.func' op has the attribute 'nv_tileaa.type' on a result of a function, but it belongs on an "
            "argument of a function",
        ),
        (
            {"on_argument": "nv_tileaa.type"},
            "'func.func' op attribute 'nv_tileaa.type' failed to satisfy constraint: any type attribute",
        ),
        (
            {"on_module": "nv_tileas.num_warps"},
            "'builtin.module' op attribute 'nv_tileas.num_warps' failed to satisfy constraint: integer",
        ),
    ],
)
def test_known_names_have_a_place_and_a_kind(places: dict[str, str], message: str) -> None:
    assert complaint(parsed(function(**places)))[0] == message


def test_known_names_are_accepted() -> None:
    module = 'nv_tileaa.target_spec = "host", nv_tileas.num_warps = 4 : i32'
    assert verify(parsed(function(on_module=module, on_argument="nv_tileaa.type = i32"))) == []


def test_attributes_that_are_set_by_hand_are_looked_at() -> None:
    module = parsed(function())
    assert verify(module) == []
    (negation,) = [op for op in module.walk() if op.name == "arith.negf"]
    negation.attributes["nv_tileaa.rounding_mode"] = UNIT
    assert "unknown discardable attribute 'nv_tileaa.rounding_mode'" in complaint(module)[0]


def test_operations_that_nobody_knows_are_looked_at() -> None:
    text = '"builtin.module"() ({ "nobody.knows"() {nv_tileaa.nonsense} : () -> () }) : () -> ()'
    assert complaint(parsed(text))[0].startswith("'nobody.knows' op has the unknown")


KERNEL = """cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    return
  }
}"""
HARMLESS, MISSPELT = "else_tile.note", "cuda_tile.note"


def test_arguments_in_bytecode_are_looked_at() -> None:
    module = parse_module(CONTEXT, KERNEL)
    (kernel,) = [op for op in module.walk() if isinstance(op, EntryOp)]
    kernel.arg_attrs = (DictionaryAttr(((HARMLESS, StringAttr("x")),)),)
    content = write_bytecode(module, version=LATEST)
    read_bytecode(content, CONTEXT)
    with pytest.raises(DiagnosticError, match=f"unknown discardable attribute '{MISSPELT}' on an argument"):
        read_bytecode(content.replace(HARMLESS.encode(), MISSPELT.encode()), CONTEXT)


# --- two dialects of one name


def painted(colour: str) -> Dialect:
    """A dialect `paint` with one discardable attribute."""
    known = DiscardableAttribute(f"paint.{colour}", UnitKind(), "The colour.")
    return Dialect("paint", discardable_attributes=(known,))


@pytest.mark.parametrize("place", ["on_operation", "on_module"])
def test_each_context_asks_its_own_dialect(place: str) -> None:
    red, blue = (Context((*DIALECTS, painted(colour)), allow_unregistered=True) for colour in ("red", "blue"))
    module = parse_module(red, function(**{place: "paint.red"}))
    for context, valid in ((red, True), (blue, False), (red, True), (blue, False)):
        assert (verify(module, dialects=context.dialects) == []) is valid


def test_without_a_context_an_attribute_is_valid_that_is_in_some_context() -> None:
    contexts = [Context((*DIALECTS, painted(colour)), allow_unregistered=True) for colour in ("red", "blue")]
    for colour in ("red", "blue"):
        assert verify(parse_module(contexts[0], function(on_operation=f"paint.{colour}"))) == []
    (error,) = verify(parse_module(contexts[0], function(on_operation="paint.green")))
    assert "unknown discardable attribute 'paint.green'" in error.message
