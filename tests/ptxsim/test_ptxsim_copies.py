"""`cp.async`: what it copies, and that nothing may be read or written before the thread's wait."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ptxsim.harness import run_lanes
from tilewright.ir.diagnostic import DiagnosticError

DATA = np.arange(1, 129, dtype=np.uint32).reshape(32, 4)
HEAD = """.shared .align 16 .b8 tile[1024]; .reg .b64 %s, %g;
    mov.u64 %s, tile; mad.wide.u32 %s, %t, 16, %s; ld.param.b64 %g, [a_in]; mad.wide.u32 %g, %t, 16, %g;
"""
COPY, COMMIT, WAIT = (
    "cp.async.cg.shared.global [%s], [%g], 16;",
    "cp.async.commit_group;",
    "cp.async.wait_group 0;",
)
LOAD = "ld.shared.v4.b32 {r}, [%s];"


def copied(body: str) -> Any:
    return run_lanes(HEAD + body, {"a": DATA}, 4)


def refused(body: str) -> str:
    with pytest.raises(DiagnosticError) as error:
        copied(body)
    return str(error.value)


@pytest.mark.parametrize("wait", [COMMIT + WAIT, "cp.async.wait_all;", COMMIT + "cp.async.wait_all;"])
def test_a_copy_is_there_after_the_wait(wait: str) -> None:
    assert (copied(COPY + wait + LOAD) == DATA).all()


def test_fewer_bytes_leave_zeros() -> None:
    body = "mov.b32 %w0, 0; and.b32 %w0, %t, 3; shl.b32 %w0, %w0, 2;"
    found = copied(body + COPY.replace("16;", "16, %w0;") + COMMIT + WAIT + LOAD)
    assert (found == np.where(np.arange(4) < (np.arange(32) % 4)[:, None], DATA, 0)).all()


def test_no_byte_is_read_where_none_is_asked_for() -> None:
    """The source is out of bounds there, as it is at the end of an array."""
    body = "setp.ge.u32 %p, %t, 31; add.s64 %g, %g, 16; selp.b32 %w0, 0, 16, %p;"
    found = copied(body + COPY.replace("16;", "16, %w0;") + COMMIT + WAIT + LOAD)
    assert (found[:31] == DATA[1:]).all()
    assert (found[31] == 0).all()


def test_a_predicate_ignores_the_source() -> None:
    body = "setp.ge.u32 %p, %t, 31; add.s64 %g, %g, 16;"
    found = copied(body + COPY.replace("16;", "16, %p;") + COMMIT + WAIT + LOAD)
    assert (found[31] == 0).all()


@pytest.mark.parametrize("size", [4, 8, 16])
def test_sizes(size: int) -> None:
    body = COPY.replace("cg", "ca").replace("16;", f"{size};") + COMMIT + WAIT + "ld.shared.b32 %r0, [%s];"
    assert (copied(body + "mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0;")[:, 0] == DATA[:, 0]).all()


def test_older_groups_are_there_while_newer_ones_are_not() -> None:
    second = COPY.replace("%s", "%s+512")
    wait = "cp.async.wait_group 1;"
    assert (copied(COPY + COMMIT + second + COMMIT + wait + LOAD) == DATA).all()
    assert "TW1253" in refused(COPY + COMMIT + second + COMMIT + wait + LOAD.replace("%s", "%s+512"))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (COPY + COMMIT + LOAD, "TW1253"),  # no wait
        (COPY + WAIT + LOAD, "TW1253"),  # no commit
        (COPY + COMMIT + "cp.async.wait_group 1;" + LOAD, "TW1253"),  # a wait that leaves the group
        (COPY + "@%p cp.async.wait_all;" + LOAD, "TW1253"),  # an undefined guard
        ("setp.lt.u32 %p, %t, 16;" + COPY + COMMIT + "@%p " + WAIT + LOAD, "TW1253"),  # some do not wait
        (COPY + COMMIT + "st.shared.b32 [%s+8], 0;", "TW1260"),  # a store before the wait
        (COPY + COMMIT + COPY, "TW1260"),  # the buffer is used again too early
        (COPY.replace("[%s]", "[%s+8]"), "TW1255"),  # misaligned
        ("setp.lt.u32 %p, %t, 16; @%p " + COPY.replace("[%g]", "[%g+8]"), "TW1255"),
        (COPY.replace("[%g]", "[%g+64]"), "TW1254"),  # out of bounds
        (COPY.replace("[%s]", "[%s+2048]"), "TW1254"),
        (COPY.replace("16;", "16, 20;"), "TW1263"),  # more bytes than it copies
    ],
)
def test_faults(body: str, message: str) -> None:
    assert message in refused(body)


def test_the_copy_of_another_thread_is_not_covered() -> None:
    """The first warp waits for its own copies only."""
    swap = "xor.b32 %w0, %t, 1; mov.u64 %s, tile; mad.wide.u32 %s, %w0, 16, %s;"
    guard = "and.b32 %w1, %t, 1; setp.eq.u32 %p, %w1, 0;"
    body = guard + COPY + COMMIT + "@%p " + WAIT + "bar.sync 0;" + swap + "@%p " + LOAD
    assert "TW1253" in refused(body)
    assert "TW1265" in refused(body.replace("bar.sync 0;", ""))
