"""Races on shared memory: what orders two accesses, and what does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ptxsim.harness import run
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import launch

HEAD = """.shared .align 8 .b64 bar; .shared .b32 word[64]; .shared .b32 flag; .reg .b32 %b, %s, %o; .reg .pred %one;
    mov.u32 %b, bar; mad.lo.u32 %s, %t, 4, WORD; xor.b32 %o, %t, OTHER; mad.lo.u32 %o, %o, 4, WORD; mov.b32 %r, 1;
    setp.eq.u32 %one, %t, 0; @%one mbarrier.init.shared::cta.b64 [%b], 64; @%one st.shared.b32 [flag], 0; bar.sync 0;
""".replace("WORD", "%w7").replace("mov.u32 %b, bar;", "mov.u32 %b, bar; mov.u32 %w7, word;")
STORE, LOAD = "st.shared.b32 [%s], %t;", "ld.shared.b32 %r, [%o];"
WAIT = """mbarrier.arrive.shared::cta.b64 _, [%b];
wait: mbarrier.try_wait.parity.shared::cta.b64 %q, [%b], 0; @!%q bra wait;"""
SPIN = """membar.cta; setp.eq.u32 %p, %t, 63; bar.warp.sync -1; @%p st.release.cta.shared.b32 [flag], 1;
spin: ld.acquire.cta.shared.b32 %w1, [flag]; setp.eq.u32 %q, %w1, 0; @%q bra spin;"""


def alone(body: str, other: int = 32) -> Any:
    return run(HEAD.replace("OTHER", str(other)) + body, "b32 -> b32", np.arange(64, dtype=np.uint32))


def raced(body: str, other: int = 32) -> str:
    with pytest.raises(DiagnosticError) as error:
        alone(body, other)
    return str(error.value)


@pytest.mark.parametrize(
    "order",
    ["bar.sync 0;", "barrier.sync 1, 64;", WAIT, "barrier.cluster.arrive; barrier.cluster.wait;"],
)
def test_what_orders_all_threads(order: str) -> None:
    assert (alone(STORE + order + LOAD) == np.arange(64) ^ 32).all()


def test_a_warp_is_ordered_by_its_own_barrier() -> None:
    assert (alone(STORE + "bar.warp.sync -1;" + LOAD, other=5) == np.arange(64) ^ 5).all()
    assert "TW1265" in raced(STORE + "bar.warp.sync -1;" + LOAD, other=32)


@pytest.mark.parametrize(
    "body",
    [
        STORE + LOAD,
        STORE + "membar.cta;" + LOAD,  # a fence is no barrier
        STORE + "shfl.sync.idx.b32 %w1, %t, 0, 31, -1;" + LOAD,
        STORE + "bar.sync 0;" + LOAD + "st.shared.b32 [%s], 7;",  # a write behind a read of another thread
        STORE + "bar.sync 0; st.shared.b32 [%o], 7;" + STORE,  # two writes
        STORE + "bar.arrive 1, 128; bar.arrive 1, 128;" + LOAD,  # arrival is no wait
        STORE + "mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%b];" + WAIT.partition("\n")[2] + LOAD,
        STORE + WAIT.replace("try_wait.parity", "try_wait.parity.relaxed.cta") + LOAD,
        STORE + "barrier.cluster.arrive.relaxed; barrier.cluster.wait;" + LOAD,
    ],
)
def test_what_orders_nothing(body: str) -> None:
    assert "TW1265]: shared address" in raced(body)


def test_flags_order() -> None:
    """The last thread publishes with release, and others acquire; a plain flag is a race."""
    body = (
        "setp.eq.u32 %p, %t, 63; mov.u32 %w2, word; @%p st.shared.b32 [%w2], 9; SPIN ld.shared.b32 %r, [%w2];"
    )
    assert (alone(body.replace("SPIN", SPIN)) == 9).all()
    assert "TW1265" in raced(
        body.replace("SPIN", SPIN.replace(".release.cta", "").replace(".acquire.cta", ""))
    )


def test_bytes_of_one_word_are_apart() -> None:
    body = "mov.u32 %w2, word; add.u32 %w2, %w2, %t; cvt.u16.u32 %h, %t; st.shared.b8 [%w2], %h; bar.sync 0;"
    body = ".reg .b16 %h;" + body + "ld.shared.u8 %r, [%w2];"
    assert (alone(body) == np.arange(64)).all()


def test_bytes_of_an_mbarrier_may_be_used_again() -> None:
    body = (
        WAIT
        + "bar.sync 0; @%one mbarrier.inval.shared::cta.b64 [%b]; bar.sync 0; @%one st.shared.b32 [%b], 4;"
    )
    assert (alone(body + "bar.sync 0; ld.shared.b32 %r, [%b];") == 4).all()


PROXY = """.version 8.7
.target sm_90a
.address_size 64
.entry k(.param .u64 src, .param .u64 dst) {
    .reg .b32 %t, %r, %s, %b; .reg .b64 %in, %out; .reg .pred %one, %q; .shared .align 8 .b64 bar; .shared .align 16 .b8 tile[128];
    mov.u32 %t, %tid.x; setp.eq.u32 %one, %t, 0; mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s; mov.u32 %b, bar;
    ld.param.u64 %in, [src]; ld.param.u64 %out, [dst]; @%one mbarrier.init.shared::cta.b64 [%b], 1; bar.sync 0;
"""
FENCE = "fence.proxy.async.shared::cta;"
PUT = "@%one cp.async.bulk.global.shared::cta.bulk_group [%out], [tile], 128; @%one cp.async.bulk.commit_group; @%one cp.async.bulk.wait_group 0;"
GET = """@%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 128;
    @%one cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%in], 128, [%b];"""
WAIT_GET = "\nwait: mbarrier.try_wait.parity.shared::cta.b64 %q, [%b], 0; @!%q bra wait;\n"
FILL, USE = "st.shared.b32 [%s], %t;", "ld.shared.b32 %r, [%s];"


def proxied(body: str) -> Any:
    out = np.zeros(32, np.uint32)
    launch(PROXY + body + "ret; }", "k", (1,), (32,), [np.arange(32, dtype=np.uint32), out])
    return out


@pytest.mark.parametrize(
    "body",
    [
        FILL + FENCE + "bar.sync 0;" + PUT,
        FILL + "fence.proxy.async; bar.sync 0;" + PUT,
        FILL + "bar.sync 0;" + FENCE + PUT,  # by the thread that starts the copy, behind the barrier
        GET + WAIT_GET + "bar.sync 0;" + PUT,  # from one asynchronous copy to the next
        GET + WAIT_GET + USE,
    ],
)
def test_orders_of_the_async_proxy(body: str) -> None:
    proxied(body)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (FILL + "bar.sync 0;" + PUT, "without a proxy fence"),
        (FILL + FENCE + PUT, "no synchronisation orders this after thread 1"),  # no barrier
        (FENCE + FILL + "bar.sync 0;" + PUT, "without a proxy fence"),  # the fence stands before the write
        (FILL + "fence.proxy.async.global; bar.sync 0;" + PUT, "without a proxy fence"),
        (FILL + "setp.lt.u32 %q, %t, 16; @%q " + FENCE + "bar.sync 0;" + PUT, "without a proxy fence"),
        (FILL + "bar.sync 0;" + GET + WAIT_GET, "without a proxy fence"),
        (
            FILL + FENCE + "bar.sync 0;" + USE + GET + WAIT_GET,
            "no synchronisation orders this after thread 1, which read it",
        ),
        (GET + "setp.eq.u32 %q, %t, 40; @%q bra wait; bra use;" + WAIT_GET + "use:" + USE, "TW1265"),
    ],
)
def test_races_with_the_async_proxy(body: str, message: str) -> None:
    with pytest.raises(DiagnosticError) as error:
        proxied(body)
    assert message in str(error.value)


def test_a_copy_lands_at_its_wait() -> None:
    """A barrier between the start of a copy and the wait orders nothing."""
    body = ".reg .b32 %d; ld.param.b64 %x, [in0]; mad.wide.u32 %x, %t, 4, %x; cp.async.ca.shared.global [%s], [%x], 4;"
    body += "cp.async.commit_group; bar.sync 0; cp.async.wait_group 0;"
    assert "TW1265" in raced(body + LOAD)
    assert (alone(body + "bar.sync 0;" + LOAD) == np.arange(64) ^ 32).all()


def test_an_mbarrier_is_used_by_threads_that_know_of_it() -> None:
    body = PROXY.replace("1; bar.sync 0;", "32;") + "mbarrier.arrive.shared::cta.b64 _, [%b]; ret; }"
    with pytest.raises(DiagnosticError, match="is used as an mbarrier by thread 1"):
        launch(body, "k", (1,), (32,), [np.zeros(1), np.zeros(1)])


def test_nobody_looks_without_checks() -> None:
    out = np.zeros(32, np.uint32)
    text = PROXY + FILL + PUT + "ret; }"
    launch(text, "k", (1,), (32,), [out, out.copy()], checks="none")
