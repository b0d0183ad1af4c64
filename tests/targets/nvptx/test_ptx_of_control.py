"""Branches, loops, switches and calls: arguments of blocks are moved in parallel, whatever their order."""

from __future__ import annotations

import re

import numpy as np
import pytest

pytest.importorskip("numpy")


from tests.targets.nvptx.kernels import kernel, lanewise, printed, run, run_lanewise
from tilewright.ir.diagnostic import DiagnosticError

pytestmark = pytest.mark.usefixtures("ptx_as_before")

NUMBERS = np.arange(-8, 24, dtype=np.int32)


def looped(arguments: str, next_: str, result: str) -> str:
    """A loop of ``%b`` rounds over three numbers that begin with ``%a``, 10 and 20."""
    return f"""
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %ten = llvm.mlir.constant(10 : i32) : i32
  %twenty = llvm.mlir.constant(20 : i32) : i32
  llvm.br ^head(%zero, %a, %ten, %twenty : i32, i32, i32, i32)
^head(%i: i32, {arguments}):
  %more = llvm.icmp "slt" %i, %b : i32
  llvm.cond_br %more, ^body, ^done
^body:
  %next = llvm.add %i, %one : i32
  llvm.br ^head(%next, {next_} : i32, i32, i32, i32)
^done:
  %seven = llvm.mlir.constant(7 : i32) : i32
  %x7 = llvm.mul %x, %seven : i32
  %xy = llvm.sub %x7, %y : i32
  %xy7 = llvm.mul %xy, %seven : i32
  %r = llvm.sub %xy7, {result} : i32
"""


CYCLES = {
    "nothing": ("%x, %y, %z", lambda x, y, z: (x, y, z)),
    "swap": ("%y, %x, %z", lambda x, y, z: (y, x, z)),
    "turn": ("%y, %z, %x", lambda x, y, z: (y, z, x)),
    "turn back": ("%z, %x, %y", lambda x, y, z: (z, x, y)),
    "copies": ("%x, %x, %x", lambda x, y, z: (x, x, x)),
    "chain": ("%y, %z, %i", None),
    "swap and copy": ("%y, %x, %x", lambda x, y, z: (y, x, x)),
}


@pytest.mark.parametrize("name", CYCLES)
def test_arguments_that_depend_on_each_other(name: str) -> None:
    next_, step = CYCLES[name]
    body = looped("%x: i32, %y: i32, %z: i32", next_, "%z")
    rounds = np.abs(NUMBERS) % 5
    found = run_lanewise(body, "i32 i32 -> i32", np.int32, NUMBERS, rounds)
    for a, count, r in zip(NUMBERS.tolist(), rounds.tolist(), found.tolist(), strict=True):
        x, y, z = a, 10, 20
        for i in range(count):
            x, y, z = step(x, y, z) if step is not None else (y, z, i)
        assert r == (x * 7 - y) * 7 - z


def test_a_cycle_is_cut_by_one_copy() -> None:
    text = printed(lanewise(looped("%x: i32, %y: i32, %z: i32", "%y, %x, %z", "%z"), "i32 i32 -> i32"))
    moves = [line.split()[1:] for line in text.splitlines() if "mov.b32 %r" in line]
    assert len(moves) == 4 + 4, "the counter, and three moves for two numbers that change places"


def test_edges_with_moves_of_their_own() -> None:
    """Both ways of a branch lead to one block, with different arguments, from which neither is the next."""
    body = """
  %zero = llvm.mlir.constant(0 : i32) : i32
  %is_less = llvm.icmp "slt" %a, %zero : i32
  llvm.cond_br %is_less, ^join(%zero, %b : i32, i32), ^join(%a, %zero : i32, i32)
^join(%x: i32, %y: i32):
  %r = llvm.sub %x, %y : i32
"""
    found = run_lanewise(body, "i32 i32 -> i32", np.int32, NUMBERS, NUMBERS[::-1].copy())
    assert found.tolist() == np.where(NUMBERS < 0, -NUMBERS[::-1], NUMBERS).tolist()


