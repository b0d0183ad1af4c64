"""Threads together: divergence, calls, exchanges within warps, barriers, atomic operations, and what is refused."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

from tests.ptxsim.harness import HEAD, run
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import launch

LANES = np.arange(64, dtype=np.uint32)
SCALE = Path(__file__).parent / "data" / "scale.ptx"


def alone(body: str, block: int = 64, sm: str = "sm_90") -> list[int]:
    """The results of lines that read nothing but their thread's number."""
    return run(body, "b32 -> b32", np.arange(block, dtype=np.uint32), sm=sm).tolist()


def refused(body: str, block: int = 64) -> str:
    with pytest.raises(DiagnosticError) as error:
        alone(body, block)
    return str(error.value)


def test_a_kernel_from_a_file() -> None:
    data = np.ones(64, np.float32)
    report = launch(SCALE, "scale", (2,), (32,), [data, ctypes.c_float(2)])
    assert data.tolist() == [2.0] * 64
    assert (report.blocks, report.steps, report.thread_instructions) == (2, 24, 24 * 32)


def test_threads_that_separate_meet_again() -> None:
    body = """
    and.b32 %w0, %t, 3; mov.b32 %r, 0;
loop:
    setp.eq.u32 %p, %w0, 0; @%p bra done;
    add.u32 %r, %r, %w0; sub.u32 %w0, %w0, 1; bra loop;
done:
    activemask.b32 %w1; popc.b32 %w1, %w1; mad.lo.u32 %r, %w1, 100, %r;"""
    assert alone(body) == [3200 + sum(range(t % 4 + 1)) for t in range(64)]


def test_jumps_by_an_index() -> None:
    body = """
    and.b32 %w0, %t, 1;
table: .branchtargets even, odd;
    brx.idx %w0, table;
even:
    mov.b32 %r, 10; bra done;
odd:
    mov.b32 %r, 20;
done:"""
    assert alone(body) == [10, 20] * 32


FACTORIAL = """
.func (.param .b32 out) factorial(.param .b32 in)
{
    .reg .b32 %r<5>; .reg .pred %p; .param .b32 next; .param .b32 back;
    ld.param.b32 %r1, [in]; mov.b32 %r3, 1;
    setp.le.u32 %p, %r1, 1; @%p bra done;
    sub.u32 %r2, %r1, 1; st.param.b32 [next], %r2;
    call (back), factorial, (next);
    ld.param.b32 %r3, [back]; mul.lo.u32 %r3, %r3, %r1;
done:
    st.param.b32 [out], %r3; ret;
}
.entry k(.param .u64 out)
{
    .reg .b32 %r<3>; .reg .b64 %x<2>; .param .b32 in; .param .b32 back;
    mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 7; st.param.b32 [in], %r1;
    POINTER
    ld.param.b32 %r2, [back]; ld.param.u64 %x1, [out]; mov.u32 %r1, %tid.x;
    mad.wide.u32 %x1, %r1, 4, %x1; st.global.b32 [%x1], %r2; exit;
}
"""


@pytest.mark.parametrize(
    "call",
    [
        "call (back), factorial, (in);",
        "mov.b64 %x0, factorial; proto: .callprototype (.param .b32 _) _ (.param .b32 _); call (back), %x0, (in), proto;",
    ],
)
def test_functions_call_themselves(call: str) -> None:
    result = np.zeros(32, np.uint32)
    launch(HEAD + FACTORIAL.replace("POINTER", call), "k", (1,), (32,), [result])
    assert result.tolist() == [1, 1, 2, 6, 24, 120, 720, 5040] * 4


