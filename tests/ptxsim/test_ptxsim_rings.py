"""Rings of buffers: right kernels are not reported, in any order, and findings that compilers rely on pass by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from conformance.ptx.rings import RINGS, Ring
from tests.ptxsim.harness import run as lines
from tests.ptxsim.test_ptxsim_tensormemory import COMMIT, FENCE, READ, READY, WAIT, WAIT_LD, idesc, laid, run
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import launch
from tilewright.ptxsim.codes import EARLY_TENSOR_LOADS, UNFENCED_TENSOR_ADDRESS, UNFENCED_TENSOR_MEMORY

A, B = (np.ones((rows, 16), np.float16) for rows in (128, 64))
IMAGE = np.concatenate([laid(A).ravel(), laid(B).ravel()])
PRODUCT = f"{READY} mov.b32 %w, {idesc(1, 0, 0, 64)}; setp.ne.u32 %p, %t, %t; @%one tcgen05.mma.cta_group::1.kind::f16 [%m], %da, %db, %w, %p;"
NAMED = {one.name: one for one in RINGS}


@pytest.mark.parametrize("one", RINGS, ids=list(NAMED))
@pytest.mark.parametrize(("seed", "schedule"), [(0, 0), (1, 1), (2, 7), (3, 3)])
def test_a_ring_is_right_in_any_order(one: Ring, seed: int, schedule: int) -> None:
    """A commit publishes what its thread knows, products of a thread are ordered, and barriers end whose commits
    nobody awaits.
    """
    assert one.right(one.run(one.text, seed=seed, schedule=schedule))


def test_a_barrier_of_a_commit_in_flight_does_not_end() -> None:
    ring = NAMED["tensor memory"]
    wait = "mbarrier.try_wait.parity.shared::cta.b64 %q, [%bar], 0;\n    @!%q bra over;"
    load = ring.text[ring.text.index("tcgen05.ld") : ring.text.index("done:")]
    with pytest.raises(DiagnosticError, match="copies that arrive at the mbarrier"):
        ring.run(ring.text.replace(wait, "").replace(load, ""))


@pytest.mark.parametrize(
    ("ends", "told"),
    [("", True), ("bar.sync 0;", False), ("@%last bar.arrive 0, 64; @%first bar.sync 0, 64;", False)],
)
def test_a_barrier_ends_behind_its_last_use(ends: str, told: bool) -> None:
    body = "mov.u64 %x, bar; setp.eq.u32 %first, %t, 0; @%first mbarrier.init.shared::cta.b64 [%x], 64; bar.sync 0;"
    body += "setp.ge.u32 %last, %t, 32; setp.lt.u32 %p, %t, 32; mbarrier.arrive.shared::cta.b64 _, [%x];"
    body += "wait: mbarrier.try_wait.parity.shared::cta.b64 %q, [%x], 0; @!%q bra wait;"
    body += ends.replace("@%first", "@%p") + "@%first mbarrier.inval.shared::cta.b64 [%x]; mov.b32 %r, %a;"
    declared = ".reg .pred %first, %last; .shared .align 8 .b64 bar;" + body
    values = np.arange(64, dtype=np.uint32)
    if told:
        with pytest.raises(
            DiagnosticError, match=r"ends, and no synchronisation orders this after thread \d+"
        ):
            lines(declared, "b32 -> b32", values)
    else:
        assert (lines(declared, "b32 -> b32", values) == values).all()


# --- fences of tensor memory

BEFORE, AFTER = "tcgen05.fence::before_thread_sync;", "tcgen05.fence::after_thread_sync;"


@pytest.mark.parametrize("missing", ["", BEFORE, AFTER])
def test_threads_that_synchronise_need_both_fences(missing: str) -> None:
    """ISA, 9.7.16.6.4.4: a product behind loads of other threads, which it overwrites."""
    first = f"{PRODUCT} {COMMIT} {WAIT} {READ} {WAIT_LD} {BEFORE} bar.sync 0; {AFTER}"
    again = (
        f"@%one tcgen05.mma.cta_group::1.kind::f16 [%m], %da, %db, %w, %p; {COMMIT} WAIT2 {READ} {WAIT_LD}"
    )
    second_wait = WAIT.replace("wait:", "more:").replace("bra wait", "bra more").replace("], 0", "], 1")
    body = f"{first} {again}".replace("WAIT2", second_wait)
    head, _, tail = body.partition(READ)
    body = head + READ + tail.replace(missing, "", 1) if missing else body
    if missing:
        with pytest.raises(DiagnosticError, match=r"no fence of tcgen05 orders this after thread \d+"):
            run(body, IMAGE, 64)
        run(body, IMAGE, 64, permits=[UNFENCED_TENSOR_MEMORY])
    else:
        assert (run(body, IMAGE, 64).view(np.float32) == 16).all()


def test_a_commit_has_the_first_fence_but_not_the_second() -> None:
    """ISA, 9.7.16.6.4.2: the thread that issued a product needs the second fence, too."""
    body = f"{PRODUCT} {COMMIT} {WAIT} {READ} {WAIT_LD}"
    with pytest.raises(
        DiagnosticError, match="no fence of tcgen05 orders this after an asynchronous operation"
    ):
        run(body.replace(f"bra wait; {AFTER}", "bra wait;"), IMAGE, 64)
    assert (run(body, IMAGE, 64).view(np.float32) == 16).all()


def test_a_later_commit_tells_of_operations_that_others_awaited() -> None:
    """The thread that issued a product does not know its end, but its next commit does."""
    spin = "{0}: mbarrier.try_wait.parity{3}.shared::cta.b64 %q, [{1}], 0; @!%q bra {0}; {2}"
    second, third = (
        COMMIT.replace("@%one ", "").replace("%b", "second"),
        "mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [third];",
    )
    body = ".shared .align 8 .b64 second; .shared .align 8 .b64 third;"
    body += "".join(f"@%one mbarrier.init.shared::cta.b64 [{name}], 1;" for name in ("second", "third"))
    body += PRODUCT + COMMIT + "mov.b32 %r0, 1;"
    body += "".join(f"setp.eq.u32 %q, %t, {at}; @%q bra part{at};" for at in (0, 32, 64)) + "bra met;"
    body += "part32:\n" + spin.format("a", "%b", third, "") + "bra met;"
    body += "part0:\n" + spin.format("b", "third", second, ".relaxed.cta") + "bra met;"
    body += "part64:\n" + spin.format("c", "second", "st.shared.b32 [%s], 0;", "") + "met: bar.sync 0;"
    assert (run(body, IMAGE, 1) == 1).all()
    with pytest.raises(DiagnosticError, match="an asynchronous operation of thread 0, which read it"):
        run(body.replace("[second], 0; @!%q bra c;", "[third], 0; @!%q bra c;"), IMAGE, 1)


# --- parts of registers


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("mov.b64 %x, {%w0, %a}; mov.b64 {%w1, %r}, %x;", False),
        ("mov.b64 %x, {%a, %w0}; mov.b64 {%r, %w1}, %x;", False),
        ("mov.b64 %x, {%w0, %a}; mov.b64 {%r, %w1}, %x;", True),
        ("mov.b64 %x, {%w0, %a}; add.u64 %x, %x, 0; mov.b64 {%w1, %r}, %x;", True),
        ("@%p mov.b64 %x, {%w0, %a}; @!%p mov.b64 %x, {%a, %a}; mov.b64 {%w1, %r}, %x;", False),
        ("@%p mov.b64 %x, {%w0, %a}; @!%p mov.b64 %x, {%a, %w0}; mov.b64 {%w1, %r}, %x;", True),
        (
            "mov.b64 %x, {%w0, %a}; @%p add.u64 %x, %x, 0; @!%p mov.b64 %x, {%a, %a}; mov.b64 {%w1, %r}, %x;",
            True,
        ),
    ],
)
def test_a_part_is_as_defined_as_it_was(body: str, told: bool) -> None:
    values = np.arange(64, dtype=np.uint32)
    body = f"setp.lt.u32 %p, %t, 20; {body}"
    if told:
        with pytest.raises(DiagnosticError, match="TW1253"):
            lines(body, "b32 -> b32", values)
    else:
        assert (lines(body, "b32 -> b32", values) == values).all()


# --- findings that pass by name

EARLY = f"{PRODUCT} {COMMIT} {WAIT} {READ} mov.b32 %w, %r1; {WAIT_LD} mov.b32 %r0, %w;"


def test_early_loads_pass_by_name() -> None:
    with pytest.raises(DiagnosticError, match="is undefined"):
        run(EARLY, IMAGE, 64)
    found = run(EARLY, IMAGE, 64, permits=[EARLY_TENSOR_LOADS]).view(np.float32)
    assert (found == 16).all()


def test_other_findings_do_not_pass_with_early_loads() -> None:
    with pytest.raises(DiagnosticError, match="is still written by an operation in flight"):
        run(f"{PRODUCT} {COMMIT} {READ} {WAIT_LD}", IMAGE, 64, permits=[EARLY_TENSOR_LOADS])


ADDRESS = """.version 8.8
.target sm_100a
.address_size 64
.entry k(.param .u64 in, .param .u64 out)
{
    .reg .b32 %t, %m, %b, %s; .reg .b64 %x, %y; .reg .pred %one, %q;
    .shared .align 16 .b8 tile[64]; .shared .align 8 .b64 bar;
    mov.u32 %t, %tid.x; mov.u32 %b, bar; mov.u32 %s, tile; setp.eq.u32 %one, %t, 0;
    ld.param.u64 %x, [in]; ld.param.u64 %y, [out];
    @%one mbarrier.init.shared::cta.b64 [%b], 1;
    OTHER
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%s], 32;
    bar.sync 0; ld.shared.b32 %m, [%s]; bar.sync 0;
    @%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 64;
    @%one cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%x], 64, [%b];
