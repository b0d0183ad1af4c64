"""Proxies on global memory: what the async proxy and that of tensor maps must be told of stores, and stores of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import TensorMap, launch

HEAD = """.version 8.8
.target sm_100a
.address_size 64
.entry k(.param .u64 data, .param .u64 flag, .param .u64 out) {
    .reg .b32 %t, %c, %v, %f; .reg .b64 %d, %l, %o, %x, %y; .reg .pred %one, %p, %q, %first;
    .shared .align 128 .b8 tile[256]; .shared .align 8 .b64 bar;
    mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; ld.param.u64 %d, [data]; ld.param.u64 %l, [flag]; ld.param.u64 %o, [out];
    mad.wide.u32 %x, %t, 4, %d; mad.wide.u32 %y, %t, 4, %o; setp.eq.u32 %one, %t, 0; setp.eq.u32 %first, %c, 0;
    mov.u32 %v, tile; mad.lo.u32 %v, %t, 4, %v; st.shared.b32 [%v], %t;
    @%one mbarrier.init.shared::cta.b64 [bar], 1; fence.proxy.async.shared::cta; bar.sync 0; mov.b32 %v, 7;
"""
FILL, BAR = "st.global.b32 [%x], %t;", "bar.sync 0;"
FENCE = "fence.proxy.async.global;"
GET = """@%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 256;
    @%one cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%d], 256, [bar];"""
WAIT = "\nwait: mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 0; @!%q bra wait;\n"
PUT = "@%one cp.async.bulk.global.shared::cta.bulk_group [%d], [tile], 256; @%one cp.async.bulk.commit_group;"
DONE, READ = "@%one cp.async.bulk.wait_group 0;", "@%one cp.async.bulk.wait_group.read 0;"
REDUCE = PUT.replace("cp.async.bulk.global", "cp.reduce.async.bulk.global").replace(
    "_group [", "_group.add.u32 ["
)
USE = "ld.global.b32 %v, [%x]; st.global.b32 [%y], %v;"


def run(body: str, blocks: int = 1, cluster: int = 1) -> Any:
    data, flag, out = (np.zeros(64, np.uint32) for _ in range(3))
    args = [data, flag, out]
    launch(HEAD + body + "ret; }", "k", (blocks,), (64,), args, cluster=(cluster, 1, 1))
    return data


def raced(body: str, blocks: int = 1, cluster: int = 1) -> str:
    with pytest.raises(DiagnosticError, match="TW1265") as error:
        run(body, blocks, cluster)
    return str(error.value)


def passed(before: str, after: str) -> str:
    """The first block leaves a flag behind what it does; the second one waits for it."""
    return (
        f"@!%first bra other; {before} bar.sync 0; @%one st.release.gpu.global.b32 [%l], 1; bra end; "
        "other: @!%one bra met; again: ld.acquire.gpu.global.b32 %f, [%l]; setp.eq.u32 %p, %f, 0; @%p bra again; "
        f"met: bar.sync 0; {after} end:"
    )


@pytest.mark.parametrize(
    "body",
    [
        GET + WAIT,  # what was there before the launch
        FILL + FENCE + BAR + GET + WAIT,
        FILL + "fence.proxy.async;" + BAR + GET + WAIT,
        FILL + BAR + FENCE + GET + WAIT,  # by the thread that starts the copy
        PUT + DONE + BAR + GET + WAIT,  # from one asynchronous copy to the next
        PUT + DONE + BAR + USE,
        GET + WAIT + BAR + FILL,
        REDUCE + DONE + BAR + USE,
    ],
)
def test_orders(body: str) -> None:
    run(body)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (FILL + BAR + GET + WAIT, "wrote without a proxy fence"),
        (FENCE + FILL + BAR + GET + WAIT, "wrote without a proxy fence"),
        (FILL + "fence.proxy.async.shared::cta;" + BAR + GET + WAIT, "wrote without a proxy fence"),
        (FILL + "membar.gl; fence.proxy.alias;" + BAR + GET + WAIT, "wrote without a proxy fence"),
        (FILL + "setp.lt.u32 %q, %t, 9; @%q " + FENCE + BAR + GET + WAIT, "which thread 9 wrote without"),
        (FILL + BAR + PUT + DONE, "wrote without a proxy fence"),
        (
            FILL + FENCE + GET + WAIT,
            "is read by an asynchronous operation of thread 0, and no synchronisation orders",
        ),
        (
            GET + FILL + WAIT,
            "no synchronisation orders this after an asynchronous operation of thread 0, which read it",
        ),
        (PUT + BAR + USE + DONE, "after an asynchronous operation of thread 0, which wrote it"),
        (PUT + READ + BAR + USE, "after an asynchronous operation of thread 0, which wrote it"),
        (PUT + READ + BAR + "@%one " + FILL, "after an asynchronous operation of thread 0, which wrote it"),
        (PUT + DONE + USE, "is read by thread 1"),  # no barrier behind the wait
        (REDUCE + READ + BAR + USE, "which wrote it"),
    ],
)
def test_races(body: str, message: str) -> None:
    assert message in raced(body)


@pytest.mark.parametrize("cluster", [1, 2])
def test_proxies_between_blocks(cluster: int) -> None:
    """What lies behind fences goes along with releases; also the fence of the thread that takes it is enough."""
    run(passed(FILL + FENCE, GET + WAIT), 2, cluster)
    run(passed(FILL, FENCE + GET + WAIT), 2, cluster)
    run(passed(PUT + DONE, USE), 2, cluster)
    assert "without a proxy fence" in raced(passed(FILL, GET + WAIT), 2, cluster)
    assert "without a proxy fence" in raced(passed(FENCE + FILL, GET + WAIT), 2, cluster)
    assert "which wrote it" in raced(passed(PUT + READ, USE), 2, cluster)


def test_reductions_of_several_blocks_do_not_race() -> None:
    assert (run(REDUCE + DONE, blocks=3) == 3 * np.arange(64)).all()


# --- maps that kernels make

MAPS = """.version 8.8
.target sm_100a
.address_size 64
.entry k(.param .align 64 .b8 map[128], .param .u64 room, .param .u64 flag) {
    .reg .b32 %t, %c, %w, %v, %f; .reg .b64 %m, %r, %l, %x, %y; .reg .pred %one, %p, %q, %warp, %first;
    .shared .align 128 .b8 tile[256]; .shared .align 128 .b8 own[128]; .shared .align 8 .b64 bar;
    mov.u32 %t, %tid.x; setp.eq.u32 %one, %t, 0; setp.lt.u32 %warp, %t, 32; mov.u64 %m, map; ld.param.u64 %r, [room];
    cvta.param.u64 %m, %m; mov.u32 %c, %ctaid.x; setp.eq.u32 %first, %c, 0; ld.param.u64 %l, [flag];
    @%one mbarrier.init.shared::cta.b64 [bar], 1; mov.u32 %w, own; mad.lo.u32 %w, %t, 4, %w;
    mad.wide.u32 %x, %t, 4, %m; mad.wide.u32 %y, %t, 4, %r; @%warp ld.b32 %v, [%x]; @%warp st.shared.b32 [%w], %v;
    bar.sync 0;
"""
PUBLISH = "@%warp tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%r], [own], 128;"
WRITE, RELEASE = "@%warp st.global.b32 [%y], %v;", "fence.proxy.tensormap::generic.release.gpu;"
WRITE_OF_THREAD_1 = "setp.eq.u32 %p, %t, 1; @%p st.global.b32 [%y], %v; bar.sync 0;"
REPLACE = "@%one tensormap.replace.tile.fill_mode.global.b1024.b32 [%r], 0;"
ACQUIRE = "fence.proxy.tensormap::generic.acquire.gpu [%r], 128;"
COPY = """@%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 256;
    @%one cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%r, {0}], [bar];"""


def mapped(body: str, blocks: int = 1) -> None:
    one = TensorMap(np.zeros(64, np.float32), (64,))
    args = [one, np.zeros(64, np.uint32), np.zeros(1, np.uint32)]
    launch(MAPS + body + "ret; }", "k", (blocks,), (64,), args)


@pytest.mark.parametrize(
    "body",
    [
        PUBLISH + ACQUIRE + COPY + WAIT,
        PUBLISH + "@%one " + ACQUIRE + COPY + WAIT,
        PUBLISH + BAR + "@!%warp " + ACQUIRE + BAR + COPY + WAIT,  # another warp acquires it
        WRITE + RELEASE + BAR + ACQUIRE + COPY + WAIT,
        WRITE + BAR + RELEASE + ACQUIRE + COPY + WAIT,
        PUBLISH + BAR + REPLACE + RELEASE + ACQUIRE + COPY + WAIT,
        PUBLISH + ACQUIRE + COPY + WAIT + BAR + PUBLISH,
        "setp.eq.u32 %p, %t, 32; @%p st.global.b32 [%r+128], %t;"
        + PUBLISH
        + ACQUIRE
        + COPY
        + WAIT,  # beside the map
    ],
)
def test_maps_that_are_published(body: str) -> None:
    mapped(body)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (PUBLISH + COPY + WAIT, "no fence has acquired for it"),
        (ACQUIRE + PUBLISH + COPY + WAIT, "no fence has acquired for it"),
        (PUBLISH + BAR + "@!%warp " + ACQUIRE + COPY + WAIT, "no fence has acquired for it"),  # no barrier
        (PUBLISH + ACQUIRE.replace("[%r]", "[%r+128]") + COPY + WAIT, "no fence has acquired for it"),
        (WRITE + BAR + ACQUIRE + COPY + WAIT, "no fence has released for it"),
        (RELEASE + WRITE + BAR + ACQUIRE + COPY + WAIT, "no fence has released for it"),
        (PUBLISH + BAR + REPLACE + ACQUIRE + COPY + WAIT, "no fence has released for it"),
        (PUBLISH + ACQUIRE + REPLACE + RELEASE + COPY + WAIT, "no fence has acquired for it"),
        (
            WRITE_OF_THREAD_1 + ACQUIRE + BAR + COPY + WAIT,
            "of thread 0 uses a tensor map that thread 1 wrote",
        ),
        (WRITE + "fence.proxy.async; membar.gl;" + BAR + COPY + WAIT, "no fence has released for it"),
        (PUBLISH + ACQUIRE + COPY + PUBLISH + WAIT, "an asynchronous operation of thread 0, which read it"),
    ],
)
def test_maps_without_a_fence(body: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match="TW1265") as error:
        mapped(body)
    assert message in str(error.value)


def test_maps_between_blocks() -> None:
    mapped(passed(PUBLISH, ACQUIRE + COPY + WAIT), 2)
    with pytest.raises(DiagnosticError, match="no fence has acquired"):
        mapped(passed(PUBLISH + ACQUIRE, COPY + WAIT).replace("bar.sync 0; @%one st.", "@%one st."), 2)
    with pytest.raises(DiagnosticError, match="no fence has acquired"):
        mapped(passed(PUBLISH, COPY + WAIT), 2)