@pytest.mark.parametrize(
    ("kind", "by", "limits", "source"),
    [
        ("bfly", 5, 31, lambda t: t ^ 5),
        ("down", 3, 31, lambda t: t + 3 if t % 32 + 3 < 32 else t),
        ("up", 3, 0, lambda t: t - 3 if t % 32 >= 3 else t),
        ("idx", 2, 0x1807, lambda t: t // 8 * 8 + 2),
    ],
)
def test_shuffles(kind: str, by: int, limits: int, source: object) -> None:
    assert callable(source)
    body = f"shfl.sync.{kind}.b32 %r|%p, %t, {by}, {limits}, -1;"
    assert alone(body) == [source(t) for t in range(64)]
    assert alone(f"shfl.{kind}.b32 %r, %t, {by}, {limits};") == alone(body)


def test_votes_and_reductions() -> None:
    odd = "and.b32 %w0, %t, 1; setp.ne.u32 %p, %w0, 0; "
    assert set(alone(odd + "vote.sync.ballot.b32 %r, %p, -1;")) == {0xAAAAAAAA}
    assert set(alone(odd + "vote.ballot.b32 %r, %p;")) == {0xAAAAAAAA}
    assert set(alone(odd + "vote.sync.any.pred %q, %p, -1; selp.b32 %r, 1, 0, %q;")) == {1}
    assert set(alone(odd + "vote.sync.all.pred %q, %p, -1; selp.b32 %r, 1, 0, %q;")) == {0}
    assert alone("redux.sync.add.u32 %r, %t, -1;") == [496] * 32 + [1520] * 32
    floats = "cvt.rn.f32.s32 %w0, %t; neg.f32 %w0, %w0; setp.eq.u32 %p, %t, 5; @%p mov.b32 %w0, 0x7FFFFFFF;"
    least = alone(floats + "redux.sync.min.f32 %w1, %w0, -1; cvt.rzi.s32.f32 %r, %w1;", sm="sm_100a")
    assert least[::32] == [2**32 - 31, 2**32 - 63]
    assert alone(floats + "redux.sync.max.abs.NaN.f32 %r, %w0, -1;", sm="sm_100a")[::32] == [
        0x7FFFFFFF,
        0x427C0000,
    ]
    assert alone("and.b32 %w0, %t, 1; match.any.sync.b32 %r, %w0, -1;")[:2] == [0x55555555, 0xAAAAAAAA]
    assert alone("match.all.sync.b32 %r|%p, %t, -1;") == [0] * 64
    assert alone("elect.sync %r|%p, 0xF0; bar.warp.sync -1;".replace("0xF0", "-1")) == [0] * 64


def test_members_of_a_mask_wait_for_each_other() -> None:
    body = """
    and.b32 %w0, %t, 1; setp.eq.u32 %p, %w0, 0; @%p bra even;
    add.u32 %w1, %t, 100; bra both;
even:
    add.u32 %w1, %t, 200;
both:
    shfl.sync.bfly.b32 %r, %w1, 1, 31, -1;"""
    assert alone(body) == [(t ^ 1) + (200 if (t ^ 1) % 2 == 0 else 100) for t in range(64)]


SHARED = """
.shared .align 4 .b32 words[64];
mov.u64 %x, words; mad.wide.u32 %x, %t, 4, %x; {before}
{barrier}
xor.b32 %w0, %t, 32; mov.u64 %x, words; mad.wide.u32 %x, %w0, 4, %x; ld.shared.b32 %r, [%x];"""


def test_barriers_order_shared_memory() -> None:
    body = SHARED.format(before="st.shared.b32 [%x], %t;", barrier="bar.sync 0;")
    assert alone(body) == [t ^ 32 for t in range(64)]


def test_barriers_reduce() -> None:
    body = "setp.lt.u32 %p, %t, 5; barrier.cta.red.popc.aligned.u32 %r, 1, %p;"
    assert alone(body) == [5] * 64
    assert alone("setp.lt.u32 %p, %t, 5; bar.red.and.pred %q, 0, %p; selp.b32 %r, 1, 0, %q;") == [0] * 64


def test_some_arrive_and_others_wait() -> None:
    body = """
    setp.lt.u32 %p, %t, 32; mov.b32 %r, 1; @%p bra first;
    bar.arrive 1, 64; bra end;
first:
    bar.sync 1, 64;
end:"""
    assert alone(body) == [1] * 64


@pytest.mark.parametrize(
    ("operation", "start", "end"),
    [
        ("add.u32 %r, [%x], 2;", 5, 133),
        ("inc.u32 %r, [%x], 9;", 0, 4),
        ("max.s32 %r, [%x], %t;", 0, 63),
        ("exch.b32 %r, [%x], 7;", 0, 7),
        ("cas.b32 %r, [%x], %t, %w0;", 0, 64),
    ],
)
def test_atomic_operations_follow_each_other(operation: str, start: int, end: int) -> None:
    body = f"""
    .shared .b32 word; mov.u64 %x, word; add.u32 %w0, %t, 1;
    st.shared.b32 [%x], {start}; bar.sync 0; atom.shared.{operation} bar.sync 0;
    red.shared.or.b32 [%x], 0; bar.sync 0; ld.shared.b32 %r, [%x];"""
    assert alone(body) == [end] * 64


def test_a_thread_waits_for_another_in_a_loop() -> None:
    """The loop comes first in the text, so whoever always takes the lowest place never gets past it."""
    body = """
    .shared .b32 flag; mov.u64 %x, flag; st.shared.b32 [%x], 0; bar.sync 0; mov.b32 %r, 3;
    setp.eq.u32 %p, %t, 32; @%p bra last;
loop:
    ld.volatile.shared.b32 %w0, [%x]; setp.eq.u32 %q, %w0, 0; @%q bra loop;
    bra end;
last:
    st.volatile.shared.b32 [%x], 1;
end:"""
    assert alone(body) == [3] * 64


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "add.u32 %r, %w0, 1;",
            "TW1253]: the value that is stored to global memory is undefined in thread 0",
        ),
        (
            "setp.eq.u32 %p, %w0, 1; @%p bra end;\nend: mov.b32 %r, 1;",
            "TW1253]: the guard of this instruction",
        ),
        ("cvt.u64.u32 %x, %w0; ld.global.b32 %r, [%x];", "TW1253]: the address is undefined"),
        ("ld.global.b32 %r, [%x+4096];", "TW1254]: load of 4 bytes at global address"),
        (
            "setp.eq.u32 %p, %t, 1; @%p ld.global.v2.b32 {%w0, %r}, [%x];",
            "TW1255]: load of 8 bytes at global address",
        ),
        ("ld.shared.b32 %r, [%x];", "TW1254]: load of 4 bytes at shared address"),
        (
            "mov.b64 %x, 0; ld.b32 %r, [%x];",
            "TW1254]: load at generic address 0x0, which is in no state space",
        ),
        (
            ".shared .b32 s; ld.global.b32 %r, [s];",
            "TW1203]: 's' is in shared memory, but 'ld.global.b32' accesses global memory",
        ),
        (
            SHARED.format(before="st.shared.b32 [%x], %t;", barrier=""),
            "TW1265]: shared address 0x480 is read by thread 0, and no synchronisation orders this after thread 32",
        ),
        (SHARED.format(before="", barrier="bar.sync 0;"), "TW1253]"),
        (
            "setp.eq.u32 %p, %t, 0; @%p exit; bar.sync 0; mov.b32 %r, 1;",
            "TW1256]: no thread can continue: 63 threads",
        ),
        (
            "setp.eq.u32 %p, %t, 0; @%p bra end; shfl.sync.idx.b32 %w0, %t, 0, 31, -1;\nend: bar.sync 0; mov.b32 %r, 1;",
            "TW1256]",
        ),
        ("mov.u32 %w0, 33; bar.sync 0, %w0; mov.b32 %r, 1;", "TW1259]: a barrier of 33 threads"),
        ("bar.sync 1, 32; mov.b32 %r, 1;", "TW1259]: 64 threads came to barrier 1"),
        ("shfl.sync.idx.b32 %r, %t, 0, 31, 1;", "TW1259]: a thread is not in the mask"),
        ("trap; mov.b32 %r, 1;", "TW1258]: the kernel executed 'trap'"),
        ("brkpt; mov.b32 %r, 1;", "TW1258]"),
        ("mov.b32 %r, 1; vadd.u32.u32.u32 %r, %r, %r;", "TW1252]: 'vadd.u32.u32.u32' is not simulated"),
    ],
)
def test_what_a_kernel_must_not_do_is_told(body: str, message: str) -> None:
    assert message in refused(body)


