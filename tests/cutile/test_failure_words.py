"""Words at the moment of failure: lines, carets and names of a real cuTile kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tilewright import cutile
from tilewright.ir.diagnostic import DiagnosticError

pytest.importorskip("cuda.tile")

from tests.cutile import failing_lines as kernels

TARGETS = pytest.mark.parametrize("target", ["cpu", "interp"])


def failure_of(kernel: Any, arguments: Any, check: str, target: str) -> DiagnosticError:
    with pytest.raises(DiagnosticError) as caught:
        cutile.launch(1, kernel, arguments, check=check, target=target)
    return caught.value


def check_caret(error: DiagnosticError, mark: str) -> None:
    """The headline names line and column, and the caret stands below the first character of the mark."""
    line, column = kernels.place(mark)
    head, text, caret, *_ = str(error).splitlines()
    assert head.startswith(f"{kernels.__file__}:{line}:")
    assert text.index(mark) == caret.index("^")
    if text.isascii():
        assert head.startswith(f"{kernels.__file__}:{line}:{column}: error[")


@TARGETS
def test_the_caret_stands_below_the_first_character(target: str) -> None:
    x = np.zeros(4, np.float32)
    error = failure_of(kernels.quotient, (x, x.copy()), "fpcheck", target)
    check_caret(error, "größe / größe")
    assert "a NaN or an infinity at element [0], from 0.0 and 0.0" in str(error).replace(" (and 3 more)", "")


@TARGETS
def test_a_method_is_reported_at_its_call_and_not_in_the_frontend(target: str) -> None:
    x = np.full(4, np.nan, np.float32)
    error = failure_of(kernels.cast_nan, (x, np.zeros(4, np.int32)), "promises", target)
    check_caret(error, "tile.astype")
    assert "_stub.py" not in str(error)


@TARGETS
def test_a_tile_that_is_too_large_is_reported_at_its_line(target: str) -> None:
    x = np.zeros(4, np.float32)
    error = failure_of(kernels.too_large, (x, x.copy()), "", target)
    check_caret(error, "ct.load")
    assert error.diagnostics[0].offset is None


@TARGETS
def test_an_access_outside_names_element_array_and_kernel(target: str) -> None:
    x, indices = np.zeros(100, np.float32), np.array([0, 1000, 0, 0], np.int32)
    error = failure_of(kernels.gather_oob, (x, indices, np.zeros(4, np.float32)), "memcheck", target)
    check_caret(error, "ct.gather")
    message = error.diagnostics[0].message
    assert message == (
        "kernel 'gather_oob' in tile block (0, 0, 0): load of x[1000] by element [1] of the tile "
        "is outside of x, which has 100 elements"
    )


@TARGETS
def test_a_race_names_the_element(target: str) -> None:
    pair, out = (np.zeros(1, np.int32), np.zeros(4, np.int32)), np.zeros((2, 2), np.int32)
    with pytest.raises(DiagnosticError) as caught:
        cutile.launch(2, kernels.last_one_wins, (pair, out), check="racecheck", target=target)
    assert caught.value.diagnostics[0].message == (
        "kernel 'last_one_wins' in tile block (1, 0, 0): store of out[0, 1] races with "
        "the store in tile block (0, 0, 0)"
    )


@TARGETS
def test_a_failed_assertion_names_the_kernel(target: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        cutile.launch(1, kernels.asserts, (np.zeros(4, np.float32),), target=target)
    words = "kernel 'asserts' in tile block (0, 0, 0): assertion 'positive' failed"
    assert caught.value.diagnostics[0].message.startswith(words)


@TARGETS
def test_an_array_of_a_list_is_named_by_its_place(target: str) -> None:
    arrays, out = [np.zeros(2, np.float32), np.zeros(4, np.float32)], np.zeros(4, np.float32)
    message = failure_of(kernels.read_lists, (arrays, out), "memcheck", target).diagnostics[0].message
    assert "kernel 'read_lists'" in message
    assert "is outside every known buffer" in message
    assert "memory[" not in message
    assert "argument" not in message