def test_switch() -> None:
    body = """
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  llvm.switch %a : i32, ^other(%a : i32) [
    -3: ^other(%one : i32),
    0: ^plain,
    5: ^other(%two : i32)
  ]
^plain:
  llvm.br ^other(%b : i32)
^other(%r: i32):
"""
    found = run_lanewise(body, "i32 i32 -> i32", np.int32, NUMBERS, NUMBERS * 3)
    wanted = {-3: 1, 0: 0, 5: 2}
    assert found.tolist() == [wanted.get(int(x), int(x)) for x in NUMBERS]


def test_blocks_in_any_order() -> None:
    """A block that is used before it stands in the text, and one that nothing leads to."""
    body = """
  llvm.br ^first
^last:
  %r = llvm.add %sum, %b : i32
  llvm.br ^end(%r : i32)
^dead:
  llvm.br ^end(%a : i32)
^first:
  %sum = llvm.mul %a, %a : i32
  llvm.br ^last
^end(%result: i32):
  llvm.store %result, %r_at : i32, !llvm.ptr<1>
  llvm.return
"""
    text = lanewise(body, "i32 i32 -> i32").replace(
        "llvm.store %r, %r_at : i32, !llvm.ptr<1>\nllvm.return\n", ""
    )
    out = np.zeros_like(NUMBERS)
    run(text, NUMBERS, NUMBERS, out)
    assert out.tolist() == (NUMBERS * NUMBERS + NUMBERS).tolist()


FUNCTIONS = """
llvm.func internal @mixed(%a: i8, %b: i1, %c: f16, %d: !llvm.struct<(i32, i64, f16)>, %e: vector<4xf32>) -> !llvm.struct<(i64, f32)> {
  %i = llvm.sext %a : i8 to i64
  %bit = llvm.zext %b : i1 to i64
  %ib = llvm.add %i, %bit : i64
  %d0 = llvm.extractvalue %d[0] : !llvm.struct<(i32, i64, f16)>
  %d1 = llvm.extractvalue %d[1] : !llvm.struct<(i32, i64, f16)>
  %d2 = llvm.extractvalue %d[2] : !llvm.struct<(i32, i64, f16)>
  %w = llvm.sext %d0 : i32 to i64
  %s = llvm.add %ib, %w : i64
  %t = llvm.add %s, %d1 : i64
  %h = llvm.fadd %c, %d2 : f16
  %f = llvm.fpext %h : f16 to f32
  %three = llvm.mlir.constant(3 : i32) : i32
  %last = llvm.extractelement %e[%three : i32] : vector<4xf32>
  %g = llvm.fadd %f, %last : f32
  %u = llvm.mlir.undef : !llvm.struct<(i64, f32)>
  %u0 = llvm.insertvalue %t, %u[0] : !llvm.struct<(i64, f32)>
  %u1 = llvm.insertvalue %g, %u0[1] : !llvm.struct<(i64, f32)>
  llvm.return %u1 : !llvm.struct<(i64, f32)>
}
llvm.func internal @narrow(%a: i8) -> i8 {
  %r = llvm.add %a, %a : i8
  llvm.return %r : i8
}
llvm.func internal @sum(%n: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %done = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %done, ^end, ^again
^end:
  llvm.return %zero : i32
^again:
  %less = llvm.sub %n, %one : i32
  %rest = llvm.call @sum(%less) : (i32) -> i32
  %r = llvm.add %rest, %n : i32
  llvm.return %r : i32
}
"""


def test_arguments_and_results_of_every_kind() -> None:
    body = """
  %small = llvm.trunc %a : i32 to i8
  %bit = llvm.trunc %a : i32 to i1
  %half = llvm.sitofp %a : i32 to f16
  %long = llvm.sext %b : i32 to i64
  %s = llvm.mlir.undef : !llvm.struct<(i32, i64, f16)>
  %s0 = llvm.insertvalue %b, %s[0] : !llvm.struct<(i32, i64, f16)>
  %s1 = llvm.insertvalue %long, %s0[1] : !llvm.struct<(i32, i64, f16)>
  %s2 = llvm.insertvalue %half, %s1[2] : !llvm.struct<(i32, i64, f16)>
  %v = llvm.mlir.constant(dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>) : vector<4xf32>
  %x = llvm.call @mixed(%small, %bit, %half, %s2, %v) : (i8, i1, f16, !llvm.struct<(i32, i64, f16)>, vector<4xf32>) -> !llvm.struct<(i64, f32)>
  %n = llvm.extractvalue %x[0] : !llvm.struct<(i64, f32)>
  %f = llvm.extractvalue %x[1] : !llvm.struct<(i64, f32)>
  %m = llvm.fptosi %f : f32 to i64
  %k = llvm.call @narrow(%small) : (i8) -> i8
  %kk = llvm.sext %k : i8 to i64
  %p = llvm.add %n, %m : i64
  %q = llvm.add %p, %kk : i64
  %r = llvm.trunc %q : i64 to i32
"""
    out = np.zeros_like(NUMBERS)
    run(FUNCTIONS + lanewise(body, "i32 i32 -> i32"), NUMBERS, NUMBERS * 100, out)
    bits = NUMBERS & 1
    assert out.tolist() == (NUMBERS + bits + 200 * NUMBERS + 2 * NUMBERS + 4 + 2 * NUMBERS).tolist()