PLACED = ".shared .align 16 .b8 room[64]; mov.u64 %x, room; mov.b32 %r, 1; "
"""An address of shared memory; nothing gives `%w0` a value."""


@pytest.mark.parametrize(
    ("body", "use"),
    [
        ("shfl.sync.idx.b32 %r, %t, 0, 31, %w0;", "the mask of this instruction"),
        ("shfl.sync.idx.b32 %r, %t, %w0, 31, -1;", "the lane of this instruction"),
        ("shfl.sync.idx.b32 %r, %t, 0, %w0, -1;", "the lane of this instruction"),
        ("setp.eq.u32 %p, %w0, 0; vote.sync.ballot.b32 %r, %p, -1;", "a vote"),
        ("match.any.sync.b32 %r, %w0, -1;", "a value that is compared"),
        ("redux.sync.add.u32 %r, %w0, -1;", "a value that is reduced"),
        (
            PLACED + "ld.param.u64 %x, [in0]; cp.async.ca.shared.global [room], [%x], 4, %w0;",
            "the number of bytes that are copied",
        ),
        (PLACED + "st.shared.b32 [%x], 1; atom.shared.add.u32 %r, [%x], %w0;", "the operand of an atomic"),
        (PLACED + "mbarrier.init.shared.b64 [%x], %w0;", "the count of an mbarrier"),
        (
            PLACED
            + "setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared.b64 [%x], 1; bar.sync 0; mbarrier.try_wait.parity.shared.b64 %p, [%x], %w0;",
            "the phase that is waited for",
        ),
    ],
)
def test_uses_of_an_undefined_register_are_named(body: str, use: str) -> None:
    assert f"TW1253]: {use}" in refused(body, 32)


