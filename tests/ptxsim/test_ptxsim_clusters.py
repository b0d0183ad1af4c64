"""Clusters: shared memory of other blocks, barriers of all of them, and special registers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import launch

HEAD = """.version 8.7
.target sm_90a
.address_size 64
.entry k(.param .u64 out) {
    .reg .b32 %t, %r, %w<8>; .reg .b64 %x, %y; .reg .pred %p, %q; .shared .align 8 .b64 bar; .shared .b32 word[32];
    mov.u32 %t, %tid.x; mov.u32 %w0, %cluster_ctarank; xor.b32 %w1, %w0, 1; mov.u32 %w2, word;
    mad.lo.u32 %w2, %t, 4, %w2; mad.lo.u32 %w3, %w0, 100, %t; setp.eq.u32 %p, %t, 0;
"""
TAIL = """
    ld.param.u64 %x, [out]; mov.u32 %w7, %ctaid.x; mad.lo.u32 %w7, %w7, 32, %t; mad.wide.u32 %x, %w7, 4, %x; st.global.b32 [%x], %r; ret; }
"""
BARRIER = "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;"
STORE = "st.shared.b32 [%w2], %w3;"
REMOTE = "mapa.shared::cluster.u32 %w4, %w2, %w1; ld.shared::cluster.b32 %r, [%w4];"


def cluster(body: str, blocks: int = 4, size: int = 2) -> Any:
    out = np.zeros(blocks * 32, np.uint32)
    launch(HEAD + body + TAIL, "k", (blocks,), (32,), [out], cluster=(size,))
    return out.reshape(blocks, 32)


def refused(body: str, **options: int) -> str:
    with pytest.raises(DiagnosticError) as error:
        cluster(body, **options)
    return str(error.value)


def test_a_block_reads_what_its_peer_wrote() -> None:
    found = cluster(STORE + BARRIER + REMOTE + BARRIER)
    assert (found == (np.arange(4)[:, None] % 2 ^ 1) * 100 + np.arange(32)).all()


def test_generic_addresses_lead_to_peers() -> None:
    body = "cvt.u64.u32 %x, %w2; cvta.shared.u64 %x, %x; mapa.u64 %y, %x, %w1; ld.b32 %r, [%y];"
    found = cluster(STORE + BARRIER + body + BARRIER)
    assert (found == (np.arange(4)[:, None] % 2 ^ 1) * 100 + np.arange(32)).all()


def test_ranks_of_addresses() -> None:
    body = "mapa.shared::cluster.u32 %w4, %w2, %w1; getctarank.shared::cluster.u32 %r, %w4;"
    assert cluster(body)[:, 0].tolist() == [1, 0, 1, 0]
    assert cluster("getctarank.shared::cluster.u32 %r, %w2;")[:, 0].tolist() == [0, 1, 0, 1]


def test_special_registers() -> None:
    body = "mov.u32 %w6, %clusterid.x; mov.u32 %r, %cluster_ctaid.x; mad.lo.u32 %r, %w6, 10, %r;"
    for name, factor in (("%cluster_nctaid.x", 100), ("%nclusterid.x", 1000), ("%cluster_nctarank", 10000)):
        body += f"mov.u32 %w6, {name}; mad.lo.u32 %r, %w6, {factor}, %r;"
    assert cluster(body)[:, 0].tolist() == [22200, 22201, 22210, 22211]


def test_atomic_operations_on_a_peer() -> None:
    body = "st.shared.b32 [%w2], 5;" + BARRIER
    body += "mapa.shared::cluster.u32 %w4, %w2, %w1; atom.shared::cluster.add.u32 %w5, [%w4], %w3;" + BARRIER
    found = cluster(body + "ld.shared.b32 %r, [%w2];")
    assert (found == 5 + (np.arange(4)[:, None] % 2 ^ 1) * 100 + np.arange(32)).all()


def test_arrivals_at_the_barrier_of_a_peer() -> None:
    body = f"""@%p mbarrier.init.shared::cta.b64 [bar], 32; {BARRIER} mov.u32 %w4, bar;
    mapa.shared::cluster.u32 %w4, %w4, %w1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%w4];
again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [bar], 0; @!%q bra again; mov.b32 %r, 3; {BARRIER}"""
    assert (cluster(body) == 3).all()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (STORE + BARRIER + REMOTE.replace(", %w1", ", 5") + BARRIER, "TW1254]: rank 5 in a cluster of 2"),
        (STORE + BARRIER + "ld.shared::cluster.b32 %r, [%w2+0x7000000];" + BARRIER, "outside of the cluster"),
        (
            STORE + "barrier.cluster.arrive; barrier.cluster.arrive; mov.b32 %r, 1;",
            "TW1259]: a thread arrives twice",
        ),
        (
            STORE + "barrier.cluster.wait; mov.b32 %r, 1;",
            "TW1259]: a thread waits at the barrier of the cluster",
        ),
        ("setp.eq.u32 %q, %w0, 0; mov.b32 %r, 1; @%q exit;" + STORE + REMOTE, "which has ended"),
        (REMOTE.replace("ld", "barrier.cluster.arrive; barrier.cluster.wait; ld") + BARRIER, "TW1253]"),
    ],
)
def test_faults(body: str, message: str) -> None:
    assert message in refused(body)


def test_a_barrier_that_a_block_does_not_reach() -> None:
    """A block that has ended does not count; one that waits elsewhere does."""
    ends = "setp.eq.u32 %q, %w0, 0; mov.b32 %r, 1; @%q bra done;" + BARRIER + "\ndone:"
    assert (cluster(ends) == 1).all()
    text = (
        "setp.eq.u32 %q, %w0, 0; mov.b32 %r, 1; @!%q bra all; @%p mbarrier.init.shared::cta.b64 [bar], 64; bar.sync 0;"
        "\nwait: mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 0; bra wait;\nall:"
    ) + BARRIER
    assert "TW1256]: no thread can continue" in refused(text)


@pytest.mark.parametrize(
    ("blocks", "size", "message"), [(3, 2, "no multiple of the cluster"), (32, 32, "GPU takes 16")]
)
def test_shapes(blocks: int, size: int, message: str) -> None:
    assert message in refused("mov.b32 %r, 1;", blocks=blocks, size=size)
