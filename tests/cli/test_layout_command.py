"""`tilewright layout`: text, JSON and pictures of expressions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tilewright.layouts.expressions import OPERATIONS

Command = Callable[..., Answer]


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
