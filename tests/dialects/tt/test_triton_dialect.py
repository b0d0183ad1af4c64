"""The dialects of Triton: text equal to that of its printer, and the messages of its verifier.

The data is what Triton 3.9 printed for the kernels in `kernels`; where its wheel is installed, it is asked again.
"""

from __future__ import annotations

import io
import re
import warnings
from pathlib import Path

import pytest

from tests.dialects.tt.broken import BROKEN, module_text
from tilewright.cli.commands.opt import run_opt
from tilewright.dialects.tt.dialect import OPERATIONS
from tilewright.dialects.ttg.dialect import TTG
from tilewright.driver.startup import context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify

DATA = Path(__file__).parent / "data"
FILES = sorted(DATA.glob("*.mlir"))
LOCATED = PrintOptions(debug_info=True, names_from_locations=True)


def options(path: Path) -> PrintOptions:
    """How Triton printed a file."""
    return LOCATED if path.name.endswith(".located.mlir") else PrintOptions()


def module_of(path: Path) -> Operation:
    """The module in a file."""
    return parse_module(context(), path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_text_is_that_of_triton(path: Path):
    module = module_of(path)
    assert [str(error) for error in verify(module)] == []
    assert f"{module.print(options(path)).strip()}\n" == path.read_text(encoding="utf-8")


def test_every_operation_is_in_the_data():
    text = "".join(path.read_text(encoding="utf-8") for path in FILES)
    used = set(re.findall(r'"?(ttg?\.[a-z_.]+)', text))
    assert [op.op_kind.name for op in (*OPERATIONS, *TTG.operations) if op.op_kind.name not in used] == []


def test_generic_form_says_the_same():
    module = module_of(DATA / "operations.mlir")
    again = parse_module(context(), module.print(PrintOptions(generic=True)))
    assert again.print(PrintOptions()) == module.print(PrintOptions())


@pytest.mark.parametrize(("body", "message"), BROKEN, ids=range(len(BROKEN)))
def test_messages_are_those_of_triton(body: str, message: str):
    (error, *_) = verify(parse_module(context(), module_text(body)))
    assert error.message == message


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "%r = tt.dot_scaled %e8 scale %one, %w, %z lhs = e4m3 rhs = fp16 {fastMath = false} : "
            "tensor<16x32xi8>, tensor<1xi8> * tensor<32x16xf16> -> tensor<16x16xf32>",
            "'tt.dot_scaled' op scales must be 2d or 3d, but got 'tensor<1xi8>'",
        ),
        (
            "%r = tt.dot_scaled %e8 scale %none, %w, %z lhs = e4m3 rhs = fp16 {fastMath = false} : "
            "tensor<16x32xi8>, tensor<16x0xi8> * tensor<32x16xf16> -> tensor<16x16xf32>",
            "scale factor must be 16 or 32. Got 0",
        ),
        (
            "%r = tt.descriptor_gather %pointers[%v, %i] : "
            "(!tt.tensordesc<1x32x!tt.ptr<f32>>, tensor<16xi32>, i32) -> tensor<16x32x!tt.ptr<f32>>",
            "'tt.descriptor_gather' op elements of rows must be integers or floats, but got '!tt.ptr<f32>'",
        ),
    ],
)
def test_input_without_groups_or_bits(body: str, message: str):
    """Triton's verifier ends with a crash here."""
    made = (
        "%one = ub.poison : tensor<1xi8>\n%none = ub.poison : tensor<16x0xi8>\n"
        "%pointers = ub.poison : !tt.tensordesc<1x32x!tt.ptr<f32>>\n"
    )
    (error, *_) = verify(parse_module(context(), module_text(made + body)))
    assert error.message == message


def test_groups_of_operands_are_of_one_size():
    body = "%r = tt.make_tensor_descriptor %p, [%i], [%l, %l] : <f32>, <16xf32>"
    (error,) = verify(parse_module(context(), module_text(body)))
    assert error.message == "'tt.make_tensor_descriptor' op expects all groups of operands to be of one size"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("!tt.ptr<tensor<4xi32>>", "pointer types must point to integer or floating-point types"),
        ('!tt.ptr<f32, "shared">', "invalid pointer address space 'shared'"),
        ("!tt.tensordesc<4x?xf32>", "expected static shape"),
        (
            "!tt.tensordesc<tensor<4xf32>>",
            "tensor descriptors must not wrap tensor types; use "
            "!tt.tensordesc<shape x element-type[, layout]> instead",
        ),
    ],
)
def test_types_that_do_not_exist(text: str, message: str):
    with pytest.raises(DiagnosticError) as raised:
        parse_module(context(), f"tt.func private @f({text})")
    assert raised.value.diagnostics[0].message == message


def test_optimizer_driver_reads_and_prints_kernels():
    path = DATA / "calls.located.mlir"
    out, err = io.StringIO(), io.StringIO()
    flags = ["--mlir-print-debuginfo", "--mlir-use-nameloc-as-prefix"]
    assert run_opt([str(path), *flags], io.StringIO(), out, err) == 0, err.getvalue()
    assert out.getvalue().strip() == path.read_text(encoding="utf-8").strip()


@pytest.mark.parametrize(("name", "calls"), [("combine", 0), ("calls", 1)])
def test_calls_are_inlined_unless_the_function_says_no(name: str, calls: int):
    out, err = io.StringIO(), io.StringIO()
    flags = ["--pass-pipeline=builtin.module(inline,symbol-dce)", str(DATA / f"{name}.mlir")]
    assert run_opt(flags, io.StringIO(), out, err) == 0, err.getvalue()
    assert out.getvalue().count("tt.call") == calls


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.stem != "operations"], ids=lambda path: path.stem
)
def test_wheel_prints_the_data(path: Path):
    pytest.importorskip("triton.language")
    from tests.dialects.tt.kernels import texts

    name = path.name.partition(".")[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what Triton will change: what is printed is data all the same
        printed = texts(name)
    assert path.read_text(encoding="utf-8") in printed


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_wheel_reads_what_we_print(path: Path):
    pytest.importorskip("triton.language")
    from conformance.triton_text import Judge

    judge = Judge()
    assert judge.printed(module_of(path).print(options(path)), path) == judge.printed(
        path.read_text(encoding="utf-8"), path
    )
