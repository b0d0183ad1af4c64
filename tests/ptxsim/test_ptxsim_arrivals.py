"""When data of asynchronous operations arrive: a seed shows programs that rely on luck, and changes right ones nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import TensorMap, launch

SEEDS = range(13)
HEAD = """.version 8.8
.target sm_90a
.address_size 64
.entry k(.param .u64 in, .param .u64 out) {
    .reg .b32 %t, %s, %r, %f; .reg .b64 %i, %o, %x, %y; .reg .pred %one, %q;
    .shared .align 128 .b8 tile[512]; .shared .align 8 .b64 bar;
    mov.u32 %t, %tid.x; setp.eq.u32 %one, %t, 0; ld.param.u64 %i, [in]; ld.param.u64 %o, [out]; mov.u32 %s, tile;
    mad.lo.u32 %s, %t, 4, %s; mad.wide.u32 %x, %t, 4, %i; mad.wide.u32 %y, %t, 4, %o;
    @%one mbarrier.init.shared::cta.b64 [bar], 1; st.shared.b32 [%s], 7; st.shared.b32 [%s+256], 7;
    fence.proxy.async.shared::cta; bar.sync 0;
"""
EXPECT = "@%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 256;"
GET = "@%one cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%i], 256, [bar];"
SECOND = GET.replace("[tile]", "[tile+256]").replace("[%i]", "[%i+256]")
PUT = "@%one cp.async.bulk.global.shared::cta.bulk_group [%o], [tile], 256; @%one cp.async.bulk.commit_group;"
WAIT = "\nagain{0}: mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], {0}; @!%q bra again{0};\n"
SHOW = "ld.shared.b32 %r, [%s]; st.global.b32 [%y], %r;"
DATA = np.arange(100, 228, dtype=np.uint32)


def run(body: str, seed: int, checks: str = "all") -> Any:
    out = np.zeros(64, np.uint32)
    launch(HEAD + body + "ret; }", "k", (1,), (64,), [DATA.copy(), out], seed=seed, checks=checks)
    return out


def outcomes(body: str, checks: str = "all") -> set[str]:
    """What some seeds lead to: the code of a diagnostic, or the first result."""
    found: set[str] = set()
    for seed in SEEDS:
        try:
            found.add(str(run(body, seed, checks)[0]))
        except DiagnosticError as error:
            found.add(str(error).partition("\n")[0])
    return found


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "body",
    [
        EXPECT + GET + WAIT.format(0) + SHOW,
        GET + EXPECT + WAIT.format(0) + SHOW,  # the bytes may come before they are expected
        EXPECT + GET + WAIT.format(0) + "bar.sync 0;" + EXPECT + SECOND + WAIT.format(1) + SHOW,
        "cp.async.ca.shared.global [%s], [%x], 4; cp.async.wait_all;" + SHOW,
        "cp.async.ca.shared.global [%s], [%x], 4; cp.async.mbarrier.arrive.noinc.shared::cta.b64 [bar];".replace(
            "cp.async.mb", "@%one cp.async.mb"
        )
        + "cp.async.wait_all; bar.sync 0;"
        + WAIT.format(0)
        + SHOW,
    ],
)
def test_right_programs_are_right_with_all_seeds(body: str, seed: int) -> None:
    assert (run(body, seed) == DATA[:64]).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_copies_out_are_right_with_all_seeds(seed: int) -> None:
    body = PUT + PUT.replace("cp.async.bulk.global", "cp.reduce.async.bulk.global").replace(
        "_group [", "_group.add.u32 ["
    )
    wait = "@%one cp.async.bulk.wait_group 0;"
    assert (run(PUT + wait, seed) == 7).all()
    assert (run(PUT + wait + body.removeprefix(PUT) + wait, seed) == 14).all()


def test_a_wait_that_is_tried_once() -> None:
    """Without a seed the data are there whenever somebody asks; that a wait may say no is told with some."""
    body = EXPECT + GET + WAIT.format(0).replace("@!%q bra again0;", "") + SHOW
    assert (run(body, 0) == DATA[:64]).all()
    assert any("TW1265" in one for one in outcomes(body))


def test_two_phases_at_once() -> None:
    """A second copy starts before anybody has waited for the first: both may end in one phase, or in two."""
    body = EXPECT + GET + EXPECT + SECOND + WAIT.format(0) + SHOW
    found = outcomes(body)
    assert len(found) > 1, found


@pytest.mark.parametrize(
    ("body", "before"),
    [
        (
            "cp.async.ca.shared.global [%s], [%x], 4; cp.async.commit_group; cp.async.commit_group;" + SHOW,
            "7",
        ),
        (EXPECT + GET + "bar.sync 0;" + SHOW + WAIT.format(0), "7"),
    ],
)
def test_data_that_nobody_waits_for(body: str, before: str) -> None:
    """With all checks it is told; without them the results show it, one way or the other."""
    assert all(one.startswith("<ptx>") for one in outcomes(body))
    assert outcomes(body, "none") == {before, "100"}


def test_copies_out_that_nobody_waits_for() -> None:
    body = PUT + "@%one cp.async.bulk.wait_group.read 0; bar.sync 0; ld.global.b32 %r, [%y]; bar.sync 0;"
    body += "@%one cp.async.bulk.wait_group 0; bar.sync 0; add.u32 %r, %r, 1; st.global.b32 [%y], %r;"
    assert all("TW1265" in one for one in outcomes(body))
    assert outcomes(body, "none") == {"1", "8"}


PRODUCT = """.version 8.8
.target sm_90a
.address_size 64
.entry k(.param .align 64 .b8 ma[128], .param .align 64 .b8 mb[128], .param .u64 out) {
    .reg .b32 %t, %w, %d<4>; .reg .b64 %a, %b, %x, %da, %db; .reg .pred %one, %q;
    .shared .align 1024 .b8 ta[2048]; .shared .align 1024 .b8 tb[256]; .shared .align 8 .b64 bar;
    mov.u32 %t, %tid.x; setp.eq.u32 %one, %t, 0; mov.b64 %a, ma; cvta.param.u64 %a, %a; mov.b64 %b, mb;
    cvta.param.u64 %b, %b; ld.param.u64 %x, [out]; mad.wide.u32 %x, %t, 16, %x;
    @%one mbarrier.init.shared::cta.b64 [bar], 1; bar.sync 0;
    mov.u32 %w, ta; shr.u32 %w, %w, 4; cvt.u64.u32 %da, %w; or.b64 %da, %da, DESC;
    mov.u32 %w, tb; shr.u32 %w, %w, 4; cvt.u64.u32 %db, %w; or.b64 %db, %db, DESC;
    @%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 2304; @%one cp.async.bulk.tensor.2d.shared::cta.global
    .tile.mbarrier::complete_tx::bytes [ta], [%a, {0, 0}], [bar]; @%one cp.async.bulk.tensor.2d.shared::cta.global
    .tile.mbarrier::complete_tx::bytes [tb], [%b, {0, 0}], [bar];
wait: mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 0; @!%q bra wait;
    mov.b32 %d0, 0; mov.b32 %d1, 0; mov.b32 %d2, 0; mov.b32 %d3, 0; wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %da, %db, 1, 1, 1, 0, 0;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %da, %db, 1, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned; WAIT st.global.v4.b32 [%x], {%d0, %d1, %d2, %d3}; END ret; }
"""


def products(text: str, seed: int, checks: str) -> Any:
    a, b = np.ones((64, 16), np.float16), np.ones((8, 16), np.float16)
    out = np.zeros((128, 4), np.float32)
    maps = [TensorMap(one, one.shape, swizzle=32) for one in (a, b)]
    text = text.replace("DESC", str(1 << 16 | 256 >> 4 << 32 | 3 << 62))
    launch(text, "k", (1,), (128,), [*maps, out], seed=seed, checks=checks)
    return out


def test_results_of_products() -> None:
    wait = "wgmma.wait_group.sync.aligned 0;"
    right = PRODUCT.replace("WAIT", wait).replace("END", "")
    assert all((products(right, seed, "all") == 32).all() for seed in SEEDS)
    early = PRODUCT.replace("WAIT", "").replace("END", wait)
    found = {float(products(early, seed, "none")[0, 0]) for seed in SEEDS}
    assert {0.0, 32.0} <= found <= {0.0, 16.0, 32.0}
