"""`tilewright layout`: text, JSON and pictures of expressions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tilewright.layouts.expressions import OPERATIONS

Command = Callable[..., Answer]
KERNEL = """cuda_tile.module @m {
  entry @square(%out: tile<ptr<i32>>) {
    %a = iota : tile<16xi32>
    %b = muli %a, %a : tile<16xi32>
    %all = make_tensor_view %out, shape = [16], strides = [1] : tensor_view<16xi32, strides=[1]>
    %tiles = make_partition_view %all : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %s = store_view_tko weak %b, %tiles[%zero]
        : tile<16xi32>, partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
"""


@pytest.fixture
def kernel(tmp_path: Path) -> str:
    path = tmp_path / "square.mlir"
    path.write_text(KERNEL, encoding="utf-8")
    return str(path)


def test_text(tilewright: Command) -> None:  # noqa: F811
    status, out, err = tilewright("layout", "composition(8:2, 4:1)")
    assert (status, err) == (0, "")
    assert out.splitlines()[:2] == ["4:2", "4 elements, offsets span 7"]


def test_json(tilewright: Command) -> None:  # noqa: F811
    status, out, _ = tilewright("layout", "--json", "(2,2):(4,1)")
    assert status == 0
    assert json.loads(out) == {
        "schema": 1,
        "kind": "layout",
        "text": "(2,2):(4,1)",
        "shape": [2, 2],
        "stride": [4, 1],
        "size": 4,
        "cosize": 6,
        "offsets": [0, 4, 1, 5],
    }


def test_a_picture(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    file = tmp_path / "layout.svg"
    assert tilewright("layout", "mma.m16n8k16.A.f16", "--svg", str(file)).status == 0
    assert file.read_text(encoding="utf-8").startswith("<svg")


def test_nothing_to_draw(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    file = tmp_path / "layout.svg"
    status, out, err = tilewright("layout", "S<3,4,3>", "--svg", str(file))
    assert (status, out) == (2, "")
    assert err == "error: there is nothing to draw of 'S<3,4,3>'\nhint: draw a layout or a conversion\n"
    assert not file.exists()


def test_what_is_refused(tilewright: Command) -> None:  # noqa: F811
    status, out, err = tilewright("layout", "composition((4,3):(1,10), 6:1)")
    assert (status, out) == (1, "")
    assert err.startswith(
        "error[TW1402]: (4,3):(1,10) and 6:1 are not composable: 4 does not divide 6\nhint: "
    )


def test_help_names_every_operation(tilewright: Command) -> None:  # noqa: F811
    out = tilewright("layout", "--help").out
    assert [name for name in OPERATIONS if name not in out] == []


def test_the_layouts_of_a_kernel(tilewright: Command, kernel: str) -> None:  # noqa: F811
    status, out, err = tilewright("layout", kernel)
    assert (status, err) == (0, "")
    assert f"@square %0 : tensor<16xi32> at {kernel}:3:10\n" in out
    assert f" : tensor<16xi32> at {kernel}:4:10\n" in out
    assert "\n(16) lane=(16,2):(1@0,0) warp=4:0\n16 elements in " in out
    assert out.count("tensor view") == out.count("thread view") == out.count("16 elements in ") >= 1


def test_one_tile_of_a_kernel(tilewright: Command, kernel: str, tmp_path: Path) -> None:  # noqa: F811
    file = tmp_path / "layout.svg"
    for name in ("0", "%0"):
        status, out, _ = tilewright("layout", kernel, "--value", name, "--svg", str(file), "--json")
        assert status == 0
        (layout,) = json.loads(out)["layouts"]
        assert [one["name"] for one in layout["values"]] == ["%0"]
        assert layout["values"][0]["location"] == [kernel, 3, 10]
        assert f"%0 {layout['text']} thread view" in file.read_text(encoding="utf-8")


def test_a_tile_that_is_not_there(tilewright: Command, kernel: str) -> None:  # noqa: F811
    status, _, err = tilewright("layout", kernel, "--value", "nothing")
    assert (status, "no tile is called '%nothing'" in err) == (2, True)
    assert "--value is for kernels" in tilewright("layout", "(2,2):(4,1)", "--value", "%0").err


def test_a_target_without_layouts(tilewright: Command, kernel: str) -> None:  # noqa: F811
    status, out, err = tilewright("layout", kernel, "--target", "cpu")
    assert (status, out) == (2, "")
    assert "there is no stage 'layouts'" in err