def test_a_loop_without_an_end_is_given_up() -> None:
    text = HEAD + ".entry k()\n{\nloop: bra loop;\n}\n"
    with pytest.raises(DiagnosticError, match="TW1257"):
        launch(text, "k", (1,), (32,), [], limit=1000)


def test_faults_name_the_line_of_the_source() -> None:
    text = (
        HEAD
        + '.file 7 "kernel.cu"\n.entry k()\n{\n.reg .b64 %x;\n.loc 7 12 3\nst.global.b32 [%x], 1;\nret;\n}\n'
    )
    with pytest.raises(DiagnosticError) as error:
        launch(text, "k", (1,), (32,), [])
    assert "<ptx>:9:1: error[TW1253]" in str(error.value)
    assert "kernel.cu:12:3: note: the instruction was made from this line" in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ([np.ones(4, np.float32)], {}, "TW1251]: the kernel takes 2 arguments, not 1"),
        ([np.ones((4, 4), np.float32).T, 1.0], {}, "TW1251]: the array for 'data' is not contiguous"),
        ([np.ones(4, np.float32), np.ones(4)], {}, "TW1251]: 'factor' of type .f32 does not take an array"),
        ([np.ones(64, np.float32), 1.0], {"entry": "other"}, "TW1250]: there is no kernel 'other'"),
        ([np.ones(64, np.float32), 1.0], {"block": (2048,)}, "TW1250]: 2048 threads in a block"),
        (
            [np.ones(64, np.float32), 1.0],
            {"cluster": (2,)},
            "TW1250]: the grid (1, 1, 1) is no multiple of the cluster",
        ),
        (
            [np.ones(64, np.float32), 1.0],
            {"grid": (1 << 31,)},
            "TW1250]: the grid (2147483648,) is not one to three extents from 1 to 2147483647",
        ),
        ([np.ones(64, np.float32), 1.0], {"checks": "some"}, "TW1250]: checks are all or none"),
    ],
)
def test_launches_that_are_not_possible(
    arguments: list[object], options: dict[str, object], message: str
) -> None:
    words = {"entry": "scale", "grid": (1,), "block": (32,), **options}
    with pytest.raises(DiagnosticError) as error:
        launch(SCALE, args=arguments, **words)
    assert message in str(error.value)


