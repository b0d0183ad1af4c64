"""Operations of `nvvm`: what threads of a warp and a block tell each other, products of matrices, asynchronous copies."""

from __future__ import annotations

import re

import numpy as np
import pytest

pytest.importorskip("numpy")

from tests.targets.nvptx.kernels import kernel, lanewise, printed, run, run_lanewise
from tilewright.dialects.nvvm.ops import environment, register
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.registers import SPECIAL
from tilewright.targets.nvptx.nvvm_to_ptx.nvvm_rows import synchronisation

pytestmark = pytest.mark.usefixtures("ptx_as_before")

NUMBERS = np.arange(100, 132, dtype=np.int32)
ALL = "%all = llvm.mlir.constant(-1 : i32) : i32\n%clamp = llvm.mlir.constant(31 : i32) : i32\n"


def test_every_special_register_is_one_of_ptx() -> None:
    for op in (*register.OPERATIONS, *environment.OPERATIONS):
        assert op is register.WarpSizeOp or synchronisation.spelt_register(op) in SPECIAL


@pytest.mark.parametrize(("kind", "wanted"), [("bfly", np.arange(32) ^ 1), ("idx", np.full(32, 1))])
def test_shuffles(kind: str, wanted: np.ndarray) -> None:
    body = f"""{ALL}%one = llvm.mlir.constant(1 : i32) : i32
%pair = nvvm.shfl.sync {kind} %all, %a, %one, %clamp {{return_value_and_is_valid}} : i32 -> !llvm.struct<(i32, i1)>
%x = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
%valid = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
%y = nvvm.shfl.sync {kind} %all, %a, %one, %clamp : i32 -> i32
%same = llvm.icmp "eq" %x, %y : i32
%both = llvm.and %same, %valid : i1
%r = llvm.select %both, %x, %all : i1, i32
"""
    assert run_lanewise(body, "i32 -> i32", "i4", NUMBERS).tolist() == NUMBERS[wanted].tolist()


def test_votes_reductions_and_barriers() -> None:
    body = f"""{ALL}%limit = llvm.mlir.constant(110 : i32) : i32
%less = llvm.icmp "slt" %a, %limit : i32
%bits = nvvm.vote.sync ballot %all, %less -> i32
%any = nvvm.vote.sync any %all, %less -> i1
%max = nvvm.redux.sync max %a, %all : i32 -> i32
%mine = llvm.zext %less : i1 to i32
%count = nvvm.barrier #nvvm.reduction<popc> %mine -> i32
%ones = "llvm.intr.ctpop"(%bits) : (i32) -> i32
%one = llvm.zext %any : i1 to i32
%s = llvm.add %ones, %count : i32
%u = llvm.add %s, %one : i32
%r = llvm.mul %u, %max : i32
"""
    assert run_lanewise(body, "i32 -> i32", "i4", NUMBERS).tolist() == [(10 + 10 + 1) * 131] * 32


PRODUCT = """
%zero = llvm.mlir.constant(0.0 : f32) : f32
%a_row = llvm.getelementptr %a[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<8xf16>
%b_row = llvm.getelementptr %b[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf16>
%d_row = llvm.getelementptr %d[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
%x = llvm.load %a_row : !llvm.ptr<1> -> vector<8xf16>
%y = llvm.load %b_row : !llvm.ptr<1> -> vector<4xf16>
%x0 = llvm.shufflevector %x, %x [0, 1] : vector<8xf16>
%x1 = llvm.shufflevector %x, %x [2, 3] : vector<8xf16>
%x2 = llvm.shufflevector %x, %x [4, 5] : vector<8xf16>
%x3 = llvm.shufflevector %x, %x [6, 7] : vector<8xf16>
%y0 = llvm.shufflevector %y, %y [0, 1] : vector<4xf16>
%y1 = llvm.shufflevector %y, %y [2, 3] : vector<4xf16>
%m = nvvm.mma.sync A[%x0, %x1, %x2, %x3] B[%y0, %y1] C[%zero, %zero, %zero, %zero] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
llvm.store %m, %d_row {alignment = 16 : i64} : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
"""


