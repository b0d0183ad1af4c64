"""The command that plants faults into kernels: the edits themselves, and its report on a small program."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import tilewright
from conformance import detection
from conformance.planted_faults import FAULTS
from tests.house.tree import ROOT

POINTERS = """
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %start = make_token : token
    %place = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %all = broadcast %place : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %i = iota : tile<4xi32>
    %addresses = offset %all, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %inside = constant <i1: [true, true, false, false]> : tile<4xi1>
    %zero = constant <i32: 0> : tile<4xi32>
    %x, %loaded = load_ptr_tko weak %addresses, %inside, %zero token=%start
      : tile<4xptr<i32>>, tile<4xi1>, tile<4xi32> -> tile<4xi32>, token
    %stored = store_ptr_tko weak %addresses, %x, %inside token=%loaded
      : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
    %old, %added = atomic_rmw_tko relaxed device %addresses, add, %x, %inside token=%stored
      : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> tile<4xi32>, token
    return
  }
}
"""
PLACES = {
    "dropped mask": 3,
    "off-by-one bound": 2,
    "removed atomic": 1,
    "missing token": 2,
    "uninitialised tile": 1,
}


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_faults_are_planted_one_by_one(fault: str) -> None:
    right = str(tilewright.Module.parse(POINTERS))
    forms = [str(tilewright.Module.parse(form)) for form in detection.planted(POINTERS, fault, 9)]
    for form in forms:
        assert form != right
    assert len(set(forms)) == len(forms) == PLACES[fault]


ATOMICS = """
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %q: tile<ptr<f32>>) {
    %start = make_token : token
    %one = constant <i32: 1> : tile<i32>
    %ones = constant <i32: 1> : tile<4xi32>
    %half = constant <f32: 0.5> : tile<f32>
    %tensor = make_tensor_view %p, shape = [16], strides = [1] : tensor_view<16xi32, strides=[1]>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<16xi32, strides=[1]>>
    %reduced = atomic_red_view_tko relaxed device %view[%one], umax, %ones token=%start
      : tile<4xi32>, partition_view<tile=(4), tensor_view<16xi32, strides=[1]>>, tile<i32> -> token
    %was, %swapped = atomic_cas_tko acquire device %p, %one, %one token=%reduced
      : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %float, %last = atomic_cas_tko relaxed device %q, %half, %half token=%swapped
      : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    %old, %exchanged = atomic_rmw_tko release device %p, xchg, %was token=%last
      : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %sum, %added = atomic_rmw_tko relaxed device %q, addf, %half token=%exchanged
      : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    return
  }
}
"""


def test_every_kind_of_atomic_operation_is_removed() -> None:
    forms = [str(tilewright.Module.parse(form)) for form in detection.planted(ATOMICS, "removed atomic", 9)]
    words = ("red_view", "atomic_cas", "xchg", "addf, ")
    counts = [tuple(form.count(word) for word in words) for form in forms]
    assert counts == [(0, 2, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1), (1, 2, 0, 1), (1, 2, 1, 0)]
    assert len(list(detection.planted(ATOMICS, "missing token", 9))) == 4


PROGRAM = """
import cuda.tile as ct
import numpy as np

@ct.kernel
def count(places, counts, block: ct.Constant[int]):
    i = ct.arange(block, dtype=ct.int32) + ct.bid(0) * block
    ct.atomic_add(counts, ct.gather(places, i, padding_value=-1), 1)

places = np.arange(40, dtype=np.int32) % 10
counts = np.zeros(10, np.int32)
ct.launch(None, (3,), count, (places, counts, 16))
"""


def test_the_report_says_what_checks_find(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("cuda.tile")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    assert detection.main([str(program), "--places", "1", "--target", "interp"]) == 0
    shown = capsys.readouterr()
    assert "Kernels: 1; judged by the interpreter: 1; accused as they are: 0." in shown.out
    assert "| removed atomic | 1 | 1 | 1 | 0 | 0 | 0 | TW0406 (1) |" in shown.out
    assert "| dropped mask | 1 | 1 | 1 |" in shown.out
    assert "program:count: (3, 1, 1), no alarm" in shown.err


def test_launches_are_recorded_with_the_arguments_from_before_them(tmp_path: Path) -> None:
    pytest.importorskip("cuda.tile")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    (launch,) = detection.launches_of(str(program), "interp").values()
    assert launch.arguments[1].tolist() == [0] * 10
    assert str(ROOT) not in launch.name


TEST = """
import pytest
from counting_kernels import count, ct, np

def test_counting():
    counts = np.zeros(10, np.int32)
    ct.launch(None, (1,), count, (np.arange(4, dtype=np.int32), counts, 4))

def test_a_launch_that_is_refused():
    with pytest.raises(Exception, match="power of two"):
        ct.launch(None, (1,), ct.kernel(count._annotated_function.pyfunc), (np.arange(4), np.zeros(10, int), 3))
"""


def test_tests_are_programs_and_any_executor_does_them(tmp_path: Path) -> None:
    pytest.importorskip("cuda.tile")
    (tmp_path / "counting_kernels.py").write_text(PROGRAM.partition("places = ")[0], encoding="utf-8")
    suite = tmp_path / "test_count.py"
    suite.write_text(TEST, encoding="utf-8")
    programs = [
        detection.Program(f"{suite}{end}", "interp", 1)
        for end in ("", "::test_counting", "::test_a_launch_that_is_refused")
    ]
    file = tmp_path / "results.jsonl"
    with ThreadPoolExecutor(1) as executor:
        (whole, single, none) = detection.survey(programs, executor, detection.kept_in(file))
    assert none.result() == []
    assert single.result() == whole.result()
    (kernel,) = single.result()
    assert kernel.kernel == "test_count:count: (1, 1, 1)"
    again = detection.survey(programs, ThreadPoolExecutor(1), detection.kept_in(file))
    assert [done.result() for done in again] == [[kernel], [kernel], []]


WRONG = """
from counting_kernels import count, ct, np

ct.launch(None, (1,), count, (np.arange(4, dtype=np.int32), np.zeros(3, np.int32), 4))
"""


def test_a_kernel_that_is_wrong_as_it_is_gets_no_faults(tmp_path: Path) -> None:
    pytest.importorskip("cuda.tile")
    right = PROGRAM.partition("places = ")[0]
    kernels = right.replace("ct.atomic_add(counts, ", "counts.get_raw_memory().atomic_add_offset(")
    (tmp_path / "unchecked_kernels.py").write_text(kernels, encoding="utf-8")
    program = tmp_path / "program.py"
    program.write_text(WRONG.replace("counting", "unchecked"), encoding="utf-8")
    (kernel,) = detection.tried(detection.Program(str(program), "interp"))
    assert kernel.alarms == ("TW0402 (interp)",)
    assert kernel.faults == ()
