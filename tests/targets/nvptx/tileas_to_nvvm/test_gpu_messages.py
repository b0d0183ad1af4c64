"""What kernels on GPUs say: the text that they print, and assertions that fail, are those of the processor."""

from __future__ import annotations

import numpy as np
import pytest

from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import CHIPS, compiled, kernel, ptx_of
from tilewright import ptxsim
from tilewright.ir.diagnostic import DiagnosticError

X = "%x: tile<ptr<f32>>, %n: tile<i32>"


def told(text: str, target: str, capsys: pytest.CaptureFixture[str], number: int = 7) -> tuple[str, str]:
    """What a launch of two blocks prints, and what it is stopped by."""
    problem = ""
    try:
        compiled(text, target).launch(2, [np.zeros(4, np.float32), number], entry="k", threads=1)
    except DiagnosticError as error:
        problem = str(error)
    return capsys.readouterr().out, problem


def both_tell(text: str, chip: str, capsys: pytest.CaptureFixture[str], number: int = 7) -> tuple[str, str]:
    """The same on the processor and in the simulator."""
    wanted = told(text, "cpu", capsys, number)
    assert told(text, f"sim:{chip}", capsys, number) == wanted
    return wanted


def constant(name: str, element: str, values: str, shape: str) -> str:
    return f"%{name} = constant <{element}: {values}> : tile<{shape}{element}>\n"


@pytest.mark.parametrize("chip", CHIPS)
def test_text_scalars_and_tiles_are_printed_in_their_order(
    chip: str, capsys: pytest.CaptureFixture[str]
) -> None:
    body = """%a = iota : tile<16xi32>
    %b = reshape %a : tile<16xi32> -> tile<2x2x4xi32>
    %f = itof %b signed : tile<2x2x4xi32> -> tile<2x2x4xf16>
    %t = print_tko "100%% of block %d|%3d|\\0A", %i, %n : tile<i32>, tile<i32> -> token
    %u = print_tko "%d and %.2f, again %x.", %b, %f, %i token=%t
        : tile<2x2x4xi32>, tile<2x2x4xf16>, tile<i32> -> token
    """
    text, _ = both_tell(kernel(X, body), chip, capsys)
    assert text.startswith(
        "100% of block 0|  7|\n[[[0, 1, 2, 3], [4, 5, 6, 7]], [[8, 9, 10, 11], [12, 13, 14, 15]]] and [[[0.00,"
    )


NUMBERS = {
    "i1": ("[true, false, true, true]", "%d %u"),
    "i8": ("[-3, 0, 127, -128]", "%d %u %x %5o %c"),
    "i16": ("[-3, 0, 127, -32768]", "%d %u %#X"),
    "i32": ("[-3, 0, 127, -2147483648]", "%d %i %u %+d %08x %g"),
    "i64": ("[-3, 0, 127, -9223372036854775808]", "%lld %u %x %p %e"),
    "f16": ("[1.5, -0.0, 65504.0, 0.0000001]", "%f %g %a"),
    "bf16": ("[1.5, -0.0, 3.0e38, 1.0e-38]", "%f %G"),
    "f32": ("[1.5, -0.1, 3.0e38, 1.0e-38]", "%f %10.3e %-9g| %A"),
    "tf32": ("[1.5, -0.1, 3.0e38, 1.0e-38]", "%f %g"),
    "f64": ("[1.5, -0.1, 1.0e300, 1.0e-300]", "%f %.17g %E"),
    "f8E4M3FN": ("[1.5, -0.1, 400.0, 0.002]", "%f %g"),
}


@pytest.mark.parametrize("element", NUMBERS)
def test_elements_of_every_type_are_printed_as_on_the_processor(
    element: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a row, and as two rows."""
    values, formats = NUMBERS[element]
    rows = values.replace(", ", "], [", 2).replace("], [", ", ", 1).join("[]")
    body = constant("row", element, values, "4x") + constant("rows", element, rows, "2x2x")
    for at, conversion in enumerate(formats.split()):
        for name, shape in (("row", "4x"), ("rows", "2x2x")):
            body += f'%{name}{at} = print_tko "{conversion};", %{name} : tile<{shape}{element}> -> token\n'
    text, _ = both_tell(kernel(X, body), "sm_80", capsys)
    assert text.count(";") == 4 * len(formats.split())


def test_more_scalars_than_one_call_takes_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    arguments, types = ", ".join(["%n"] * 70), ", ".join(["tile<i32>"] * 70)
    body = f'%t = print_tko "{"%d " * 70}", {arguments} : {types} -> token\n'
    text, _ = both_tell(kernel(X, body), "sm_80", capsys)
    assert text == "7 " * 140


def test_a_conversion_of_integers_does_not_print_floats() -> None:
    text = kernel(X, constant("v", "f32", "1.5", "") + '%t = print_tko "%d", %v : tile<f32> -> token\n')
    with pytest.raises(DiagnosticError, match="'%d' prints integers, but the elements are f32"):
        ptx_of(text)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("count", [1, 16, 512])
def test_a_failed_assertion_is_the_same_diagnostic_with_its_place(
    count: int, chip: str, capsys: pytest.CaptureFixture[str]
) -> None:
    body = f"""%a = iota : tile<{count}xi32>
    %c = constant <i32: {count - 1}> : tile<{count}xi32>
    %few = cmpi less_than %a, %c, signed : tile<{count}xi32> -> tile<{count}xi1>
    %here = cmpi equal %n, %i, signed : tile<i32> -> tile<i1>
    %t = print_tko "before " -> token
    if %here {{ assert %few, "all are less" : tile<{count}xi1> }}
    """
    _, problem = both_tell(kernel(X, body), chip, capsys, 1)
    assert "kernel 'k' in tile block (1, 0, 0): assertion 'all are less' failed" in problem
    text, problem = both_tell(kernel(X, body), chip, capsys, 2)
    assert (text, problem) == ("before before ", "")


# --- the functions of the driver in the simulator

PTX = """
.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
.global .align 1 .b8 text[4] = {37, 100, 10, 0};
.visible .entry k()
{
  .local .align 8 .b8 room[8];
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  mov.u32 %r0, %tid.x;
  STORE
  mov.u64 %rd0, text;
  cvta.global.u64 %rd0, %rd0;
  mov.u64 %rd1, room;
  cvta.local.u64 %rd1, %rd1;
  { .param .b64 a; .param .b64 b; .param .b32 c;
    st.param.b64 [a], %rd0; st.param.b64 [b], %rd1;
    call.uni (c), vprintf, (a, b);
    ld.param.b32 %r1, [c]; }
  ret;
}
"""


def test_every_thread_prints_what_its_own_memory_holds(capsys: pytest.CaptureFixture[str]) -> None:
    ptxsim.launch(PTX.replace("STORE", "st.local.u32 [room], %r0;"), "k", (1,), (3,), [])
    assert capsys.readouterr().out == "0\n1\n2\n"


def test_memory_that_nothing_has_written_is_not_printed() -> None:
    with pytest.raises(DiagnosticError, match="reads memory that was never written"):
        ptxsim.launch(PTX.replace("STORE", ""), "k", (1,), (1,), [])


def test_functions_without_a_body_that_nobody_knows_are_refused() -> None:
    with pytest.raises(DiagnosticError, match="'unknown' has no body in this module"):
        ptxsim.launch(PTX.replace("STORE", "").replace("vprintf", "unknown"), "k", (1,), (1,), [])