def test_a_product_of_matrices() -> None:
    """Fragments as the ISA lays them out: rows by groups of four lanes, pairs of columns in a register."""
    random = np.random.default_rng(5)
    a, b = random.integers(-4, 5, (16, 16)).astype("f2"), random.integers(-4, 5, (16, 8)).astype("f2")
    lane = np.arange(32)
    row, column = lane // 4, lane % 4 * 2
    pairs = [(row, column), (row + 8, column), (row, column + 8), (row + 8, column + 8)]
    a_parts = np.stack([a[r, c + at] for r, c in pairs for at in (0, 1)], 1)
    b_parts = np.stack([b[k + at, row] for k in (column, column + 8) for at in (0, 1)], 1)
    out = np.zeros((32, 4), "f4")
    run(
        kernel(PRODUCT, "%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>"),
        a_parts.copy(),
        b_parts.copy(),
        out,
    )
    wanted = a.astype("f4") @ b.astype("f4")
    places = [(row, column), (row, column + 1), (row + 8, column), (row + 8, column + 1)]
    np.testing.assert_array_equal(out, np.stack([wanted[r, c] for r, c in places], 1))


def test_shapes_of_products_that_a_chip_lacks() -> None:
    text = kernel(PRODUCT, "%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>")
    with pytest.raises(DiagnosticError, match=r"sm_75 cannot do 'nvvm\.mma\.sync': .*m16n8k16.* needs sm_80"):
        printed(text, "sm_75")


COPY = """
%buffer = llvm.mlir.addressof @buffer : !llvm.ptr<3>
%mine = llvm.getelementptr %buffer[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
%from = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
nvvm.cp.async.shared.global %mine, %from, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
nvvm.cp.async.commit.group
nvvm.cp.async.wait.group 0
nvvm.barrier0
%three = llvm.mlir.constant(3 : i32) : i32
%other = llvm.xor %t, %three : i32
%theirs = llvm.getelementptr %buffer[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
%x = llvm.load %theirs : !llvm.ptr<3> -> i32
%to = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
llvm.store %x, %to : i32, !llvm.ptr<1>
"""
BUFFER = "llvm.mlir.global internal @buffer() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x i32>\n"


def test_copies_by_threads() -> None:
    out = np.zeros(32, np.int32)
    run(BUFFER + kernel(COPY, "%in: !llvm.ptr<1>, %out: !llvm.ptr<1>"), NUMBERS, out)
    assert out.tolist() == NUMBERS[np.arange(32) ^ 3].tolist()


BULK = """
%buffer = llvm.mlir.addressof @buffer : !llvm.ptr<3>
%barrier = llvm.mlir.addressof @barrier : !llvm.ptr<3>
%zero = llvm.mlir.constant(0 : i32) : i32
%one = llvm.mlir.constant(1 : i32) : i32
%size = llvm.mlir.constant(128 : i32) : i32
%ticks = llvm.mlir.constant(1000 : i32) : i32
%first = llvm.icmp "eq" %t, %zero : i32
llvm.cond_br %first, ^start, ^go
^start:
nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
nvvm.fence.mbarrier.init
nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
nvvm.mbarrier.arrive.expect_tx %barrier, %size : !llvm.ptr<3>, i32
%cluster = llvm.addrspacecast %buffer : !llvm.ptr<3> to !llvm.ptr<7>
nvvm.cp.async.bulk.shared.cluster.global %cluster, %in, %barrier, %size : <7>, <1>
llvm.br ^go
^go:
nvvm.barrier0
nvvm.mbarrier.try_wait.parity %barrier, %zero, %ticks : !llvm.ptr<3>, i32, i32
%theirs = llvm.getelementptr %buffer[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
%x = llvm.load %theirs : !llvm.ptr<3> -> i32
%to = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
llvm.store %x, %to : i32, !llvm.ptr<1>
"""


def test_bulk_copies() -> None:
    barrier = "llvm.mlir.global internal @barrier() {addr_space = 3 : i32} : i64\n"
    out = np.zeros(32, np.int32)
    text = BUFFER + barrier + kernel(BULK, "%in: !llvm.ptr<1>, %out: !llvm.ptr<1>")
    run(text, NUMBERS, out, chip="sm_90")
    assert out.tolist() == NUMBERS.tolist()


