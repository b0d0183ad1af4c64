"""Barriers in shared memory: phases, counts, bytes, and what is told of wrong ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ptxsim.harness import run
from tilewright.ir.diagnostic import DiagnosticError

HEAD = """.shared .align 8 .b64 bar[2]; .shared .align 16 .b8 tile[2048]; .reg .b32 %b; .reg .b64 %s, %g, %state;
    mov.u32 %b, bar; setp.eq.u32 %p, %t, 0; mov.b32 %r, 7;
"""
INIT = "@%p mbarrier.init.shared::cta.b64 [%b], {count}; bar.sync 0;"
WAIT = """
wait{n}:
    mbarrier.try_wait.parity.shared::cta.b64 %q, [%b], {parity}; @!%q bra wait{n};
"""


def alone(body: str, block: int = 64) -> Any:
    return run(HEAD + body, "b32 -> b32", np.arange(block, dtype=np.uint32))


def refused(body: str, block: int = 64) -> str:
    with pytest.raises(DiagnosticError) as error:
        alone(body, block)
    return str(error.value)


def wait(n: int, parity: int) -> str:
    return WAIT.format(n=n, parity=parity)


def init(count: int) -> str:
    return INIT.format(count=count)


ARRIVE = "mbarrier.arrive.shared::cta.b64 _, [%b];"


def test_phases_end_when_all_have_arrived() -> None:
    body = init(64) + ARRIVE + wait(1, 0) + ARRIVE + wait(2, 1) + ARRIVE + wait(3, 0)
    assert (alone(body) == 7).all()


def test_states_of_arrivals() -> None:
    body = (
        init(64)
        + """mbarrier.arrive.shared::cta.b64 %state, [%b];
    mbarrier.pending_count.b64 %r, %state;
again:
    mbarrier.test_wait.shared::cta.b64 %q, [%b], %state; @!%q bra again;"""
    )
    assert sorted(alone(body).tolist()) == list(range(1, 65))


def test_counts_and_drops() -> None:
    """The first phase has 4 arrivals of one thread; a second thread leaves, so later phases have 3."""
    body = init(4) + "@%p mbarrier.arrive.shared::cta.b64 _, [%b], 3; setp.eq.u32 %q, %t, 1;"
    body += "@%q mbarrier.arrive_drop.shared::cta.b64 _, [%b];" + wait(1, 0)
    body += "@%p mbarrier.arrive.noComplete.shared::cta.b64 %state, [%b], 2;"
    body += "@%p mbarrier.arrive.shared::cta.b64 _, [%b], 1;" + wait(2, 1)
    assert (alone(body) == 7).all()


def test_bytes_hold_a_phase() -> None:
    """Another warp completes the bytes that the first one expects."""
    body = init(1) + "@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 64; setp.eq.u32 %q, %t, 40;"
    body += "@%q mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%b], 48;"
    body += "@%q mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%b], 16;"
    body += "@%q mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%b], 32;" + wait(1, 0)
    assert (alone(body) == 7).all()


def test_one_warp_waits_for_another() -> None:
    body = init(32) + "setp.lt.u32 %q, %t, 32; @%q bra consumer; mov.u64 %s, tile; st.shared.b32 [%s+64], 9;"
    body += ARRIVE + "bra end;\nconsumer:" + wait(1, 0) + "mov.u64 %s, tile; ld.shared.b32 %r, [%s+64];\nend:"
    assert alone(body).tolist() == [9] * 32 + [7] * 32


def test_a_look_at_a_phase_that_this_thread_ends() -> None:
    """A wait outside of a loop may answer no."""
    body = (
        init(1) + "mbarrier.try_wait.parity.shared::cta.b64 %q, [%b], 0; selp.b32 %r, 1, 2, %q; bar.sync 0;"
    )
    body += "@%p " + ARRIVE + wait(1, 0)
    assert set(alone(body).tolist()) == {2}


COPY = """mov.u64 %s, tile; mad.wide.u32 %s, %t, 16, %s; ld.param.b64 %g, [in0];
    cp.async.ca.shared.global [%s], [%g], 4;
"""


@pytest.mark.parametrize(("kind", "count"), [(".noinc", 64), ("", 64)])
def test_copies_arrive(kind: str, count: int) -> None:
    """Without .noinc the pending count grows by the arrival to come, so threads arrive themselves."""
    body = init(count) + COPY + f"cp.async.mbarrier.arrive{kind}.shared::cta.b64 [%b];"
    body += ("" if kind else ARRIVE) + wait(1, 0) + "ld.shared.b32 %r, [%s];"
    assert (alone(body) == 0).all()
    assert "TW1253" in refused(
        body.replace("wait1:", "bra skip;\nwait1:").replace("ld.shared", "skip:\nld.shared")
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (ARRIVE, "TW1262]: there is no mbarrier at shared address 0x400"),
        (
            "@%p mbarrier.init.shared::cta.b64 [%b], 64;" + init(64),
            "TW1262]: there is an mbarrier at shared address",
        ),
        (init(0), "TW1262]: an mbarrier of 0 arrivals"),
        (init(32) + "mbarrier.arrive.shared::cta.b64 _, [%b], 33;", "TW1262]: 33 arrivals"),
        (init(65) + ARRIVE + wait(1, 0), "waits in phase 0 for 1 arrivals and 0 bytes"),
        (init(64) + ARRIVE + wait(1, 1) + wait(2, 1), "TW1256]"),  # a wait for the wrong phase
        (
            init(1) + "@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 64;" + wait(1, 0),
            "waits in phase 0 for 0 arrivals and 64 bytes",
        ),
        (
            init(1)
            + "@%p mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%b], 16; bar.sync 0; @%p "
            + ARRIVE
            + wait(1, 0),
            "16 bytes too many came",
        ),
        (init(64).replace("[%b]", "[%b+4]"), "TW1255]"),
        (init(64) + "ld.shared.b64 %state, [%b]; cvt.u32.u64 %r, %state;", "TW1253]"),
        (init(64) + "@%p st.shared.b32 [%b], 0;", "TW1260]: a store to bytes of an mbarrier"),
        (init(64) + "@%p mbarrier.inval.shared::cta.b64 [%b]; bar.sync 0;" + ARRIVE, "TW1262]"),
        (
            init(2) + "@%p mbarrier.arrive.noComplete.shared::cta.b64 %state, [%b], 2;",
            "TW1262]: an arrival with",
        ),
        (
            init(64) + COPY + "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%b];",
            "TW1260]: the block ends before",
        ),
        ("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%b], 2000000;", "TW1262]"),
        (
            init(1) + "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%b], 2000000;",
            "2000000 bytes are outstanding",
        ),
    ],
)
def test_faults(body: str, message: str) -> None:
    assert message in refused(body)
