"""Memory of every space and type."""

from __future__ import annotations

import re

import numpy as np
import pytest

pytest.importorskip("numpy")

from tests.targets.nvptx.kernels import kernel, lanewise, parsed, printed, run
from tilewright.dialects.common.chips import CHIPS
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.nvvm_to_ptx import translate
from tilewright.targets.nvptx.tools import LEAST

pytestmark = pytest.mark.usefixtures("ptx_as_before")

BYTES = np.random.default_rng(3).integers(0, 256, 2048, dtype=np.uint8)
TYPES = {
    "i8": 1,
    "i16": 2,
    "i64": 8,
    "i128": 16,
    "f16": 2,
    "vector<2xf16>": 4,
    "vector<4xf16>": 8,
    "vector<8xbf16>": 16,
    "vector<4xi8>": 4,
    "vector<16xi8>": 16,
    "vector<8xi16>": 16,
    "vector<4xi32>": 16,
    "vector<8xf32>": 32,
    "vector<2xf64>": 16,
    "!llvm.struct<(i8, i32, f16)>": 12,
    "!llvm.struct<packed (i8, i32, f16)>": 7,
    "!llvm.struct<(i8, struct<(i16, i32)>, array<2 x struct<(i8, i16)>>)>": 20,
    "!llvm.struct<packed (i8, struct<(i8, i32)>)>": 9,
    "!llvm.struct<(i32, struct<packed (i8, i32)>)>": 12,
    "!llvm.array<3 x i16>": 6,
}
"""Types with their sizes in memory."""
PADDING = {
    "!llvm.struct<(i8, i32, f16)>": [1, 2, 3, 10, 11],
    "!llvm.struct<(i8, struct<(i16, i32)>, array<2 x struct<(i8, i16)>>)>": [1, 2, 3, 6, 7, 13, 17],
    "!llvm.struct<packed (i8, struct<(i8, i32)>)>": [2, 3, 4],
    "!llvm.struct<(i32, struct<packed (i8, i32)>)>": [9, 10, 11],
}


@pytest.mark.parametrize("alignment", [1, 4, 16])
@pytest.mark.parametrize("type", TYPES)
def test_copies_of_every_type(type: str, alignment: int) -> None:
    """A value is loaded and stored again: its bytes are those that were there."""
    body = f"""
  %p = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<32 x i8>
  %q = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<32 x i8>
  %x = llvm.load %p {{alignment = {alignment} : i64}} : !llvm.ptr<1> -> {type}
  llvm.store %x, %q {{alignment = {alignment} : i64}} : {type}, !llvm.ptr<1>
"""
    out = np.zeros_like(BYTES)
    run(kernel(body, "%in: !llvm.ptr<1>, %out: !llvm.ptr<1>"), BYTES, out)
    size = TYPES[type]
    found, wanted = out.reshape(-1, 32)[:32, :size].copy(), BYTES.reshape(-1, 32)[:32, :size].copy()
    for at in PADDING.get(type, []):
        found[:, at] = wanted[:, at] = 0
    np.testing.assert_array_equal(found, wanted)
    assert not out.reshape(-1, 32)[:32, size:].any()


SPACES = {1: "global", 3: "shared", 5: "local", 0: ""}


@pytest.mark.parametrize("space", SPACES)
def test_predicates_are_guards_in_every_space(space: int) -> None:
    """A constant predicate is moved to a register: instructions are guarded by no others."""
    pointer, word = f"!llvm.ptr<{space}>", f".{SPACES[space]}" if SPACES[space] else ""
    body = f"""
  %yes = llvm.mlir.constant(true) : i1
  %even = llvm.trunc %t : i32 to i1
  %v = llvm.mlir.zero : vector<4xf32>
  %a = "nvvm.predicated.load"(%p, %even, %v) <{{alignment = 16 : i64}}> : ({pointer}, i1, vector<4xf32>) -> vector<4xf32>
  "nvvm.predicated.store"(%a, %p, %yes) <{{alignment = 8 : i64}}> : (vector<4xf32>, {pointer}, i1) -> ()
"""
    ptx = printed(kernel(body, f"%p: {pointer}"))
    assert re.search(rf"(?:mov\.b32 %f\d+, 0;\s*){{4}}@%p\d+ ld{word}\.v4\.b32 {{", ptx), ptx
    assert len(re.findall(rf"@%p\d+ st{word}\.v2\.b32 \[", ptx)) == 2, ptx


