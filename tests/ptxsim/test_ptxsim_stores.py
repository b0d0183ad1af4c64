"""Stores that nobody waits for at once, discarded memory, policies, registers of 128 bits, and cancelled clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import launch

HEAD = """.version 8.8
.target sm_100a
.address_size 64
.entry k(.param .u64 in, .param .u64 out)
{
    .reg .b32 %t, %b, %s, %c, %r<8>; .reg .b64 %x, %y, %z, %d<4>; .reg .b128 %h, %g; .reg .pred %one, %p, %q;
    .shared .align 128 .b8 tile[256]; .shared .align 8 .b64 bar;
    mov.u32 %t, %tid.x; mov.u32 %b, bar; mov.u32 %s, tile; setp.eq.u32 %one, %t, 0; mov.u32 %c, %cluster_ctarank;
    ld.param.u64 %x, [in]; ld.param.u64 %y, [out];
"""
INIT = "@%one mbarrier.init.shared::cta.b64 [%b], 1;"
WAIT = "wait: mbarrier.try_wait.parity.shared::cta.b64 %q, [%b], 0; @!%q bra wait;"
CLUSTER = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"


def run(body: str, out: Any, source: Any = None, **options: Any) -> Any:
    """Run lines with an array, and return the array behind them."""
    given = np.arange(64, dtype=np.uint32) if source is None else source
    grid = options.pop("grid", (1,))
    launch(HEAD + body + "ret; }", "k", grid, (32,), [given, out], **options)
    return out


# --- st.async

STORED = (
    f"{INIT} {CLUSTER} xor.b32 %c, %c, 1; mapa.shared::cluster.u32 %r0, %s, %c; mapa.shared::cluster.u32 %r1, %b, %c;"
    "mad.lo.u32 %r0, %t, 8, %r0; @%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 256; add.u32 %r2, %t, 100;"
    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r0], {%t, %r2}, [%r1];"
)
LOADED = (
    "mad.lo.u32 %s, %t, 8, %s; ld.shared.v2.b32 {%r3, %r4}, [%s]; mov.u32 %r5, %ctaid.x; mad.lo.u32 %r5, %r5, 32, %t;"
    f"mad.wide.u32 %y, %r5, 8, %y; st.global.v2.b32 [%y], {{%r3, %r4}}; {CLUSTER}"
)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_store_arrives_in_the_other_block(seed: int) -> None:
    found = run(STORED + WAIT + LOADED, np.zeros((2, 32, 2), np.uint32), grid=(2,), cluster=(2,), seed=seed)
    assert (found == np.stack([np.arange(32), np.arange(32) + 100], -1)).all()


def test_a_store_of_one_word_arrives() -> None:
    body = STORED.replace("v2.b32 [%r0], {%t, %r2}", "b32 [%r0], %r2").replace("[%b], 256", "[%b], 128")
    loaded = LOADED.replace("v2.b32 {%r3, %r4}, [%s]", "b32 %r3, [%s]").replace("{%r3, %r4}", "{%r3, %t}")
    found = run(body + WAIT + loaded, np.zeros((2, 32, 2), np.uint32), grid=(2,), cluster=(2,))
    assert (found == np.stack([np.arange(32) + 100, np.arange(32)], -1)).all()


def test_a_store_is_waited_for() -> None:
    with pytest.raises(DiagnosticError, match=r"TW1253|TW1265"):
        run(STORED + LOADED, np.zeros((2, 32, 2), np.uint32), grid=(2,), cluster=(2,))


def test_bytes_of_a_store_are_counted() -> None:
    body = (STORED + WAIT + LOADED).replace("[%b], 256", "[%b], 260")
    with pytest.raises(DiagnosticError, match="0 arrivals and 4 bytes"):
        run(body, np.zeros((2, 32, 2), np.uint32), grid=(2,), cluster=(2,))


def test_a_store_and_its_mbarrier_are_of_one_block() -> None:
    body = STORED.replace(", [%r1]", ", [%b]") + WAIT + LOADED
    with pytest.raises(DiagnosticError, match="in different blocks"):
        run(body, np.zeros((2, 32, 2), np.uint32), grid=(2,), cluster=(2,))


# --- st.bulk

FILL = "mad.lo.u32 %r0, %t, 4, %s; st.shared.b32 [%r0], %t; bar.sync 0;"
SHOW = "bar.sync 0; ld.shared.b32 %r1, [%r0]; mad.wide.u32 %y, %t, 4, %y; st.global.b32 [%y], %r1;"


def test_zeros_are_stored() -> None:
    body = f"{FILL} mov.u64 %z, tile; mov.u64 %d0, 48; @%one st.bulk.weak.shared::cta [%z+16], %d0, 0; {SHOW}"
    expected = np.arange(32)
    expected[4:16] = 0
    assert (run(body, np.zeros(32, np.uint32)) == expected).all()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("mov.u64 %d0, 20; @%one st.bulk.weak.shared::cta [%z], %d0, 0;", "multiples of 8"),
        ("mov.u64 %d0, 8192; @%one st.bulk.weak.shared::cta [%z], %d0, 0;", "TW1254"),
        ("mov.u64 %d0, 8; @%one st.bulk.weak.shared::cta [%z+4], %d0, 0;", "TW1255"),
        ("mov.u64 %d0, 64; @%one st.bulk [%x], %d0, 0;", "it takes shared memory"),
    ],
)
def test_faults_of_bulk_stores(body: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message):
        run(f"{FILL} mov.u64 %z, tile; {body} {SHOW}", np.zeros(32, np.uint32))


def test_a_bulk_store_races() -> None:
    body = f"{FILL} mov.u64 %z, tile; mov.u64 %d0, 48; @%one st.bulk.weak.shared::cta [%z+16], %d0, 0; {SHOW}"
    with pytest.raises(DiagnosticError, match="TW1265"):
        run(body.replace(SHOW, SHOW.replace("bar.sync 0;", "")), np.zeros(32, np.uint32), schedule=3)


# --- discard and policies


def test_discarded_memory_is_indeterminate() -> None:
    lines = "mad.wide.u32 %x, %t, 4, %x; ld.global.b32 %r0, [%x]; mad.wide.u32 %y, %t, 4, %y; st.global.b32 [%y], %r0;"
    discard = "@%one discard.global.L2 [%x], 128; bar.sync 0;"
    assert (run(lines, np.zeros(32, np.uint32)) == np.arange(32)).all()
    with pytest.raises(DiagnosticError, match="TW1253"):
        run(discard + lines, np.zeros(32, np.uint32))
    fresh = discard + lines.replace("ld.global", "st.global.b32 [%x], %t; ld.global")
    assert (run(fresh, np.zeros(32, np.uint32)) == np.arange(32)).all()
    behind = discard.replace("[%x]", "[%x+128]") + lines
    assert (run(behind, np.zeros(32, np.uint32)) == np.arange(32)).all()


def test_discard_is_a_write() -> None:
    lines = "mad.wide.u32 %z, %t, 4, %x; @!%one ld.global.b32 %r0, [%z]; @%one discard.global.L2 [%x], 128;"
    with pytest.raises(DiagnosticError, match="TW1265"):
        run(lines, np.zeros(32, np.uint32))
    with pytest.raises(DiagnosticError, match="TW1255"):
        run("@%one discard.global.L2 [%x+64], 128;", np.zeros(32, np.uint32))


def test_policies_change_nothing() -> None:
    body = (
        "createpolicy.fractional.L2::evict_last.b64 %d0, 0.5; createpolicy.cvt.L2.b64 %d1, %d0;"
        "createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %d2, [%x], 128, 256;"
        "mad.wide.u32 %x, %t, 4, %x; ld.global.L2::cache_hint.b32 %r0, [%x], %d0; add.u64 %d3, %d1, %d2;"
        "mad.wide.u32 %y, %t, 4, %y; st.global.L2::cache_hint.b32 [%y], %r0, %d3;"
    )
    assert (run(body, np.zeros(32, np.uint32)) == np.arange(32)).all()
    with pytest.raises(DiagnosticError, match=r"the fraction 1\.5 of a policy"):
        run(body.replace("0.5", "1.5"), np.zeros(32, np.uint32))


# --- registers of 128 bits


def test_words_of_sixteen_bytes() -> None:
    source = np.random.default_rng(2).integers(0, 1 << 64, (32, 2), dtype=np.uint64)
    source[3] = 0x7FF8000000000001, 0xFFF0000000000123  # bits of NaN stay as they are
    body = (
        "mad.wide.u32 %x, %t, 16, %x; ld.global.b128 %h, [%x]; mov.b128 {%d0, %d1}, %h; mov.b128 %g, {%d1, %d0};"
        "mad.lo.u32 %s, %t, 8, %s; mad.wide.u32 %y, %t, 16, %y; st.global.b128 [%y], %g;"
    )
    assert (run(body, np.zeros((32, 2), np.uint64), source) == source[:, ::-1]).all()


def test_equal_words_of_sixteen_bytes_may_meet() -> None:
    source = np.full((1, 2), 0x7FF8000000000001, np.uint64)
    body = "ld.global.b128 %h, [%x]; st.global.b128 [%y], %h;"
    assert (run(body, np.zeros((1, 2), np.uint64), source) == source).all()
    with pytest.raises(DiagnosticError, match="TW1268"):
        run(
            "cvt.u64.u32 %d0, %t; mov.b128 %h, {%d0, %d0}; st.global.b128 [%y], %h;",
            np.zeros((1, 2), np.uint64),
        )


# --- clusters that are cancelled

STEALS = f"""
    {INIT} bar.sync 0; mov.u32 %r0, %ctaid.x; mov.u32 %r1, 0;
more:
    mad.wide.u32 %z, %r0, 4, %y; @%one red.relaxed.gpu.global.add.u32 [%z], 1;
    bar.sync 0; @%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 16;
    @%one clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%s], [%b];
