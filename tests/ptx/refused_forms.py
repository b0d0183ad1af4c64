"""PTX that `ptxas` refuses, each with a twin that differs in the mistake only and that it takes.

A row is a name, the module with the mistake, and the one without.  Modules are written as the lines of a kernel, with
``version``, ``target`` and what stands outside of the kernel where the mistake needs them.
"""

from __future__ import annotations

from typing import NamedTuple

REGISTERS = """.reg .b16 %h<8>; .reg .b32 %r<72>; .reg .b64 %d<16>; .reg .f32 %f<72>; .reg .f64 %g<8>; .reg .pred %p<8>;
    .shared .align 16 .b8 tile[2048];
    .local .align 16 .b8 own[64];
"""


class Form(NamedTuple):
    """A mistake: what the module is called with it, and without it."""

    name: str
    faulty: str
    right: str


def module(
    body: str,
    version: str = "8.7",
    target: str = "sm_90a",
    outside: str = "",
    parameters: str = ".param .u64 out",
) -> str:
    """A module with a kernel of these lines."""
    head = f".version {version}\n.target {target}\n.address_size 64\n{outside}\n"
    return f"{head}.visible .entry k({parameters})\n{{\n    {REGISTERS}    {body}\n    ret;\n}}\n"


def _registers(count: int, name: str = "%r") -> str:
    return "{" + ", ".join(f"{name}{at}" for at in range(count)) + "}"


