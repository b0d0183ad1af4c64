"""What checks find in Triton's kernels, given as the text that its front end writes: the line is that of the program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tilewright.driver.target import target
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError
from tilewright.runtime.findings.record import recording
from tilewright.triton.stages import artifact_of, tile_module_of

LOADS_PAST_THE_END = """
module {
  tt.func public @k(%x: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<i32>) {
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32> loc("kernels.py":3:9)
    %1 = tt.splat %x : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    %3 = tt.load %2 : tensor<8x!tt.ptr<i32>> loc(#inner)
    %4 = tt.splat %out : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %5 = tt.addptr %4, %0 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    tt.store %5, %3 : tensor<8x!tt.ptr<i32>> loc("kernels.py":5:5)
    tt.return
  }
}
#inner = loc(callsite("/site-packages/triton/language/standard.py":9:1 at "kernels.py":4:9))
"""
OVERLAPPING_STORES = """
module {
  tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
    %two = arith.constant dense<2> : tensor<8xi32>
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %1 = arith.divsi %0, %two : tensor<8xi32>
    %2 = tt.splat %out : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %3 = tt.addptr %2, %1 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    tt.store %3, %0 : tensor<8x!tt.ptr<i32>> loc("kernels.py":7:5)
    tt.return
  }
}
"""
USES_WHAT_THE_MASK_LEFT_OUT = """
module {
  tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
    %five = arith.constant dense<5> : tensor<8xi32>
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %mask = arith.cmpi slt, %0, %five : tensor<8xi32>
    %1 = tt.splat %x : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    %3 = tt.load %2, %mask : tensor<8x!tt.ptr<i32>>
    %4 = tt.splat %out : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %5 = tt.addptr %4, %0 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    tt.store %5, %3 : tensor<8x!tt.ptr<i32>> loc("kernels.py":8:5)
    tt.return
  }
}
"""
A_STORE_INTO_ANOTHER = """
module {
  tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
    %four = arith.constant dense<4> : tensor<4xi32>
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %1 = tt.splat %out : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    tt.store %2, %0 : tensor<8x!tt.ptr<i32>> loc("kernels.py":4:5)
    BETWEEN
    %3 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %4 = arith.addi %3, %four : tensor<4xi32>
    %5 = tt.splat %out : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %6 = tt.addptr %5, %4 : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
    tt.store %6, %3 : tensor<4x!tt.ptr<i32>> loc("kernels.py":9:5)
    tt.return
  }
}
"""
"""A row is written, and then a part of it once more, as in the report triton-lang/triton#10743."""
A_STORE_OF_ONE_ELEMENT_TWICE = """
module {
  tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
    %one = arith.constant 1 : i32
    %n = tt.load %x : !tt.ptr<i32>
    tt.store %out, %one : !tt.ptr<i32>
    %0 = arith.subi %n, %one : i32
    %1 = tt.addptr %out, %0 : !tt.ptr<i32>, i32
    tt.store %1, %n : !tt.ptr<i32>
    tt.return
  }
}
"""


def launched(text: str, check: str, where: str = "cpu") -> list[np.ndarray]:
    """Two arrays, of five numbers and of eight, after a launch with a check."""
    module = tile_module_of(text, by_pointer=check == "racecheck")
    artifact = artifact_of(module, "k", target(where), (check,))
    arrays: Any = [np.ones(5, np.int32), np.zeros(8, np.int32)]
    artifact.launch(1, arrays)
    return arrays


def finding(text: str, check: str, where: str = "cpu") -> Diagnostic:
    """What a check finds."""
    with pytest.raises(DiagnosticError) as caught:
        launched(text, check, where)
    return caught.value.diagnostics[0]


@pytest.mark.parametrize(
    ("text", "check", "code", "place"),
    [
        pytest.param(LOADS_PAST_THE_END, "memcheck", "TW0402", ("kernels.py", 4, 9), id="past the end"),
        pytest.param(OVERLAPPING_STORES, "racecheck", "TW0406", ("kernels.py", 7, 5), id="overlapping"),
        pytest.param(
            USES_WHAT_THE_MASK_LEFT_OUT, "initcheck", "TW0405", ("kernels.py", 8, 5), id="masked off"
        ),
    ],
)
def test_faults_are_found_at_the_line_of_the_program(text: str, check: str, code: str, place: Any) -> None:
    found = finding(text, check)
    assert (str(found.code), found.location.source) == (code, place)


@pytest.mark.parametrize("where", ["cpu", "interp"])
def test_the_record_of_findings_hears_of_them(where: str) -> None:
    """So what `tilewright run` and the pytest plugin say does not depend on what the program does with the exception."""
    with recording() as stopping:
        finding(LOADS_PAST_THE_END, "memcheck", where)
    with recording(goes_on=True) as record:
        launched(LOADS_PAST_THE_END, "memcheck", where)
        launched(OVERLAPPING_STORES, "racecheck", where)
    assert [str(one.code) for one in (*stopping.findings, *record.findings)] == ["TW0402", "TW0402", "TW0406"]
    assert record.launches == {"k": 2}


def test_stores_through_other_pointers_of_a_parameter_are_in_no_order() -> None:
    found = finding(A_STORE_INTO_ANOTHER.replace("BETWEEN", ""), "racecheck", "interp")
    assert (str(found.code), found.location.source) == ("TW0406", ("kernels.py", 9, 5))


def test_a_barrier_orders_them() -> None:
    out = launched(A_STORE_INTO_ANOTHER.replace("BETWEEN", "ttg.barrier all"), "racecheck", "interp")[1]
    assert out.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]


def test_stores_of_single_elements_are_in_order() -> None:
    assert launched(A_STORE_OF_ONE_ELEMENT_TWICE, "racecheck", "interp")[1][0] == 1
