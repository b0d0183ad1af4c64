"""`tilewright sim`: what a launch did, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)

Command = Callable[..., Answer]
KERNEL = """.version 8.7
.target sm_80
.address_size 64
.file 1 "kernel.py"
.entry k(.param .u64 out) {
  .reg .b64 %x; .reg .b32 %t;
  .loc 1 7 3
  ld.param.b64 %x, [out]; mov.u32 %t, %tid.x; mad.wide.u32 %x, %t, 4, %x; st.global.b32 [%x], %t;
  ret;
}
"""


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    (tmp_path / "kernel.ptx").write_text(KERNEL)
    return ["sim", str(tmp_path / "kernel.ptx"), "--grid", "1", "--block", "32", "--arg", "ones(32,i32)"]


def test_counts_are_text_for_people(words: list[str], tilewright: Command) -> None:  # noqa: F811
    status, out, err = tilewright(*words)
    assert (status, out) == (0, "")
    assert err.splitlines()[0].startswith("1 blocks, 5 steps, 160 thread instructions")


def test_json_has_the_costs_of_lines(words: list[str], tilewright: Command) -> None:  # noqa: F811
    status, out, _ = tilewright(*words, "--report", "json")
    assert status == 0
    cost = {"file": "kernel.py", "line": 7, "space": "global", "requests": 1, "cost": 4, "least": 4}
    assert json.loads(out)["lines"] == [cost]


def test_the_kernel_says_how_many_threads_it_wants(words: list[str], tilewright: Command) -> None:  # noqa: F811
    """Without `--block` a kernel with `.reqntid` runs; another number of threads is refused."""
    path, given = Path(words[1]), words[4:6]
    path.write_text(KERNEL.replace("(.param .u64 out) {", "(.param .u64 out) .reqntid 16 {"))
    status, _, err = tilewright("sim", str(path), "--arg", "ones(16,i32)")
    assert status == 0, err
    assert err.startswith("1 blocks, 5 steps, 80 thread instructions")
    status, _, err = tilewright("sim", str(path), *given, "--arg", "ones(16,i32)")
    assert (status, "the kernel requires blocks of (16,), the launch has (32, 1, 1)" in err) == (1, True)


TENSOR = """.version 8.8
.target sm_100a
.address_size 64
.entry k(.param .u64 out) {
  .reg .b64 %x; .reg .b32 %m, %t, %r, %s; .shared .b32 slot;
  tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32;
  bar.sync 0; ld.shared.b32 %m, [slot]; mov.u32 %t, %tid.x;
  tcgen05.st.sync.aligned.32x32b.x1.b32 [%m], {%t}; tcgen05.wait::st.sync.aligned;
  tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r}, [%m]; add.u32 %s, %r, 1; tcgen05.wait::ld.sync.aligned;
  tcgen05.dealloc.cta_group::1.sync.aligned.b32 %m, 32;
  ld.param.b64 %x, [out]; mad.wide.u32 %x, %t, 4, %x; st.global.b32 [%x], %s; ret;
}
"""


def test_a_finding_passes_by_name(words: list[str], tilewright: Command) -> None:  # noqa: F811
    Path(words[1]).write_text(TENSOR)
    status, _, err = tilewright(*words)
    assert (status, "TW1253" in err) == (1, True)
    status, _, err = tilewright(*words, "--permit", "early-tensor-loads")
    assert status == 0, err
    status, _, err = tilewright(*words, "--permit", "no-tensor-fences")
    assert (status, "TW1253" in err) == (1, True)
    assert tilewright(*words, "--permit", "anything").status == 2
