"""`tilewright schedule`: lanes, operations and JSON of loops."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tests.lowering.schedule.loops import COUNTED, PRODUCTS

Command = Callable[..., Answer]
STRAIGHT = """cuda_tile.module @m {
  entry @nothing() {
    return
  }
}
"""


@pytest.fixture
def products(tmp_path: Path) -> str:
    path = tmp_path / "products.mlir"
    path.write_text(PRODUCTS, encoding="utf-8")
    return str(path)


def test_lanes_and_operations(tilewright: Command, products: str) -> None:  # noqa: F811
    status, out, err = tilewright("schedule", products)
    assert (status, err) == (0, "")
    head, summary, _, *lines = out.splitlines()
    assert head == f"@products, loop at {products}:12:12:"
    assert "stages; shared memory binds" in summary
    lanes = [line for line in lines if "|" in line]
    assert [line.split("|")[0].strip() for line in lanes] == [
        "issue",
        "integer",
        "shared memory",
        "global memory",
        "matrix",
    ]
    assert {len(line.split("|")[1]) for line in lanes} == {64}
    operations = [line.split()[4] for line in lines if "nv_tileas" in line]
    assert operations.count("nv_tileas.load") == operations.count("nv_tileas.convert_layout") == 2
    assert operations[-1] == "nv_tileas.dot"


def test_the_same_as_json(tilewright: Command, products: str) -> None:  # noqa: F811
    status, out, _ = tilewright("schedule", products, "--json", "--target", "sm_90a")
    (loop,) = json.loads(out)["loops"]
    assert (status, loop["kernel"], loop["binding"], loop["serial_because"]) == (
        0,
        "products",
        "shared memory",
        None,
    )
    assert loop["interval"] >= loop["bounds"]["units"] == max(loop["busy"].values())


def test_a_serial_loop_has_its_reason(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "counted.mlir"
    path.write_text(COUNTED, encoding="utf-8")
    assert "none overlap, as the loop has fewer than 8 operations" in tilewright("schedule", str(path)).out


def test_without_a_loop_there_is_no_schedule(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "straight.mlir"
    path.write_text(STRAIGHT, encoding="utf-8")
    status, out, err = tilewright("schedule", str(path))
    assert (status, out) == (2, "")
    assert "the kernels have no counted loop" in err


def test_a_target_without_layouts_is_refused(tilewright: Command, products: str) -> None:  # noqa: F811
    status, _, err = tilewright("schedule", products, "--target", "cpu")
    assert status == 2
    assert "layouts" in err