FOUR, THREE, TWO = (_registers(count) for count in (4, 3, 2))
M16N8K16 = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
LINES = (
    # --- counts of registers
    (
        "a vector of four with three registers",
        f"ld.global.v4.b32 {THREE}, [%d0];",
        f"ld.global.v4.b32 {FOUR}, [%d0];",
    ),
    (
        "a vector of two with three registers",
        f"ld.global.v2.b32 {THREE}, [%d0];",
        f"ld.global.v2.b32 {TWO}, [%d0];",
    ),
    (
        "a vector of two with one register",
        "ld.global.v2.b32 {%r0}, [%d0];",
        f"ld.global.v2.b32 {TWO}, [%d0];",
    ),
    (
        "a store of four with two registers",
        f"st.shared.v4.b32 [%d0], {TWO};",
        f"st.shared.v4.b32 [%d0], {FOUR};",
    ),
    ("a vector of two that is one name", "ld.global.v2.b32 %r0, [%d0];", f"ld.global.v2.b32 {TWO}, [%d0];"),
    (
        "a vector of more than 16 bytes",
        "ld.global.v4.b64 {%d0, %d1, %d2, %d3}, [%d4];",
        "ld.global.v2.b64 {%d0, %d1}, [%d4];",
    ),
    (
        "eight words at once before sm_100",
        f"ld.global.v8.b32 {_registers(8)}, [%d0];",
        f"ld.global.v4.b32 {FOUR}, [%d0];",
    ),
    ("three pieces of a word", "mov.b32 {%h0, %h1, %h2}, %r0;", "mov.b32 {%h0, %h1}, %r0;"),
    ("pieces of another width", "mov.b64 {%h0, %h1}, %d0;", "mov.b64 {%r0, %r1}, %d0;"),
    ("a word of two whole words", "mov.b32 %r0, {%r1, %r2};", "mov.b32 %r0, {%h1, %h2};"),
    (
        "two registers for a matrix",
        f"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {TWO}, [%r9];",
        f"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {FOUR}, [%r9];",
    ),
    (
        "three registers for four stored matrices",
        f"stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r9], {THREE};",
        f"stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r9], {FOUR};",
    ),
    (
        "a product with two registers of A",
        f"{M16N8K16} {_registers(4, '%f')}, {TWO}, {TWO}, {_registers(4, '%f')};",
        f"{M16N8K16} {_registers(4, '%f')}, {FOUR}, {TWO}, {_registers(4, '%f')};",
    ),
    (
        "a product with three results",
        f"{M16N8K16} {_registers(3, '%f')}, {FOUR}, {TWO}, {_registers(4, '%f')};",
        f"{M16N8K16} {_registers(4, '%f')}, {FOUR}, {TWO}, {_registers(4, '%f')};",
    ),
    (
        "a product with an addend of two",
        f"{M16N8K16} {_registers(4, '%f')}, {FOUR}, {TWO}, {_registers(2, '%f')};",
        f"{M16N8K16} {_registers(4, '%f')}, {FOUR}, {TWO}, {_registers(4, '%f')};",
    ),
    (
        "wgmma with too few results",
        f"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {_registers(4, '%f')}, %d0, %d1, %p0, 1, 1, 0, 0;",
        f"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {_registers(8, '%f')}, %d0, %d1, %p0, 1, 1, 0, 0;",
    ),
    (
        "wgmma with two registers of A",
        f"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {_registers(8, '%f')}, {TWO}, %d1, %p0, 1, 1, 0;",
        f"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {_registers(8, '%f')}, {FOUR}, %d1, %p0, 1, 1, 0;",
    ),
    (
        "wmma with too few registers",
        f"wmma.load.a.sync.aligned.m16n16k16.row.f16 {FOUR}, [%d0];",
        f"wmma.load.a.sync.aligned.m16n16k16.row.f16 {_registers(8)}, [%d0];",
    ),
    # --- types of registers
    ("a word where a double word is added", "add.u64 %d0, %d1, %r0;", "add.u64 %d0, %d1, %d2;"),
    ("a float where an integer is added", "add.u32 %r0, %r1, %f0;", "add.u32 %r0, %r1, %r2;"),
    ("an integer result of a float", "add.f64 %d0, %g0, %r0;", "add.f64 %d0, %g0, %g1;"),
    ("a predicate as a number", "add.u32 %r0, %r1, %p0;", "add.u32 %r0, %r1, %r2;"),
    ("a comparison into a word", "setp.eq.u32 %r0, %r1, %r2;", "setp.eq.u32 %p0, %r1, %r2;"),
    ("a choice by a word", "selp.b32 %r0, %r1, %r2, %r3;", "selp.b32 %r0, %r1, %r2, %p3;"),
    ("a guard that is a word", "@%r0 mov.u32 %r1, 1;", "@%p0 mov.u32 %r1, 1;"),
    ("a narrow result of a wide product", "mul.wide.u32 %r0, %r1, %r2;", "mul.wide.u32 %d0, %r1, %r2;"),
    ("a load into a narrower register", "ld.global.b32 %h0, [%d0];", "ld.global.b32 %r0, [%d0];"),
    ("a conversion into a narrower register", "cvt.u32.u64 %h0, %d0;", "cvt.u32.u64 %r0, %d0;"),
    ("a shift by a double word", "shl.b32 %r0, %r1, %d0;", "shl.b32 %r0, %r1, %r2;"),
    (
        "a mask of 64 bits",
        "shfl.sync.idx.b32 %r0, %r1, 0, 31, %d0;",
        "shfl.sync.idx.b32 %r0, %r1, 0, 31, %r2;",
    ),
    (
        "mma of double words",
        f"{M16N8K16} {_registers(4, '%d')}, {FOUR}, {TWO}, {_registers(4, '%f')};",
        f"{M16N8K16} {_registers(4, '%f')}, {FOUR}, {TWO}, {_registers(4, '%f')};",
    ),
    ("a special register that is written", "mov.u32 %tid.x, %r0;", "mov.u32 %r0, %tid.x;"),
    ("a special register of another width", "mov.u32 %r0, %clock64;", "mov.u64 %d0, %clock64;"),
    ("a component of a plain register", "mov.u32 %r0, %r1.x;", "mov.u32 %r0, %tid.x;"),
    ("a predicate that is loaded", "ld.global.pred %p0, [%d0];", "ld.global.b8 %h0, [%d0];"),
    # --- modifiers and types of instructions
    ("a sum of bits", "add.b32 %r0, %r1, %r2;", "add.u32 %r0, %r1, %r2;"),
    ("a sum without a type", "add %r0, %r1, %r2;", "add.u32 %r0, %r1, %r2;"),
    ("a product without its half", "mul.u32 %r0, %r1, %r2;", "mul.lo.u32 %r0, %r1, %r2;"),
    ("a quotient without a rounding", "div.f32 %f0, %f1, %f2;", "div.rn.f32 %f0, %f1, %f2;"),
    ("a root without a rounding", "sqrt.f64 %g0, %g1;", "sqrt.rn.f64 %g0, %g1;"),
    ("fma without a rounding", "fma.f32 %f0, %f1, %f2, %f3;", "fma.rn.f32 %f0, %f1, %f2, %f3;"),
    ("a wide product of double words", "mul.wide.u64 %d0, %d1, %d2;", "mul.wide.u32 %d0, %r1, %r2;"),
    ("a comparison of bits by order", "setp.lt.b32 %p0, %r1, %r2;", "setp.eq.b32 %p0, %r1, %r2;"),
    ("unsigned orders of signed numbers", "setp.lo.s32 %p0, %r1, %r2;", "setp.lo.u32 %p0, %r1, %r2;"),
    ("unordered comparison of integers", "setp.ltu.u32 %p0, %r1, %r2;", "setp.ltu.f32 %p0, %f1, %f2;"),
    ("a conversion of a float without rounding", "cvt.f32.f64 %f0, %g0;", "cvt.rn.f32.f64 %f0, %g0;"),
    (
        "a conversion to an integer that rounds as a float",
        "cvt.rn.s32.f32 %r0, %f0;",
        "cvt.rni.s32.f32 %r0, %f0;",
    ),
    ("a conversion of an integer without rounding", "cvt.f32.s32 %f0, %r0;", "cvt.rn.f32.s32 %f0, %r0;"),
    ("a widening that rounds", "cvt.rn.f64.f32 %g0, %f0;", "cvt.f64.f32 %g0, %f0;"),
    ("integers that round", "cvt.rni.s32.s64 %r0, %d0;", "cvt.s32.s64 %r0, %d0;"),
    (
        "a conversion of a pair to one half",
        "cvt.rn.f16.f32 %h0, %f0, %f1;",
        "cvt.rn.f16x2.f32 %r0, %f0, %f1;",
    ),
    ("a store of a half float by name", "st.global.f16 [%d0], %h0;", "st.global.b16 [%d0], %h0;"),
    ("an atomic sum of bits", "atom.global.add.b32 %r0, [%d0], %r1;", "atom.global.add.u32 %r0, [%d0], %r1;"),
    (
        "an atomic sum of signed double words",
        "atom.global.add.s64 %d1, [%d0], %d2;",
        "atom.global.add.u64 %d1, [%d0], %d2;",
    ),
    (
        "an exchange of a half",
        "atom.global.exch.b16 %h0, [%d0], %h1;",
        "atom.global.cas.b16 %h0, [%d0], %h1, %h2;",
    ),
    ("a reduction that exchanges", "red.global.exch.b32 [%d0], %r0;", "red.global.add.u32 [%d0], %r0;"),
    ("an acquiring store", "st.acquire.gpu.global.b32 [%d0], %r0;", "st.release.gpu.global.b32 [%d0], %r0;"),
    ("a releasing load", "ld.release.gpu.global.b32 %r0, [%d0];", "ld.acquire.gpu.global.b32 %r0, [%d0];"),
    (
        "a relaxed load without a scope",
        "ld.relaxed.global.b32 %r0, [%d0];",
        "ld.relaxed.gpu.global.b32 %r0, [%d0];",
    ),
    ("a weak load with a scope", "ld.weak.gpu.global.b32 %r0, [%d0];", "ld.weak.global.b32 %r0, [%d0];"),
    ("the read-only path of shared memory", "ld.shared.nc.b32 %r0, [%d0];", "ld.global.nc.b32 %r0, [%d0];"),
    ("a store to constant memory", "st.const.b32 [%d0], %r0;", "st.global.b32 [%d0], %r0;"),
    ("a store to a parameter of a kernel", "st.param.b64 [out], %d0;", "ld.param.b64 %d0, [out];"),
    (
        "an atomic operation on local memory",
        "atom.local.add.u32 %r0, [%d0], %r1;",
        "atom.shared.add.u32 %r0, [%d0], %r1;",
    ),
    (
        "cp.async to global memory",
        "cp.async.ca.global.shared [%d0], [%d1], 4;",
        "cp.async.ca.shared.global [%d0], [%d1], 4;",
    ),
    (
        "a shape of mma that there is not",
        f"mma.sync.aligned.m16n8k24.row.col.f32.f16.f16.f32 {_registers(4, '%f')}, {FOUR}, {TWO}, {_registers(4, '%f')};",
        f"{M16N8K16} {_registers(4, '%f')}, {FOUR}, {TWO}, {_registers(4, '%f')};",
    ),
    (
        "mma of two kinds of factors",
        f"mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {_registers(4, '%f')}, {FOUR}, {TWO}, {_registers(4, '%f')};",
        f"{M16N8K16} {_registers(4, '%f')}, {FOUR}, {TWO}, {_registers(4, '%f')};",
    ),
    (
        "mma of bf16 with sums in f16",
        f"mma.sync.aligned.m16n8k16.row.col.f16.bf16.bf16.f16 {TWO}, {FOUR}, {TWO}, {TWO};",
        f"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {TWO}, {FOUR}, {TWO}, {TWO};",
    ),
    (
        "mma of columns and rows",
        f"mma.sync.aligned.m16n8k16.col.row.f32.f16.f16.f32 {_registers(4, '%f')}, {FOUR}, {TWO}, {_registers(4, '%f')};",
        f"{M16N8K16} {_registers(4, '%f')}, {FOUR}, {TWO}, {_registers(4, '%f')};",
    ),
    (
        "wgmma of 12 columns",
        f"wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {_registers(6, '%f')}, %d0, %d1, %p0, 1, 1, 0, 0;",
        f"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {_registers(8, '%f')}, %d0, %d1, %p0, 1, 1, 0, 0;",
    ),
    ("two modifiers of one kind", "add.rn.rz.f32 %f0, %f1, %f2;", "add.rn.f32 %f0, %f1, %f2;"),
    (
        "ldmatrix without alignment",
        "ldmatrix.sync.m8n8.x1.shared.b16 {%r0}, [%r1];",
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r1];",
    ),
    # --- operands
    ("an operand too few", "add.u32 %r0, %r1;", "add.u32 %r0, %r1, %r2;"),
    ("an operand too many", "add.u32 %r0, %r1, %r2, %r3;", "add.u32 %r0, %r1, %r2;"),
    ("a number as a result", "add.u32 1, %r1, %r2;", "add.u32 %r0, %r1, %r2;"),
    ("an address that is added", "add.u32 %r0, %r1, [%d0];", "add.u32 %r0, %r1, %r2;"),
    ("a load without brackets", "ld.global.b32 %r0, %d0;", "ld.global.b32 %r0, [%d0];"),
    ("a float among integers", "add.u32 %r0, %r1, 1.5;", "add.f32 %f0, %f1, 0f3FC00000;"),
    ("an integer among floats", "add.f32 %f0, %f1, 1;", "add.f32 %f0, %f1, 0f3F800000;"),
    ("a negated number", "add.u32 %r0, %r1, !%r2;", "add.u32 %r0, %r1, -1;"),
    (
        "lop3 by a table in a register",
        "lop3.b32 %r0, %r1, %r2, %r3, %r4;",
        "lop3.b32 %r0, %r1, %r2, %r3, 202;",
    ),
    ("barrier 16", "bar.sync 16;", "bar.sync 15;"),
    ("a barrier of 33 threads", "bar.sync 1, 33;", "bar.sync 1, 64;"),
    ("a barrier that is only arrived at by nobody", "bar.arrive 1;", "bar.arrive 1, 64;"),
    (
        "a copy of five bytes",
        "cp.async.ca.shared.global [%d0], [%d1], 5;",
        "cp.async.ca.shared.global [%d0], [%d1], 8;",
    ),
    (
        "a copy of eight bytes past the first cache",
        "cp.async.cg.shared.global [%d0], [%d1], 8;",
        "cp.async.cg.shared.global [%d0], [%d1], 16;",
    ),
    ("a wait for groups in a register", "cp.async.wait_group %r0;", "cp.async.wait_group 1;"),
    (
        "wgmma that scales by 2",
        f"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {_registers(8, '%f')}, %d0, %d1, %p0, 2, 1, 0, 0;",
        f"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {_registers(8, '%f')}, %d0, %d1, %p0, -1, 1, 0, 0;",
    ),
    (
        "registers that are no multiple of 8",
        "setmaxnreg.inc.sync.aligned.u32 100;",
        "setmaxnreg.inc.sync.aligned.u32 104;",
    ),
    (
        "more registers than 256",
        "setmaxnreg.inc.sync.aligned.u32 264;",
        "setmaxnreg.inc.sync.aligned.u32 256;",
    ),
    (
        "an mbarrier in global memory",
        "mbarrier.init.global.b64 [%d0], 1;",
        "mbarrier.init.shared.b64 [%d0], 1;",
    ),
    ("a number among halves", "add.f16 %h0, %h1, 0x3C00;", "mov.b16 %h2, 0x3C00; add.f16 %h0, %h1, %h2;"),
    ("a double among words", "mov.b32 %r0, 1.0;", "mov.b32 %r0, 0f3F800000;"),
    (
        "a special register that is added",
        "add.u32 %r0, %tid.x, 1;",
        "mov.u32 %r0, %tid.x; add.u32 %r0, %r0, 1;",
    ),
    (
        "a special register that is stored",
        "st.global.b32 [%d0], %tid.x;",
        "mov.u32 %r0, %tid.x; st.global.b32 [%d0], %r0;",
    ),
    (
        "an acquiring reduction",
        "red.acquire.gpu.global.add.u32 [%d0], %r0;",
        "red.release.gpu.global.add.u32 [%d0], %r0;",
    ),
    (
        "a volatile load past the cache",
        "ld.volatile.global.ca.b32 %r0, [%d0];",
        "ld.volatile.global.b32 %r0, [%d0];",
    ),
    # --- names
    ("a register that is not declared", "mov.u32 %r0, %x0;", "mov.u32 %r0, %r1;"),
    ("a register behind the last one", "mov.u32 %r0, %r72;", "mov.u32 %r0, %r71;"),
    ("a jump to nowhere", "bra nowhere;", "bra here; here:"),
    ("a jump to a variable", "bra tile;", "bra here; here:"),
    ("a label twice", "here: mov.u32 %r0, 1; here: bra here;", "here: mov.u32 %r0, 1; there: bra here;"),
    ("a register twice", ".reg .b32 %r0;", ".reg .b32 %s0;"),
    ("a variable twice", ".shared .b32 tile;", ".shared .b32 other;"),
    (
        "a label in another scope",
        "{ inner: mov.u32 %r0, 1; } bra inner;",
        "{ inner: mov.u32 %r0, 1; bra inner; }",
    ),
    ("a variable of another space", "ld.global.b32 %r0, [tile];", "ld.shared.b32 %r0, [tile];"),
    ("a register as a variable", "ld.shared.b32 %r0, [tile + %r1];", "ld.shared.b32 %r0, [tile + 4];"),
    ("a label as a number", "here: mov.u32 %r0, here;", "here: mov.u32 %r0, tile;"),
    ("a call of nobody", "call nobody;", "mov.u32 %r0, 1;"),
    ("a call of a kernel", "call k, (%d0);", "mov.u32 %r0, 1;"),
    # --- declarations
    ("register of no type", ".reg .b24 %s;", ".reg .b16 %s;"),
    ("a register that is an array", ".reg .b32 %s[4];", ".reg .b32 %s<4>;"),
    ("a register with an initial value", ".reg .b32 %s = 4;", ".reg .b32 %s;"),
    ("an alignment that is no power of two", ".shared .align 3 .b32 other;", ".shared .align 4 .b32 other;"),
    ("a predicate in memory", ".shared .pred other;", ".shared .b8 other;"),
    ("shared memory with an initial value", ".shared .b32 other = 1;", ".shared .b32 other;"),
    ("an array without an extent", ".shared .b32 other[];", ".shared .b32 other[1];"),
    ("an unknown directive", ".maximum 4;", '.pragma "nounroll";'),
    ("a statement without an end", "mov.u32 %r0, 1", "mov.u32 %r0, 1;"),
    ("an instruction that there is not", "fnord.u32 %r0, %r1;", "mov.u32 %r0, %r1;"),
    ("a quotient by zero", "mov.u32 %r0, 1/0;", "mov.u32 %r0, 1/1;"),
    ("a remainder by zero", "mov.u32 %r0, 7 % 0;", "mov.u32 %r0, 7 % 2;"),
)