def test_predicated_accesses_say_the_distance_of_their_address() -> None:
    body = """
  %c = llvm.trunc %t : i32 to i1
  %q = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %a = "nvvm.predicated.load"(%q, %c, %t) <{alignment = 4 : i64}> : (!llvm.ptr<1>, i1, i32) -> i32
  "nvvm.predicated.store"(%a, %q, %c) <{alignment = 4 : i64}> : (i32, !llvm.ptr<1>, i1) -> ()
"""
    ptx = printed(kernel(body, "%p: !llvm.ptr<1>"))
    assert len(re.findall(r"@%p1 (?:ld|st)\.global\.b32 .*\[%rd\d+\+12\]", ptx)) == 2, ptx


def test_vectors_are_loaded_at_once() -> None:
    ptx = printed(lanewise("%r = llvm.fadd %a, %a : vector<4xf32>", "vector<4xf32> -> vector<4xf32>"))
    assert "ld.global.v4.b32 {" in ptx
    assert "st.global.v4.b32 [" in ptx
    ptx = printed(lanewise("%r = llvm.fadd %a, %a : vector<8xf16>", "vector<8xf16> -> vector<8xf16>"))
    assert "ld.global.v4.b32 {" in ptx
    assert ptx.count("add.rn.f16x2") == 4


@pytest.mark.parametrize("alignment", [1, 4, 16])
@pytest.mark.parametrize("type", TYPES)
def test_predicates_decide_about_loads_and_stores_of_every_type(type: str, alignment: int) -> None:
    """Where the predicate of a load does not hold the answer is another value; a store then writes nothing."""
    body = f"""
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %low = llvm.and %t, %one : i32
  %high = llvm.and %t, %two : i32
  %reads = llvm.icmp "ne" %low, %zero : i32
  %writes = llvm.icmp "ne" %high, %zero : i32
  %p = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<32 x i8>
  %q = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<32 x i8>
  %o = llvm.load %other {{alignment = 1 : i64}} : !llvm.ptr<1> -> {type}
  %x = "nvvm.predicated.load"(%p, %reads, %o) <{{alignment = {alignment} : i64}}> : (!llvm.ptr<1>, i1, {type}) -> {type}
  "nvvm.predicated.store"(%x, %q, %writes) <{{alignment = {alignment} : i64}}> : ({type}, !llvm.ptr<1>, i1) -> ()
"""
    out, other = np.full_like(BYTES, 77), np.roll(BYTES, 100)[:32].copy()
    run(kernel(body, "%in: !llvm.ptr<1>, %other: !llvm.ptr<1>, %out: !llvm.ptr<1>"), BYTES, other, out)
    size, rows, kept = TYPES[type], BYTES.reshape(-1, 32), PADDING.get(type, [])
    for thread, found in enumerate(out.reshape(-1, 32)):
        wanted = np.full(32, 77, np.uint8)
        if thread < 32 and thread & 2:
            wanted[:size] = (rows[thread] if thread & 1 else other)[:size]
            wanted[kept] = 77
        np.testing.assert_array_equal(found, wanted)


SHARED = """
llvm.mlir.global internal @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
llvm.mlir.global internal constant @table(dense<[5, -6, 7, 8]> : tensor<4xi32>) {addr_space = 4 : i32} : !llvm.array<4 x i32>
llvm.mlir.global internal @counter(100 : i32) {addr_space = 1 : i32} : i32
llvm.mlir.global internal @place() {addr_space = 1 : i32} : !llvm.ptr<1> {
  %0 = llvm.mlir.addressof @counter : !llvm.ptr<1>
  llvm.return %0 : !llvm.ptr<1>
}
"""