def test_recursion_and_functions_behind_pointers() -> None:
    body = """
  %sum = llvm.mlir.addressof @sum : !llvm.ptr
  %low = llvm.call @sum(%b) : (i32) -> i32
  %high = llvm.call %sum(%b) : !llvm.ptr, (i32) -> i32
  %r = llvm.add %low, %high : i32
"""
    out, counts = np.zeros_like(NUMBERS), np.arange(32, dtype=np.int32) % 6
    run(FUNCTIONS + lanewise(body, "i32 i32 -> i32"), NUMBERS, counts, out)
    assert out.tolist() == (counts * (counts + 1)).tolist()


def test_functions_that_come_later_are_declared() -> None:
    text = lanewise("%r = llvm.call @narrow(%a) : (i8) -> i8", "i8 -> i8") + FUNCTIONS
    ptx = printed(text)
    assert ptx.index("narrow(") < ptx.index(".entry")
    assert ptx.count(".func (.param .b32 func_retval0) narrow(") == 2


def test_what_kernels_ask_of_the_machine() -> None:
    attributes = (
        "nvvm.kernel, nvvm.reqntid = array<i32: 64, 2, 1>, nvvm.minctasm = 2 : i32, nvvm.maxnreg = 128 : i32, "
        "nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.blocksareclusters"
    )
    text = kernel("", "%p: !llvm.ptr<1> {llvm.align = 16 : i64}, %q: !llvm.ptr").replace(
        "nvvm.kernel", attributes
    )
    ptx = printed(text, "sm_90a")
    head = ptx.partition("{")[0].splitlines()
    assert head[:2] == [".version 9.0", ".target sm_90a"]
    assert "\t.param .u64 .ptr .global .align 16 k_param_0," in head
    assert "\t.param .u64 k_param_1" in head
    assert head[head.index(")") + 1 :] == [
        ".reqntid 64, 2, 1",
        ".minnctapersm 2",
        ".maxnreg 128",
        ".explicitcluster",
        ".reqnctapercluster 2, 1, 1",
        ".blocksareclusters",
    ]


def test_lines_of_the_source() -> None:
    body = (
        '%r = llvm.add %a, %b : i32 loc("kernel.py":7:4)\n%s = llvm.mul %r, %a : i32 loc("kernel.py":7:4)\n'
    )
    ptx = printed(lanewise(body, "i32 i32 -> i32"), line_info=True)
    assert ptx.count(".loc 2 7 5") == 1
    assert '.file 2 "kernel.py"' in ptx
    assert ".loc" not in printed(lanewise(body, "i32 i32 -> i32"))


def test_lines_of_the_source_behind_operations_without_code() -> None:
    """A constant makes no instruction, so the place is said before the next one, once."""
    body = (
        '%c = llvm.mlir.constant(3 : i32) : i32 loc("kernel.py":7:4)\n'
        '%r = llvm.add %a, %c : i32 loc("kernel.py":7:4)\n'
        '%d = llvm.mlir.constant(4 : i32) : i32 loc("kernel.py":8:4)\n'
        '%s = llvm.mul %r, %d : i32 loc("kernel.py":7:4)\n'
    )
    lines = printed(lanewise(body, "i32 -> i32"), line_info=True).splitlines()
    at = next(number for number, line in enumerate(lines) if "add.s32" in line and ", 3;" in line)
    assert lines[at - 1].strip() == ".loc 2 7 5"
    assert lines[at + 1].strip().startswith(("mul.", "mad."))
    assert not any(line.strip() == ".loc 2 8 5" for line in lines)