def _ordered(name: str, faulty: dict[str, str], right: dict[str, str]) -> Form:
    return Form(name, module(**faulty), module(**right))


def _elsewhere(name: str, body: str, key: str, faulty: str, right: str, **more: str) -> Form:
    """The same lines in two modules that differ in one thing."""
    return Form(name, module(body, **more, **{key: faulty}), module(body, **more, **{key: right}))


USE = "st.shared.b8 [other], %h0; bar.sync 0; ld.shared.b8 %h1, [other + 100]; st.global.b8 [%d0], %h1;"
"""Shared memory counts if a kernel uses it."""
MODULES = (
    *(
        _elsewhere(
            f"too much shared memory on {target}",
            USE,
            "outside",
            f".shared .b8 other[{most - 2047}];",
            f".shared .b8 other[{most - 2048}];",
            target=target,
        )
        for target, most in (("sm_80", 49152), ("sm_90", 49152), ("sm_90a", 232448), ("sm_120a", 101376))
    ),
    _elsewhere("a chip that there is not", "", "target", "sm_9999", "sm_90"),
    _elsewhere("a version that there is not", "", "version", "99.9", "8.7"),
    _elsewhere("a version before the chip", "", "version", "7.7", "7.8", target="sm_90"),
    _elsewhere("a version between others", "", "version", "8.9", "8.8", target="sm_90"),
    _elsewhere("a version before the chip with a suffix", "", "version", "8.5", "8.6", target="sm_100a"),
    _elsewhere("a family before its version", "", "version", "8.7", "8.8", target="sm_100f"),
    _elsewhere("the proxy of asynchronous copies on sm_80", "fence.proxy.async;", "target", "sm_80", "sm_90"),
    _elsewhere("a cluster in PTX 6.0", "mov.u32 %r0, %clusterid.x;", "version", "6.0", "7.8", target="sm_90"),
    _elsewhere("a cluster on sm_80", "mov.u32 %r0, %clusterid.x;", "target", "sm_80", "sm_90"),
    _elsewhere("wgmma without its suffix", "wgmma.fence.sync.aligned;", "target", "sm_90", "sm_90a"),
    _elsewhere("wgmma on a later chip", "wgmma.fence.sync.aligned;", "target", "sm_100a", "sm_90a"),
    _elsewhere(
        "setmaxnreg without its suffix", "setmaxnreg.inc.sync.aligned.u32 104;", "target", "sm_90", "sm_90a"
    ),
    _elsewhere(
        "tensor memory without its suffix", "tcgen05.wait::ld.sync.aligned;", "target", "sm_100", "sm_100a"
    ),
    _elsewhere("tensor memory on sm_120a", "tcgen05.wait::ld.sync.aligned;", "target", "sm_120a", "sm_100a"),
    _elsewhere("tanh on sm_70", "tanh.approx.f32 %f0, %f1;", "target", "sm_70", "sm_75", version="7.0"),
    _elsewhere("cp.async on sm_75", "cp.async.ca.shared.global [%d0], [%d1], 4;", "target", "sm_75", "sm_80"),
    _elsewhere(
        "stmatrix on sm_80",
        f"stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r9], {FOUR};",
        "target",
        "sm_80",
        "sm_90",
    ),
    _elsewhere("sums of bf16 on sm_80", "add.bf16 %h0, %h1, %h2;", "target", "sm_80", "sm_90"),
    _elsewhere(
        "fp8 on sm_80",
        "cvt.rn.satfinite.e4m3x2.f32 %h0, %f0, %f1;",
        "target",
        "sm_80",
        "sm_89",
        version="8.1",
    ),
    _elsewhere(
        "bulk copies in PTX 7.8", "cp.async.bulk.commit_group;", "version", "7.8", "8.0", target="sm_90"
    ),
    _elsewhere(
        "pairs of floats on sm_90", "add.rn.f32x2 %d0, %d1, %d2;", "target", "sm_90", "sm_100", version="8.6"
    ),
    _elsewhere("words of 128 bits on sm_60", ".reg .b128 %q;", "target", "sm_60", "sm_90", version="8.3"),
    _elsewhere("words of 128 bits in PTX 8.2", ".reg .b128 %q;", "version", "8.2", "8.3", target="sm_90"),
    _elsewhere("elect on sm_80", "elect.sync _|%p0, -1;", "target", "sm_80", "sm_90"),
    _elsewhere("an order of memory on sm_60", "fence.acq_rel.gpu;", "target", "sm_60", "sm_70"),
    _elsewhere("redux on sm_75", "redux.sync.add.u32 %r0, %r1, -1;", "target", "sm_75", "sm_80"),
    _elsewhere(
        "2,000 more parameters' bytes",
        "",
        "parameters",
        ".param .b8 p[4353]",
        ".param .b8 p[4352]",
        version="8.0",
    ),
    _elsewhere(
        "parameters on sm_60", "", "parameters", ".param .b8 p[4353]", ".param .b8 p[4352]", target="sm_60"
    ),
    _elsewhere("40,000 bytes of parameters", "", "parameters", ".param .b8 p[32765]", ".param .b8 p[32764]"),
    _elsewhere(
        "parameters in two parts",
        "",
        "parameters",
        ".param .b8 p[32764], .param .u32 q",
        ".param .b8 p[32760], .param .u32 q",
    ),
    _elsewhere(
        "a parameter of two names",
        "",
        "parameters",
        ".param .u32 p, .param .u32 p",
        ".param .u32 p, .param .u32 q",
    ),
    _elsewhere(
        "more elements than the array",
        "",
        "outside",
        ".global .b8 a[4] = {1, 2, 3, 4, 5};",
        ".global .b8 a[4] = {1, 2, 3, 4};",
    ),
    _elsewhere(
        "more elements than a vector's",
        "",
        "outside",
        ".global .v2 .b32 a = {1, 2, 3};",
        ".global .v2 .b32 a = {1, 2};",
    ),
    _elsewhere("a list for one number", "", "outside", ".global .b32 a = {1, 2};", ".global .b32 a = 1;"),
    _elsewhere(
        "deeper lists than the array",
        "",
        "outside",
        ".global .b8 a[2] = {{1}, {2}};",
        ".global .b8 a[2][1] = {{1}, {2}};",
    ),
    _elsewhere(
        "a row that is too long",
        "",
        "outside",
        ".global .b8 a[2][2] = {{1, 2, 3}, {4}};",
        ".global .b8 a[2][2] = {{1, 2}, {4}};",
    ),
    _elsewhere("an extent below zero", "", "outside", ".global .b8 a[-1];", ".global .b8 a[1];"),
    _elsewhere(
        "an initial value that nobody declares",
        "",
        "outside",
        ".global .u64 a = nobody;",
        ".global .b8 b; .global .u64 a = b;",
    ),
    _elsewhere("a float in an integer", "", "outside", ".global .u32 a = 1.5;", ".global .f32 a = 1.5;"),
    _elsewhere(
        "constant memory beyond 64 KiB", "", "outside", ".const .b8 a[65537];", ".const .b8 a[65536];"
    ),
    _elsewhere("a register of the module", "", "outside", ".reg .b32 %all;", ".global .b32 all;"),
    _elsewhere(
        "local memory of the module beyond its limit",
        "",
        "outside",
        ".global .b8 a[4]; .global .b8 a[4];",
        ".global .b8 a[4]; .global .b8 b[4];",
    ),
    _elsewhere(
        "a function twice",
        "",
        "outside",
        ".func f() { ret; } .func f() { ret; }",
        ".func f() { ret; } .func g() { ret; }",
    ),
    _elsewhere(
        "a call with an argument too few",
        "call (%r0), f, (%r1);",
        "outside",
        ".func (.reg .u32 r) f(.reg .u32 a, .reg .u32 b) { mov.u32 r, a; ret; }",
        ".func (.reg .u32 r) f(.reg .u32 a) { mov.u32 r, a; ret; }",
    ),
    _elsewhere(
        "a call with an argument of another width",
        "call (%r0), f, (%r1);",
        "outside",
        ".func (.reg .u32 r) f(.reg .u64 a) { mov.u32 r, 1; ret; }",
        ".func (.reg .u32 r) f(.reg .u32 a) { mov.u32 r, a; ret; }",
    ),
    _elsewhere(
        "a result that nobody takes",
        "call f, (%r1);",
        "outside",
        ".func (.reg .u32 r) f(.reg .u32 a) { mov.u32 r, a; ret; }",
        ".func f(.reg .u32 a) { ret; }",
    ),
    _elsewhere(
        "a result that there is not",
        "call (%r0), f, (%r1);",
        "outside",
        ".func f(.reg .u32 a) { ret; }",
        ".func (.reg .u32 r) f(.reg .u32 a) { mov.u32 r, a; ret; }",
    ),
    _elsewhere(
        "a function that is declared otherwise",
        "",
        "outside",
        ".func f(.reg .u32 a); .func f(.reg .u64 a) { ret; }",
        ".func f(.reg .u32 a); .func f(.reg .u32 a) { ret; }",
    ),
    _elsewhere(
        "a declaration that no call may use",
        "call f, (%r1);",
        "outside",
        ".func f(.reg .f32 a, .reg .u32 b); .func f(.reg .f32 a, .reg .u32 b) { ret; }",
        ".func f(.reg .u32 a); .func f(.reg .u32 a) { ret; }",
    ),
)

FORMS = (*(Form(name, module(faulty), module(right)) for name, faulty, right in LINES), *MODULES)