def test_variables_of_every_space() -> None:
    """Through shared memory to the neighbour; a constant table, a local array, and an address in a variable."""
    body = """
  %one = llvm.mlir.constant(1 : i32) : i32
  %mask = llvm.mlir.constant(31 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  %four = llvm.mlir.constant(4 : i32) : i32
  %buffer = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %mine = llvm.getelementptr %buffer[0, %t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<64 x i32>
  llvm.store %a, %mine : i32, !llvm.ptr<3>
  nvvm.barrier0
  %next = llvm.add %t, %one : i32
  %other = llvm.and %next, %mask : i32
  %theirs = llvm.getelementptr %buffer[0, %other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<64 x i32>
  %generic = llvm.addrspacecast %theirs : !llvm.ptr<3> to !llvm.ptr
  %x = llvm.load %generic : !llvm.ptr -> i32
  %table = llvm.mlir.addressof @table : !llvm.ptr<4>
  %low = llvm.and %t, %three : i32
  %entry = llvm.getelementptr %table[%low] : (!llvm.ptr<4>, i32) -> !llvm.ptr<4>, i32
  %y = llvm.load %entry : !llvm.ptr<4> -> i32
  %place = llvm.mlir.addressof @place : !llvm.ptr<1>
  %counter = llvm.load %place : !llvm.ptr<1> -> !llvm.ptr<1>
  %z = llvm.load %counter : !llvm.ptr<1> -> i32
  %stack = llvm.alloca %four x i32 : (i32) -> !llvm.ptr
  %slot = llvm.getelementptr %stack[%low] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %x, %slot : i32, !llvm.ptr
  %back = llvm.load %slot : !llvm.ptr -> i32
  %s = llvm.add %back, %y : i32
  %r = llvm.add %s, %z : i32
"""
    body = body.replace("  %four = llvm.mlir.constant(4 : i32) : i32\n", "")
    text = SHARED + lanewise("%four = llvm.mlir.constant(4 : i32) : i32\n" + body, "i32 -> i32")
    out = np.zeros(32, np.int32)
    numbers = np.arange(32, dtype=np.int32) * 10
    run(text, numbers, out)
    assert out.tolist() == (np.roll(numbers, -1) + np.tile([5, -6, 7, 8], 8) + 100).tolist()


def test_copies_of_known_length() -> None:
    body = """
  %n = llvm.mlir.constant(29 : i32) : i32
  %zero = llvm.mlir.constant(7 : i8) : i8
  %few = llvm.mlir.constant(3 : i32) : i32
  %p = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<32 x i8>
  %q = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<32 x i8>
  "llvm.intr.memcpy"(%q, %p, %n) <{isVolatile = false, arg_attrs = [{llvm.align = 16 : i64}, {llvm.align = 8 : i64}, {}]}> : (!llvm.ptr<1>, !llvm.ptr<1>, i32) -> ()
  %end = llvm.getelementptr %q[29] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  "llvm.intr.memset"(%end, %zero, %few) <{isVolatile = false}> : (!llvm.ptr<1>, i8, i32) -> ()
"""
    out = np.zeros_like(BYTES)
    run(kernel(body, "%in: !llvm.ptr<1>, %out: !llvm.ptr<1>"), BYTES, out)
    rows = out.reshape(-1, 32)[:32]
    np.testing.assert_array_equal(rows[:, :29], BYTES.reshape(-1, 32)[:32, :29])
    assert (rows[:, 29:] == 7).all()


# --- refusals


def refusal(text: str, chip: str) -> DiagnosticError:
    with pytest.raises(DiagnosticError) as caught:
        translate(parsed(text), CHIPS[chip])
    return caught.value


def test_what_a_chip_lacks_names_operation_and_chip() -> None:
    text = kernel("nvvm.cp.async.commit.group", "")
    (problem,) = refusal(text, "sm_75").diagnostics
    assert problem.code is codes.NOT_ON_CHIP
    assert "sm_75" in problem.message
    assert "nvvm.cp.async.commit.group" in problem.message
    assert problem.location.source is not None
    assert "cp.async.commit_group" in printed(text, "sm_80")
    (problem,) = refusal(kernel('llvm.fence syncscope("cluster") acquire', ""), "sm_80").diagnostics
    assert "sm_80 cannot do 'llvm.fence'" in problem.message