def test_a_branch_back_if_its_condition_holds() -> None:
    """The first way leads back to a block without arguments, the second one to the next block."""
    body = """
  %one = llvm.mlir.constant(1 : i32) : i32
  %place = llvm.alloca %one x i32 : (i32) -> !llvm.ptr<5>
  llvm.store %a, %place : i32, !llvm.ptr<5>
  llvm.br ^again
^again:
  %x = llvm.load %place : !llvm.ptr<5> -> i32
  %y = llvm.add %x, %one : i32
  llvm.store %y, %place : i32, !llvm.ptr<5>
  %more = llvm.icmp "slt" %y, %b : i32
  llvm.cond_br %more, ^again, ^done
^done:
  %r = llvm.add %y, %y : i32
"""
    found = run_lanewise(body, "i32 i32 -> i32", np.int32, NUMBERS, np.full_like(NUMBERS, 5))
    assert found.tolist() == (2 * np.maximum(NUMBERS + 1, 5)).tolist()
    text = printed(lanewise(body, "i32 i32 -> i32"))
    assert re.findall(r"(@\S+ )?bra (\S+);", text) == [("@%p1 ", "$L1")]


def test_code_that_is_not_reached_traps() -> None:
    body = """
  %ten = llvm.mlir.constant(10 : i32) : i32
  %is_more = llvm.icmp "sgt" %a, %ten : i32
  llvm.cond_br %is_more, ^never, ^go
^never:
  llvm.unreachable
^go:
  %r = llvm.add %a, %a : i32
"""
    lines = [line.strip() for line in printed(lanewise(body, "i32 -> i32")).splitlines()]
    assert lines[lines.index("trap;") + 1] == "exit;"
    few = np.arange(8, dtype=np.int32)
    assert run_lanewise(body, "i32 -> i32", np.int32, few).tolist() == (2 * few).tolist()
    with pytest.raises(DiagnosticError, match="trap"):
        run_lanewise(body, "i32 -> i32", np.int32, few + 10)


WHOLE = "llvm.byval = !llvm.struct<(i32, array<3 x i64>)>"


def by_value(attributes: str, space: str = "", kind: str = "nvvm.kernel") -> str:
    """A function with a parameter in memory, of which it adds members."""
    return f"""
llvm.func @k(%p: !llvm.ptr{space} {{{WHOLE}{attributes}}}, %out: !llvm.ptr<1>) attributes {{{kind}}} {{
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %q = llvm.getelementptr %p[0, 1, %t] : (!llvm.ptr{space}, i32) -> !llvm.ptr{space}, !llvm.struct<(i32, array<3 x i64>)>
  %x = llvm.load %q : !llvm.ptr{space} -> i64
  %a = llvm.load %p : !llvm.ptr{space} -> i32
  %w = llvm.sext %a : i32 to i64
  %s = llvm.add %x, %w : i64
  %to = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i64
  llvm.store %s, %to : i64, !llvm.ptr<1>
  llvm.return
}}
"""


@pytest.mark.parametrize(
    ("stated", "alignment"), [("", 8), (", llvm.align = 64 : i64", 64), (", llvm.align = 2 : i64", 8)]
)
def test_parameters_in_memory(stated: str, alignment: int) -> None:
    text = by_value(f", nvvm.grid_constant{stated}")
    assert f".param .align {alignment} .b8 k_param_0[32]" in printed(text)
    given = np.zeros(1, np.dtype({"names": ["a", "b"], "formats": ["i4", "3i8"], "offsets": [0, 8]}))
    given["a"], given["b"] = -5, [10, 200, 1 << 40]
    out = np.zeros(3, np.int64)
    run(text, given.tobytes(), out, threads=3)
    assert out.tolist() == [5, 195, (1 << 40) - 5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (by_value(""), "a `byval` parameter that may be written"),
        (by_value(", nvvm.grid_constant", kind="llvm.readnone"), "a `byval` parameter that may be written"),
        (by_value(", nvvm.grid_constant", "<1>"), "with a pointer into a specific address space"),
    ],
)
def test_parameters_in_memory_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message):
        printed(text)