again: mbarrier.try_wait.parity.shared::cta.b64 %q, [%b], 0; @!%q bra again;
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %m, 32;
    ld.shared.b32 %m, [%s+4]; @%one st.global.b32 [%y], %m;
    ret;
}
"""


def address(text: str, *permits: str) -> int:
    out = np.zeros(1, np.uint32)
    launch(text, "k", (1,), (32,), [np.arange(16, dtype=np.uint32), out], permits=permits)
    return int(out[0])


def test_the_word_of_an_allocation_needs_a_proxy_fence() -> None:
    text = ADDRESS.replace("OTHER", "")
    with pytest.raises(DiagnosticError, match="without a proxy fence"):
        address(text)
    assert address(text.replace("[%s]; bar", f"[%s]; {FENCE} bar")) == 1
    assert address(text, UNFENCED_TENSOR_ADDRESS) == 1


def test_other_words_need_a_proxy_fence_with_the_permit_too() -> None:
    with pytest.raises(DiagnosticError, match="without a proxy fence"):
        address(ADDRESS.replace("OTHER", "@%one st.shared.b32 [%s+8], 1;"), UNFENCED_TENSOR_ADDRESS)


def test_findings_that_may_pass_have_names() -> None:
    with pytest.raises(
        DiagnosticError, match=r"findings that may pass are early-tensor-loads, .*, not 'all'"
    ):
        address(ADDRESS.replace("OTHER", ""), "all")


# --- the first operand of a product lies in tensor memory


def second(between: str) -> Any:
    """A product reads cells that another warp writes again, with ``between`` in between."""
    image = np.concatenate([np.ascontiguousarray(A).view(np.uint8).ravel(), laid(B).ravel()])
    listed = "{" + ", ".join(f"%r{at}" for at in range(8)) + "}"
    store = f"tcgen05.st.sync.aligned.32x32b.x8.b32 [%lane+64], {listed}; tcgen05.wait::st.sync.aligned;"
    body = "mov.u32 %s, tile; mad.lo.u32 %s, %t, 32, %s; bar.sync 0;"
    body += "".join(f"ld.shared.b32 %r{at}, [%s+{4 * at}];" for at in range(8))
    body += f"{store} {READY} mov.b32 %w, {idesc(1, 0, 0, 64)}; setp.ne.u32 %p, %t, %t;"
    body += f"@%one tcgen05.mma.cta_group::1.kind::f16 [%m], [%m+64], %db, %w, %p; {COMMIT}"
    body += between.replace("STORE", store).replace("WAIT", WAIT)
    return run(body + f"{READ} {WAIT_LD}", image, 64).view(np.float32)


def test_cells_that_a_product_reads_are_not_written() -> None:
    assert (second("WAIT STORE") == 16).all()
    with pytest.raises(DiagnosticError, match="still read by an operation in flight"):
        second("STORE WAIT")


# --- launches of a module


def test_a_module_is_prepared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from tilewright.ptxsim import preparing

    made = list[str]()
    before = preparing.compiled

    def counted(module: Any, function: Any, layout: Any, parameters: Any) -> Any:
        made.append(function.name)
        return before(module, function, layout, parameters)

    monkeypatch.setattr(preparing, "compiled", counted)
    ring = NAMED["copies"]
    text = ring.text.replace("entry ring", "entry  ring")  # no other test has prepared it
    for schedule in range(3):
        assert ring.right(ring.run(text, schedule=schedule))
    assert made == ["ring"]
