"""Races on global memory: what orders accesses of threads and blocks, and how far scopes reach."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import launch

HEAD = """.version 8.7
.target sm_90a
.address_size 64
.entry k(.param .u64 data, .param .u64 flag, .param .u64 out) {
    .reg .b32 %t, %c, %v, %f; .reg .b64 %d, %l, %o, %x; .reg .pred %one, %p, %first;
    mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; ld.param.u64 %d, [data]; ld.param.u64 %l, [flag]; ld.param.u64 %o, [out];
    mad.wide.u32 %x, %t, 4, %d; setp.eq.u32 %one, %t, 0; setp.eq.u32 %first, %c, 0; mov.b32 %v, 7;
"""
FILL, USE = (
    "st.global.b32 [%x], %t;",
    "xor.b32 %f, %t, 32; mad.wide.u32 %x, %f, 4, %d; ld.global.b32 %v, [%x];",
)
RELEASE, ACQUIRE = "st.release.gpu.global.b32 [%l], 1;", "ld.acquire.gpu.global.b32 %f, [%l];"
SPIN = "again: {} setp.eq.u32 %p, %f, 0; @%p bra again;"


def run(body: str, blocks: int = 1, cluster: int = 1) -> None:
    arrays = [np.zeros(64, np.uint32) for _ in range(3)]
    launch(HEAD + body + "ret; }", "k", (blocks,), (64,), arrays, cluster=(cluster, 1, 1))


def raced(body: str, blocks: int = 1, cluster: int = 1) -> str:
    with pytest.raises(DiagnosticError, match="TW1265") as error:
        run(body, blocks, cluster)
    return str(error.value)


def passed(release: str = RELEASE, acquire: str = ACQUIRE, *, after: str = "bar.sync 0;") -> str:
    """The first block writes and leaves a flag behind a barrier; the second waits for it and reads."""
    return (
        f"@!%first bra other; {FILL} bar.sync 0; @%one {release} ret; other: @!%one bra met; "
        f"{SPIN.format(acquire)} met: {after} {USE}"
    )


def test_threads_of_a_block() -> None:
    run(FILL + "bar.sync 0;" + USE)
    assert "of global memory is read by thread 0" in raced(FILL + USE)
    assert "is written by" in raced(USE + "bar.warp.sync -1; st.global.b32 [%x], 5; st.global.b32 [%d], 6;")


def test_blocks_know_nothing_of_each_other() -> None:
    assert "another block" in raced("st.global.b32 [%x], %t;", blocks=2)
    run("@%first st.global.b32 [%x], %t;", blocks=2)


@pytest.mark.parametrize(
    ("release", "acquire"),
    [
        (RELEASE, ACQUIRE),
        (RELEASE.replace("gpu", "sys"), ACQUIRE),
        ("red.release.gpu.global.add.u32 [%l], 1;", "atom.acquire.gpu.global.add.u32 %f, [%l], 0;"),
        (
            "fence.acq_rel.gpu; @%one st.relaxed.gpu.global.b32 [%l], 1;",
            "ld.relaxed.gpu.global.b32 %f, [%l]; fence.acq_rel.gpu;",
        ),
        ("membar.gl; @%one st.volatile.global.b32 [%l], 1;", "ld.volatile.global.b32 %f, [%l]; membar.gl;"),
        ("membar.gl; @%one red.relaxed.gpu.global.add.u32 [%l], 1;", ACQUIRE),
    ],
)
def test_flags_between_blocks(release: str, acquire: str) -> None:
    run(passed(release, acquire), blocks=2)


@pytest.mark.parametrize(
    ("release", "acquire"),
    [
        (RELEASE.replace("release", "relaxed"), ACQUIRE),
        (RELEASE, ACQUIRE.replace("acquire", "relaxed")),
        (RELEASE.replace("gpu", "cta"), ACQUIRE),
        (RELEASE, ACQUIRE.replace("gpu", "cta")),
        (RELEASE.replace("gpu", "cluster"), ACQUIRE),
        ("st.global.b32 [%l], 1;", ACQUIRE),
        (RELEASE, "ld.global.b32 %f, [%l];"),
        (
            "membar.cta; @%one st.relaxed.gpu.global.b32 [%l], 1;",
            "ld.relaxed.gpu.global.b32 %f, [%l]; membar.gl;",
        ),
        ("st.relaxed.gpu.global.b32 [%l], 1;", "ld.relaxed.gpu.global.b32 %f, [%l]; membar.gl;"),
        ("membar.gl; @%one st.relaxed.gpu.global.b32 [%l], 1;", "ld.relaxed.gpu.global.b32 %f, [%l];"),
    ],
)
def test_flags_that_do_not_reach(release: str, acquire: str) -> None:
    raced(passed(release, acquire), blocks=2)


def test_scopes_of_clusters() -> None:
    body = passed(RELEASE.replace("gpu", "cluster"), ACQUIRE.replace("gpu", "cluster"))
    run(body, blocks=2, cluster=2)
    assert "scopes" in raced(body, blocks=2)


def test_what_a_thread_learns_reaches_others_by_a_barrier_only() -> None:
    raced(passed(after=""), blocks=2)


def test_atomic_operations_do_not_race_where_their_scopes_reach() -> None:
    body = "atom{}.global.add.u32 %f, [%l], 1;"
    run(body.format(""), blocks=3)
    run(body.format(".relaxed.cta"))
    assert "the scopes of the two accesses" in raced(body.format(".relaxed.cta"), blocks=2)
    assert "scopes" not in raced(body.format("") + "ld.global.b32 %v, [%l];", blocks=2)


def test_atomic_operations_go_on_with_a_release() -> None:
    """A third block takes what the first one left, by way of the second one's atomic operation."""
    body = (
        "setp.eq.u32 %p, %c, 1; @%first bra left; @%p bra middle; bra right; left: @%one st.global.b32 [%d], 3; "
        "@%one st.release.gpu.global.b32 [%l], 1; ret; middle: again: @%one atom.relaxed.gpu.global.cas.b32 %f, [%l], 1, 2;"
        "@!%one mov.b32 %f, 1; setp.eq.u32 %p, %f, 0; @%p bra again; ret; right: @!%one bra done; "
        "wait: ld.acquire.gpu.global.b32 %f, [%l]; setp.ne.u32 %p, %f, 2; @%p bra wait; ld.global.b32 %v, [%d]; done:"
    )
    run(body, blocks=3)
    raced(
        body.replace(
            "atom.relaxed.gpu.global.cas.b32 %f, [%l], 1, 2;",
            "ld.relaxed.gpu.global.b32 %f, [%l]; @%one st.relaxed.gpu.global.b32 [%l], 2;",
        ),
        blocks=3,
    )


COPY = """.shared .align 16 .b8 tile[256]; .shared .align 8 .b64 bar;
    @%one mbarrier.init.shared::cta.b64 [bar], 1; fence.proxy.async; bar.sync 0;
    @%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 256;
    @%one cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%d], 256, [bar];
    wait: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0; @!%p bra wait;"""
PUT = """bar.sync 0; @%one cp.async.bulk.global.shared::cta.bulk_group [%o], [tile], 256;
    @%one cp.async.bulk.commit_group; WAIT mad.wide.u32 %x, %t, 4, %o;"""


def test_bulk_copies() -> None:
    put = COPY + PUT + "bar.sync 0; ld.global.b32 %v, [%x];"
    run(put.replace("WAIT", "@%one cp.async.bulk.wait_group 0;"))
    raced(put.replace("WAIT", "@%one cp.async.bulk.wait_group.read 0;"))
    raced("st.global.b32 [%x], %t;" + COPY.replace("bar.sync 0;", "bar.warp.sync -1;"))
    raced("@!%first st.global.b32 [%x], %t;" + COPY, blocks=2)


def test_asynchronous_copies_of_threads() -> None:
    body = ".shared .align 16 .b8 tile[256]; .reg .b32 %s; mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s;" + FILL
    body += "BAR xor.b32 %f, %t, 32; mad.wide.u32 %x, %f, 4, %d; cp.async.ca.shared.global [%s], [%x], 4; cp.async.wait_all;"
    run(body.replace("BAR", "bar.sync 0;"))
    raced(body.replace("BAR", ""))