REFUSED = {
    "no row": ("%x = llvm.intr.cosh(%f) : (f32) -> f32", "llvm.intr.cosh"),
    "approximation only": ("%x = llvm.intr.sin(%f) : (f32) -> f32", "only an approximation"),
    "unknown scope": ('llvm.fence syncscope("warp") acquire', "the scope 'warp'"),
    "unknown space": ("%x = llvm.load %p : !llvm.ptr<9> -> i32", "address space 9"),
    "wide division": ("%x = llvm.udiv %w, %w : i128", "i128"),
    "scalable vector": ("%x = llvm.mlir.undef : vector<[4]xf32>", "vector<[4]xf32>"),
    "odd width": ("%x = llvm.load %p : !llvm.ptr<9> -> i24", "address space 9"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_form_is_refused(name: str) -> None:
    body, word = REFUSED[name]
    (problem,) = refusal(kernel(body, "%f: f32, %p: !llvm.ptr<9>, %w: i128"), "sm_90").diagnostics
    assert problem.code is codes.NO_PTX_FORM
    assert word in problem.message
    assert problem.hints


def test_addresses_of_members() -> None:
    """Steps through structs and arrays, computed and constant; accesses say the constant part themselves."""
    record = "!llvm.struct<(i16, array<3 x struct<(i8, i32)>>, i64)>"
    body = f"""
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.getelementptr %in[%t, 1, 2, 1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {record}
  %q = llvm.getelementptr %in[%t, 2] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {record}
  %o = llvm.getelementptr %in[%t, 1, %one, 1] : (!llvm.ptr<1>, i32, i32) -> !llvm.ptr<1>, {record}
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  %y = llvm.load %q : !llvm.ptr<1> -> i64
  %z = llvm.load %o : !llvm.ptr<1> -> i32
  %w = llvm.sub %x, %z : i32
  %v = llvm.sext %w : i32 to i64
  %s = llvm.add %v, %y : i64
  %to = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i64
  llvm.store %s, %to : i64, !llvm.ptr<1>
"""
    text = kernel(body, "%in: !llvm.ptr<1>, %out: !llvm.ptr<1>")
    assert sorted(map(int, re.findall(r"ld\.global\.b\d+ .*\[%rd\d+\+(\d+)\]", printed(text)))) == [8, 24, 32]
    rows, out = (
        BYTES.reshape(-1, 40)[:32] if BYTES.size % 40 == 0 else BYTES[: 32 * 40].reshape(-1, 40),
        np.zeros(32, np.int64),
    )
    run(text, np.ascontiguousarray(rows), out)
    last, second = (np.ascontiguousarray(rows[:, at : at + 4]).view(np.int32)[:, 0] for at in (24, 16))
    more = np.ascontiguousarray(rows[:, 32:]).view(np.int64)[:, 0]
    with np.errstate(over="ignore"):
        assert out.tolist() == ((last - second).astype(np.int64) + more).tolist()


def test_local_memory_under_its_name() -> None:
    """Accesses name memory on the stack, unless its address is computed with or passed on."""
    body = """
  %two = llvm.mlir.constant(2 : i32) : i32
  %near = llvm.alloca %two x i32 {alignment = 16 : i64} : (i32) -> !llvm.ptr<5>
  %far = llvm.alloca %two x i32 : (i32) -> !llvm.ptr<5>
  %second = llvm.getelementptr %near[1] : (!llvm.ptr<5>) -> !llvm.ptr<5>, i32
  llvm.store %a, %near : i32, !llvm.ptr<5>
  llvm.store %t, %second : i32, !llvm.ptr<5>
  %one = llvm.mlir.constant(1 : i32) : i32
  %low = llvm.and %t, %one : i32
  %at = llvm.getelementptr %far[%low] : (!llvm.ptr<5>, i32) -> !llvm.ptr<5>, i32
  llvm.store %a, %at : i32, !llvm.ptr<5>
  %x = llvm.load %near : !llvm.ptr<5> -> i32
  %y = llvm.load %second : !llvm.ptr<5> -> i32
  %z = llvm.load %at : !llvm.ptr<5> -> i32
  %xy = llvm.sub %x, %y : i32
  %r = llvm.add %xy, %z : i32
"""
    text = lanewise(body, "i32 -> i32")
    ptx = printed(text)
    assert ".local .align 16 .b8 __local_depot_1[8];" in ptx
    assert ".local .align 4 .b8 __local_depot_2[8];" in ptx
    assert len(re.findall(r"(?:ld|st)\.local\.b32 .*\[__local_depot_1(?:\+4)?\]", ptx)) == 4
    assert re.search(r"mov\.b64 %rd\d+, __local_depot_2;", ptx)
    numbers, out = np.arange(0, 320, 10, dtype=np.int32), np.zeros(32, np.int32)
    run(text, numbers, out)
    assert out.tolist() == (2 * numbers - np.arange(32)).tolist()


@pytest.mark.parametrize(
    ("type", "space", "wanted"),
    [("!llvm.ptr<1>", 1, "ld.volatile.global.b32"), ("!llvm.ptr", 0, "ld.volatile.b32")],
)
def test_volatile_loads(type: str, space: int, wanted: str) -> None:
    body = f"%q = llvm.addrspacecast %r_at : !llvm.ptr<1> to {type}\n" if not space else ""
    place = "%q" if not space else "%r_at"
    ptx = printed(lanewise(f"{body}%r = llvm.load volatile {place} : {type} -> i32", "i32 -> i32"))
    assert f"{wanted} " in ptx
    assert ptx.count("volatile") == 1


@pytest.mark.parametrize("length", [5, 16, 1024])
def test_copies_with_their_length(length: int) -> None:
    body = f"""
  "llvm.intr.memcpy.inline"(%out, %in) <{{isVolatile = false, len = {length} : i32}}> : (!llvm.ptr<1>, !llvm.ptr<1>) -> ()
"""
    out = np.zeros_like(BYTES)
    run(kernel(body, "%in: !llvm.ptr<1>, %out: !llvm.ptr<1>"), BYTES, out, threads=1)
    assert out.tolist() == [*BYTES[:length].tolist(), *[0] * (len(out) - length)]


def test_copies_that_are_too_long() -> None:
    body = """"llvm.intr.memcpy.inline"(%p, %p) <{isVolatile = false, len = 1025 : i32}> : (!llvm.ptr<1>, !llvm.ptr<1>) -> ()"""
    (problem,) = refusal(kernel(body, "%p: !llvm.ptr<1>"), "sm_90").diagnostics
    assert "a copy of many bytes" in problem.message
    assert "1024" in problem.hints[0]


COMPUTED = """
llvm.mlir.global internal @numbers(dense<[5, -6, 7, 8]> : tensor<4xi32>) {addr_space = 1 : i32} : !llvm.array<4 x i32>
llvm.mlir.global internal @third() {addr_space = 1 : i32} : !llvm.ptr<1> {
  %0 = llvm.mlir.addressof @numbers : !llvm.ptr<1>
  %1 = llvm.getelementptr %0[0, 2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.array<4 x i32>
  llvm.return %1 : !llvm.ptr<1>
}
llvm.mlir.global internal @seven() {addr_space = 1 : i32} : i32 {
  %0 = llvm.mlir.constant(7000 : i32) : i32
  llvm.return %0 : i32
}
llvm.mlir.global internal @nothing() {addr_space = 1 : i32} : i32 {
  %0 = llvm.mlir.zero : i32
  llvm.return %0 : i32
}
"""


def test_variables_with_computed_values() -> None:
    loads = "\n".join(
        f"%{name}_p = llvm.mlir.addressof @{name} : !llvm.ptr<1>\n%{name} = llvm.load %{name}_p : !llvm.ptr<1> -> {type}"
        for name, type in (("third", "!llvm.ptr<1>"), ("seven", "i32"), ("nothing", "i32"))
    )
    body = f"""
  {loads}
  %x = llvm.load %third : !llvm.ptr<1> -> i32
  %s = llvm.add %x, %seven : i32
  %m = llvm.mul %nothing, %a : i32
  %r = llvm.add %s, %m : i32
"""
    text = COMPUTED + lanewise(body, "i32 -> i32")
    assert "third[1] = {numbers+8};" in printed(text)
    out = np.zeros(32, np.int32)
    run(text, np.arange(32, dtype=np.int32), out)
    assert out.tolist() == [7007] * 32


VARIABLES = {
    "another space": (
        "llvm.mlir.global internal @v() {addr_space = 5 : i32} : i32",
        "a variable in address space 5",
    ),
    "no layout": (
        "llvm.mlir.global internal @v() {addr_space = 1 : i32} : i100",
        "a variable of type 'i100' (i100)",
    ),
    "a sum": (
        "llvm.mlir.global internal @v() {addr_space = 1 : i32} : i32 {\n"
        "%0 = llvm.mlir.constant(7 : i32) : i32\n%1 = llvm.add %0, %0 : i32\nllvm.return %1 : i32\n}",
        "a variable of type 'i32' (computed by 'llvm.add')",
    ),
    "an address from none": (
        "llvm.mlir.global internal @v() {addr_space = 1 : i32} : !llvm.ptr<1> {\n"
        "%0 = llvm.mlir.zero : !llvm.ptr<1>\n"
        "%1 = llvm.getelementptr %0[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32\nllvm.return %1 : !llvm.ptr<1>\n}",
        "a variable of type '!llvm.ptr<1>' (computed by 'llvm.getelementptr')",
    ),
}


@pytest.mark.parametrize("name", VARIABLES)
def test_variables_that_are_refused(name: str) -> None:
    text, reason = VARIABLES[name]
    (problem,) = refusal(text + "\n" + kernel("", ""), "sm_90").diagnostics
    assert problem.code is codes.NO_PTX_FORM
    assert problem.message == f"'v' has no form in PTX: {reason}"
    assert problem.location.source is not None
    assert problem.location.source[1] == 1
    assert problem.hints


def test_every_chip_has_a_version() -> None:
    assert LEAST.keys() == CHIPS.keys()


def test_the_version_is_the_least_with_all_instructions() -> None:
    assert printed(kernel("", ""), "sm_75").startswith(".version 6.3\n.target sm_75\n")
    assert printed(kernel("nvvm.setmaxregister decrease 40", ""), "sm_90a").startswith(".version 8.0\n")