def test_without_checks_undefined_values_pass() -> None:
    text = (
        HEAD
        + ".entry k(.param .u64 out)\n{\n.reg .b64 %x; .reg .b32 %r; ld.param.u64 %x, [out];\nst.global.b32 [%x], %r;\nret;\n}\n"
    )
    launch(text, "k", (1,), (1,), [np.zeros(1, np.uint32)], checks="none")
    with pytest.raises(DiagnosticError, match="TW1253"):
        launch(text, "k", (1,), (1,), [np.zeros(1, np.uint32)])


def test_members_of_a_mask_that_have_ended_are_not_waited_for() -> None:
    body = """
    mov.b32 %r, 7; setp.eq.u32 %p, %t, 0; @%p ret;
    setp.ne.u32 %q, %t, 0;
    vote.sync.all.pred %q, %q, 0xffffffff; selp.b32 %r, 1, 0, %q;
    """
    assert alone(body, 32)[1:] == [1] * 31


PAIRS = """
.func (.reg .v2 .b32 out) swapped(.reg .v2 .b32 in)
{
    mov.b32 out.x, in.y;
    mov.b32 out.y, in.x;
    ret;
}
.entry k(.param .u64 data)
{
    .reg .v2 .b32 %pair; .reg .b64 %both, %at;
    ld.param.b64 %at, [data];
    ld.global.b64 %both, [%at];
    mov.b64 %pair, %both;
    call (%pair), swapped, (%pair);
    mov.b64 %both, %pair;
    st.global.b64 [%at], %both;
    ret;
}
"""


def test_vector_registers_are_parameters_results_and_pieces_of_words() -> None:
    data = np.array([3, 5], np.uint32)
    launch(HEAD + PAIRS, "k", (1,), (1,), [data])
    assert data.tolist() == [5, 3]


def test_a_float_for_a_parameter_of_bits_is_passed_by_its_bits() -> None:
    """It was cut down to an integer before."""
    text = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .b64 out, .param .b32 number) {
  .reg .b64 %a; .reg .b32 %n;
  ld.param.b64 %a, [out];
  ld.param.b32 %n, [number];
  cvta.to.global.u64 %a, %a;
  st.global.b32 [%a], %n;
  ret;
}
"""
    out = np.zeros(1, np.float32)
    launch(text, "k", (1,), (1,), [out, 1.5])
    assert out[0] == 1.5


@pytest.mark.parametrize("cluster", [1, 2])
def test_a_block_that_polls_lets_the_next_ones_run(cluster: int) -> None:
    """Each of eight blocks waits until all have arrived, which the last one does."""
    text = """.version 8.7
.target sm_90
.address_size 64
.entry k(.param .u64 out) {
    .reg .b64 %x; .reg .b32 %n; .reg .pred %p;
    ld.param.u64 %x, [out];
    red.release.gpu.global.add.u32 [%x], 1;
wait:
    ld.acquire.gpu.global.u32 %n, [%x];
    setp.lt.u32 %p, %n, 8;
    @%p bra wait;
    ret;
}
"""
    count = np.zeros(1, np.uint32)
    report = launch(text, "k", (8,), (1,), [count], cluster=(cluster,))
    assert count.tolist() == [8]
    assert report.steps < 20_000
