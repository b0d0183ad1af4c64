"""Launches of other authors' suites: kept, read again, compared, proved, and made wrong on purpose."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("z3")

from conformance import comparisons, numerical_faults, proofs
from conformance.launch_records import MOST_BYTES, MOST_LAUNCHES, LaunchRecorder, read, record, smallest
from tilewright.driver.repeatable import LaunchedKernel
from tilewright.interp.memory.access_messages import NamedArray

PLACES = "tile<16xptr<f32>>"
KERNEL = f"""
cuda_tile.module @m {{
  entry @scale(%x: tile<ptr<f32>>, %out: tile<ptr<f32>>) {{
    %lane = iota : tile<16xi32>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xs = broadcast %x1 : tile<1xptr<f32>> -> {PLACES}
    %from = offset %xs, %lane : {PLACES}, tile<16xi32> -> {PLACES}
    %out1 = reshape %out : tile<ptr<f32>> -> tile<1xptr<f32>>
    %outs = broadcast %out1 : tile<1xptr<f32>> -> {PLACES}
    %to = offset %outs, %lane : {PLACES}, tile<16xi32> -> {PLACES}
    %value, %t0 = load_ptr_tko weak %from : {PLACES} -> tile<16xf32>, token
    %factor = constant <f32: 1.5> : tile<16xf32> loc("scale.py":3:1)
    %scaled = mulf %value, %factor rounding<nearest_even> : tile<16xf32> loc("scale.py":4:1)
    %t1 = store_ptr_tko weak %to, %scaled : {PLACES}, tile<16xf32> -> token loc("scale.py":5:1)
    return
  }}
}}
""".encode()


def launched() -> LaunchedKernel:
    """A launch whose arrays are halves of one array."""
    both = np.linspace(1, 2, 32, dtype=np.float32)
    x, out = both[:16], both[16:]
    return LaunchedKernel(KERNEL, "scale", (1, 1, 1), [x, out], [NamedArray("x", x), NamedArray("out", out)])


@pytest.fixture(name="folder", scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records") / "suite"
    engine = LaunchRecorder(folder)
    for _ in range(MOST_LAUNCHES + 1):
        given = launched()
        engine(given, "interp")
        np.testing.assert_array_equal(given.arguments[1], given.arguments[0] * np.float32(1.5))
    return folder


def test_the_first_launches_are_read_as_they_were_before_they_ran(folder: Path) -> None:
    (found,) = read(folder).values()
    assert len(found) == MOST_LAUNCHES
    before, (arguments, memory) = launched(), found[0].arguments()
    assert (found[0].content, found[0].entry, found[0].grid) == (KERNEL, "scale", (1, 1, 1))
    for given, kept, named in zip(before.arguments, arguments, memory, strict=True):
        np.testing.assert_array_equal(kept, given)
        assert named.array is kept
    assert [one.name for one in memory] == ["x", "out"]


def test_arrays_that_share_memory_share_it_again() -> None:
    given = launched()
    base = given.arguments[0].base
    kept = record(LaunchedKernel(KERNEL, "scale", (1, 1, 1), [base[:16], base[8:24:2]]))
    assert kept is not None
    (one, other), _ = kept.arguments()
    other[0] = 7
    assert (one[8], other.strides) == (7, (8,))
    assert record(LaunchedKernel(KERNEL, "scale", (1, 1, 1), [np.zeros(MOST_BYTES + 1, np.uint8)])) is None


def test_the_table_of_proofs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert proofs.main([str(folder), "--verbose"]) == 0
    out, err = capsys.readouterr()
    cells = [cell.strip() for cell in out.splitlines()[-1].strip("| ").split("|")]
    assert cells[:10] == ["suite", "1", "2", "0", "0", "100%", "1", "0", "0", "100%"]
    assert err.startswith("scale: ")


def test_the_table_of_comparisons(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert comparisons.main([str(folder)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "| suite | 1 | 1 | 0 | 0 | 0 |"


def test_a_planted_fault_is_told_at_its_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fault = numerical_faults.FAULTS["wrong constants"]
    monkeypatch.setattr(numerical_faults, "FAULTS", {"wrong constants": fault})
    (records,) = smallest(folder).values()
    drawn: Any = numerical_faults.draw([records[0]], random.Random(0))
    name, entry, site, found = next(drawn)
    assert (name, entry) == ("wrong constants", "scale")
    assert site.lines == {("scale.py", 3), ("scale.py", 4)}
    assert found.findings[0].location.source[:2] in site.lines