INSTRUCTIONS = {
    "nvvm.cluster.arrive.relaxed {aligned}": "barrier.cluster.arrive.relaxed.aligned;",
    "nvvm.cluster.wait": "barrier.cluster.wait;",
    "nvvm.memory.barrier #nvvm.mem_scope<gpu>": "membar.gl;",
    "nvvm.griddepcontrol wait": "griddepcontrol.wait;",
    "nvvm.griddepcontrol launch_dependents": "griddepcontrol.launch_dependents;",
    "nvvm.nanosleep %t": "nanosleep.u32 %r2;",
    "nvvm.setmaxregister increase 232": "setmaxnreg.inc.sync.aligned.u32 232;",
    "nvvm.wgmma.fence.aligned": "wgmma.fence.sync.aligned;",
    "nvvm.wgmma.commit.group.sync.aligned": "wgmma.commit_group.sync.aligned;",
    "nvvm.wgmma.wait.group.sync.aligned 1": "wgmma.wait_group.sync.aligned 1;",
    "nvvm.cp.async.bulk.commit.group": "cp.async.bulk.commit_group;",
    "nvvm.cp.async.bulk.wait_group 1 {read}": "cp.async.bulk.wait_group.read 1;",
    "%x = nvvm.mapa %s, %t : !llvm.ptr<3> -> !llvm.ptr<7>": "mapa.shared::cluster.u32 ",
    "%x = nvvm.elect.sync -> i1": "elect.sync %r",
    "%x = nvvm.rcp.approx.ftz.f %f : f32": "rcp.approx.ftz.f32 ",
    "%x = nvvm.convert.f32x2.to.f16x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xf16>": "cvt.rn.f16x2.f32 ",
    "%x = nvvm.convert.f32x2.to.f8x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E4M3FN)": "cvt.rn.satfinite.e4m3x2.f32 ",
    '%x = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"(%f) : (f32) -> f32': "rsqrt.approx.ftz.f32 ",
    "nvvm.stmatrix %s, %t {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32": "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [",
    "nvvm.cp.async.bulk.tensor.global.shared.cta %g, %s, box[%t, %t] : !llvm.ptr, <3>": "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [",
}


@pytest.mark.parametrize("op", INSTRUCTIONS)
def test_instructions(op: str) -> None:
    ptx = printed(kernel(op, "%s: !llvm.ptr<3>, %f: f32, %g: !llvm.ptr"), "sm_90a")
    assert INSTRUCTIONS[op] in ptx


def test_brain_floats_where_no_instruction_rounds_to_them() -> None:
    a = np.array([1.0, 1.00390625, 1.01171875, -3.14159, 1e30, np.inf, -0.0, 65535.0], "f4")
    for chip in ("sm_75", "sm_80"):
        found = run_lanewise("%r = llvm.fptrunc %a : f32 to bf16", "f32 -> bf16", "u2", a, chip=chip)
        bits = a.view("u4").astype("u8")
        assert found.tolist() == ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("u2").tolist()


def test_pairs_of_halves_are_computed_at_once() -> None:
    ptx = printed(
        lanewise("%r = llvm.fmul %a, %a : vector<2xbf16>", "vector<2xbf16> -> vector<2xbf16>"), "sm_90"
    )
    assert "mul.rn.bf16x2" in ptx


GROUP_PRODUCT = """
%d = llvm.mlir.constant(5 : i64) : i64
%u = llvm.load %p : !llvm.ptr<1> -> !llvm.struct<(f32, f32, f32, f32)>
%v = nvvm.wgmma.mma_async %d, %d, %u, <m = 64, n = 8, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<one>, <wrapped>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
llvm.store %v, %p : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
"""


def test_sums_of_a_product_of_a_warp_group_stay_in_their_registers() -> None:
    """Unless they are needed behind it: then they are copied, and a fence orders copies and product."""
    ptx = printed(kernel(GROUP_PRODUCT, "%p: !llvm.ptr<1>"), "sm_90a")
    (sums,) = re.findall(r"wgmma\.mma_async\S+ \{(.*?)\}", ptx)
    assert re.findall(r"ld\.global\S* (%f\d+)", ptx) == sums.split(", ")
    assert "wgmma.fence" not in ptx
    again = GROUP_PRODUCT + "llvm.store %u, %p : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>\n"
    ptx = printed(kernel(again, "%p: !llvm.ptr<1>"), "sm_90a")
    (sums,) = re.findall(r"wgmma\.mma_async\S+ \{(.*?)\}", ptx)
    moved = re.findall(r"mov\.b32 (%f\d+), (%f\d+);", ptx)
    loaded = re.findall(r"ld\.global\S* (%f\d+)", ptx)
    assert moved == list(zip(sums.split(", "), loaded, strict=True))
    lines = [line.strip() for line in ptx.splitlines()]
    at = next(number for number, line in enumerate(lines) if line.startswith("wgmma.mma_async"))
    fence = lines.index("wgmma.fence.sync.aligned;")
    assert max(lines.index(f"mov.b32 {new}, {old};") for new, old in moved) < fence < at
    assert re.findall(r"st\.global\S* \[.*\], (%f\d+)", ptx) == [*sums.split(", "), *loaded]