here: mbarrier.try_wait.parity.shared::cta.b64 %q, [%b], %r1; @!%q bra here;
    xor.b32 %r1, %r1, 1; ld.shared.b128 %h, [%s]; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p, %h;
    @!%p bra done;
    clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {{%r0, %r2, %r3, _}}, %h;
    fence.proxy.async.shared::cta; bra more;
done:
"""


@pytest.mark.parametrize(("seed", "schedule"), [(0, 0), (1, 0), (0, 5), (2, 9)])
def test_each_block_is_run_or_cancelled_once(seed: int, schedule: int) -> None:
    found = run(STEALS, np.zeros(20, np.uint32), grid=(20,), seed=seed, schedule=schedule)
    assert (found == 1).all()


def test_one_block_takes_all_work_if_it_is_alone() -> None:
    body = STEALS.replace(
        "add.u32 [%z], 1",
        "add.u32 [%z], 1; mov.u32 %r4, %ctaid.x; mad.wide.u32 %z, %r0, 4, %x; @%one st.global.b32 [%z], %r4",
    )
    owners = np.full(64, 9, np.uint32)
    assert (run(body, np.zeros(6, np.uint32), owners, grid=(6,)) == 1).all()
    assert (owners[:6] == 0).all()


def test_axes_of_a_cancelled_cluster() -> None:
    single = STEALS.replace(
        "query_cancel.get_first_ctaid.v4.b32.b128 {%r0, %r2, %r3, _}, %h",
        "query_cancel.get_first_ctaid::x.b32.b128 %r0, %h",
    )
    assert (run(single, np.zeros(5, np.uint32), grid=(5,)) == 1).all()


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("@!%p bra done;", "", "TW1253"),  # the block of a failed request
        (
            "here: mbarrier.try_wait.parity.shared::cta.b64 %q, [%b], %r1; @!%q bra here;",
            "",
            r"TW1253|TW1260|TW1265",
        ),
        ("[%b], 16;", "[%b], 32;", "16 bytes"),
        ("fence.proxy.async.shared::cta; bra more", "bra more", None),
        ("@!%p bra done;", "@!%p bra more;", "none was left"),
    ],
)
def test_faults_of_cancellation(before: str, after: str, message: str | None) -> None:
    body = STEALS.replace(before, after)
    if message is None:
        assert (run(body, np.zeros(5, np.uint32), grid=(5,)) == 1).all()
    else:
        with pytest.raises(DiagnosticError, match=message):
            run(body, np.zeros(5, np.uint32), grid=(5,))
