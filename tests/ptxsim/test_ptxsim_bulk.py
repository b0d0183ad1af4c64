"""Bulk copies and tensor maps: boxes, swizzles, borders, groups, and what is told of wrong ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import TensorMap, launch

HEAD = """.version 8.7
.target sm_90a
.address_size 64
.entry k(PARAMETERS) {
    .reg .b32 %t, %b, %s, %r, %w<4>; .reg .b64 %in, %out, %map, %x; .reg .pred %p, %q, %one;
    .shared .align 8 .b64 bar; .shared .align 1024 .b8 tile[BYTES];
    mov.u32 %t, %tid.x; setp.eq.u32 %one, %t, 0; mov.u32 %b, bar; mov.u32 %s, tile;
    @%one mbarrier.init.shared::cta.b64 [%b], 1; bar.sync 0;
"""
WAIT = "\nwait: mbarrier.try_wait.parity.shared::cta.b64 %q, [%b], 0; @!%q bra wait;\n"
FENCE = "fence.proxy.async.shared::cta; bar.sync 0;"
EXPECT = "@%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], {bytes};"
DUMP = """
    mov.u32 %w0, %t;
dump: setp.ge.u32 %p, %w0, WORDS; @%p bra done;
    mad.lo.u32 %w1, %w0, 4, %s; ld.shared.b32 %r, [%w1]; mad.wide.u32 %x, %w0, 4, %out; st.global.b32 [%x], %r;
    add.u32 %w0, %w0, 32; bra dump;
done: ret; }
"""
FILL = """
    mov.u32 %w0, %t;
fill: setp.ge.u32 %p, %w0, WORDS; @%p bra filled;
    mad.lo.u32 %w1, %w0, 4, %s; mad.wide.u32 %x, %w0, 4, %in; ld.global.b32 %r, [%x]; st.shared.b32 [%w1], %r;
    add.u32 %w0, %w0, 32; bra fill;
filled:
"""


def kernel(body: str, args: list[Any], parameters: str, size: int, **options: Any) -> Any:
    text = (
        (HEAD + body)
        .replace("PARAMETERS", parameters)
        .replace("BYTES", str(size))
        .replace("WORDS", str(size // 4))
    )
    return launch(text, "k", options.pop("grid", (1,)), (32,), args, **options)


def refused(body: str, args: list[Any], parameters: str, size: int) -> str:
    with pytest.raises(DiagnosticError) as error:
        kernel(body, args, parameters, size)
    return str(error.value)


# --- consecutive bytes

TWO = ".param .u64 src, .param .u64 dst"
POINTERS = "ld.param.u64 %in, [src]; ld.param.u64 %out, [dst];"
GET = "@%one cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%s], [%in], 256, [%b];"
PUT = "@%one cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 256;"
COMMIT, DRAIN = "@%one cp.async.bulk.commit_group;", "@%one cp.async.bulk.wait_group 0;"
DATA = np.arange(1, 65, dtype=np.uint32)
LOAD = POINTERS + EXPECT.format(bytes=256) + GET


def test_a_copy_into_shared_memory() -> None:
    out = np.zeros(64, np.uint32)
    kernel(LOAD + WAIT + DUMP, [DATA, out], TWO, 256)
    assert (out == DATA).all()


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        ("", DATA),
        (".add.u32", DATA + 3),
        (".min.u32", np.minimum(DATA, 3)),
        (".inc.u32", np.where(DATA > 3, 4, 0)),
    ],
)
def test_a_copy_out_of_shared_memory(op: str, expected: Any) -> None:
    out = np.full(64, 3, np.uint32)
    put = (
        PUT.replace(
            "cp.async.bulk.global.shared::cta.bulk_group",
            f"cp.reduce.async.bulk.global.shared::cta.bulk_group{op}",
        )
        if op
        else PUT
    )
    kernel(POINTERS + FILL + FENCE + put + COMMIT + DRAIN + "ret; }", [DATA, out], TWO, 256)
    assert (out == expected).all()


@pytest.mark.parametrize(("kind", "dtype"), [("f16", np.float16), ("f32", np.float32), ("f64", np.float64)])
def test_sums_of_floats(kind: str, dtype: Any) -> None:
    data = np.random.default_rng(0).standard_normal(256 // np.dtype(dtype).itemsize).astype(dtype)
    out = np.full(len(data), 0.1, dtype)
    noftz = ".noftz" if kind == "f16" else ""
    put = PUT.replace(
        "cp.async.bulk.global.shared::cta.bulk_group",
        f"cp.reduce.async.bulk.global.shared::cta.bulk_group.add{noftz}.{kind}",
    )
    kernel(POINTERS + FILL + FENCE + put + COMMIT + DRAIN + "ret; }", [data, out], TWO, 256)
    assert (out == (data + dtype(0.1)).astype(dtype)).all()


STORE = POINTERS + FILL + FENCE + PUT


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (LOAD + DUMP, "TW1265]: shared address 0x800 is read by thread 0"),  # no wait
        (
            LOAD.replace("], 256;", "], 512;", 1) + WAIT + DUMP,
            "waits in phase 0 for 0 arrivals and 256 bytes",
        ),
        (LOAD.replace("], 256;", "], 128;", 1) + WAIT + DUMP, "128 bytes too many came"),
        (LOAD + "ret; }", "TW1260]: the block ends before copies that arrive"),
        (LOAD + "st.shared.b32 [%s+8], 1;" + WAIT + DUMP, "TW1265]: shared address 0x808 is written by"),
        (LOAD + GET + WAIT + DUMP, "TW1260]"),
        (LOAD.replace("], 256, [", "], 248, [") + WAIT + DUMP, "TW1263]: a bulk copy of 248 bytes"),
        (LOAD.replace("[%s]", "[%s+8]") + WAIT + DUMP, "TW1255]"),
        (LOAD.replace("[%in]", "[%in+16]") + WAIT + DUMP, "TW1254]: a bulk copy reads"),
        (LOAD.replace("[%s]", "[%s+896]") + WAIT + DUMP, "TW1254]: a bulk copy writes"),
        (
            LOAD.replace(
                "@%one mbarrier.arrive", "@%one mbarrier.inval.shared::cta.b64 [%b]; @%one mbarrier.arrive"
            )
            + DUMP,
            "TW1262]",
        ),
        (STORE + "ret; }", "TW1260]: the block ends while a bulk copy of thread 0"),
        (STORE + DRAIN + "ret; }", "TW1260]: the block ends while"),  # no commit
        (
            STORE + COMMIT + "setp.eq.u32 %q, %t, 1; @%q cp.async.bulk.wait_group 0; ret; }",
            "TW1260]",
        ),  # another thread
        (
            STORE + COMMIT + "@%one st.shared.b32 [%s], 1; ret; }",
            "an asynchronous operation of thread 0, which read it",
        ),
        (
            STORE + COMMIT + "@%one ld.global.b32 %r, [%out]; @%one st.global.b32 [%out], %r; ret; }",
            "TW1265]: byte 0x200 of global memory is read by thread 0",
        ),
        (
            POINTERS + PUT + COMMIT + DRAIN + "ret; }",
            "TW1253]: a bulk copy reads bytes that were never written",
        ),
    ],
)
def test_faults_of_consecutive_bytes(body: str, message: str) -> None:
    assert message in refused(body, [DATA, np.zeros(64, np.uint32)], TWO, 256)


def test_a_buffer_may_be_written_once_it_is_read() -> None:
    out = np.zeros(64, np.uint32)
    body = STORE + COMMIT + "@%one cp.async.bulk.wait_group.read 0; @%one st.shared.b32 [%s], 99; ret; }"
    kernel(body, [DATA, out], TWO, 256)
    assert (out == DATA).all()


# --- boxes

MAP = ".param .align 64 .b8 map[128], .param .u64 dst"


def box_kernel(rank: int, corner: str, size: int) -> str:
    return (
        "ld.param.u64 %out, [dst]; mov.u64 %map, map; cvta.param.u64 %map, %map;"
        + EXPECT.format(bytes=size)
        + f"@%one cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        + f" [%s], [%map, {{{corner}}}], [%b];"
    )


def boxed(array: Any, box: tuple[int, ...], corner: tuple[int, ...], **options: Any) -> Any:
    """What a load of a box leaves in shared memory; ``corner`` in the order of the array's axes."""
    one = TensorMap(array, box, **options)
    steps = options.get("element_strides") or (1,) * array.ndim
    counts = [-(-extent // step) for extent, step in zip(box, steps, strict=True)]
    size = int(np.prod(counts)) * array.itemsize
    out = np.zeros(size // 4, np.uint32)
    words = ", ".join(str(at) for at in reversed(corner))
    kernel(box_kernel(array.ndim, words, size) + WAIT + DUMP, [one, out], MAP, size)
    return out.view(array.dtype)


@pytest.mark.parametrize(
    ("shape", "box", "corner"),
    [
        ((64,), (16,), (8,)),
        ((8, 32), (4, 16), (2, 8)),
        ((4, 6, 16), (2, 3, 8), (1, 2, 4)),
        ((3, 4, 2, 16), (2, 2, 2, 8), (1, 1, 0, 8)),
        ((2, 3, 2, 2, 16), (1, 2, 2, 1, 8), (1, 1, 0, 1, 0)),
    ],
)
def test_boxes_of_all_ranks(shape: Any, box: Any, corner: Any) -> None:
    array = np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)
    part = array[tuple(slice(at, at + extent) for at, extent in zip(corner, box, strict=True))]
    assert (boxed(array, box, corner) == part.ravel()).all()


@pytest.mark.parametrize(
    ("corner", "nan"), [((-2, -8), False), ((6, 24), False), ((6, 24), True), ((100, 0), True)]
)
def test_what_is_outside_is_filled(corner: tuple[int, int], nan: bool) -> None:
    array = np.arange(1, 257, dtype=np.float16).reshape(8, 32)
    whole = np.full((8 + 400, 32 + 400), np.nan if nan else 0, np.float16)
    whole[200:208, 200:232] = array
    expected = whole[200 + corner[0] : 204 + corner[0], 200 + corner[1] : 216 + corner[1]]
    assert np.array_equal(boxed(array, (4, 16), corner, nan=nan), expected.ravel(), equal_nan=True)


def test_elements_may_be_skipped() -> None:
    array = np.arange(8 * 32, dtype=np.float32).reshape(8, 32)
    assert (boxed(array, (6, 16), (1, 4), element_strides=(3, 1)) == array[1:7:3, 4:20].ravel()).all()


@pytest.mark.parametrize("op", ["", "add"])
def test_boxes_go_back(op: str) -> None:
    array = np.arange(4 * 32, dtype=np.float32).reshape(4, 32)
    before = array.copy()
    kind = (
        f"cp.reduce.async.bulk.tensor.2d.global.shared::cta.{op}"
        if op
        else "cp.async.bulk.tensor.2d.global.shared::cta"
    )
    body = "ld.param.u64 %in, [src]; mov.u64 %map, map; cvta.param.u64 %map, %map;" + FILL + FENCE
    body += f"@%one {kind}.tile.bulk_group [%map, {{24, 2}}], [%s];" + COMMIT + DRAIN + "ret; }"
    kernel(body, [TensorMap(array, (4, 16)), np.full((4, 16), 5, np.float32)], MAP.replace("dst", "src"), 256)
    before[2:, 24:] = before[2:, 24:] + 5 if op else 5
    assert (array == before).all()


def test_maps_that_kernels_make() -> None:
    """The map is written field by field in shared memory, published, and used by its address in global memory."""
    array, space = np.arange(8 * 32, dtype=np.float16).reshape(8, 32), np.zeros(256, np.uint8)
    out = np.zeros(64, np.uint32)
    place = "tile.{field}.shared::cta.b1024.{width} [%s], {value};"
    fields = [
        ("global_address", "b64", "%in"),
        ("rank", "b32", "1"),
        ("box_dim", "b32", "0, 16"),
        ("box_dim", "b32", "1, 8"),
        ("global_dim", "b32", "0, 32"),
        ("global_dim", "b32", "1, 8"),
        ("global_stride", "b64", "0, 64"),
        ("element_stride", "b32", "0, 1"),
        ("element_stride", "b32", "1, 1"),
        ("elemtype", "b32", "6"),
        ("interleave_layout", "b32", "0"),
        ("swizzle_mode", "b32", "0"),
        ("fill_mode", "b32", "0"),
    ]
    body = "ld.param.u64 %in, [src]; ld.param.u64 %out, [dst]; ld.param.u64 %map, [room];"
    body += "mad.lo.u32 %w0, %t, 4, %s; st.shared.b32 [%w0], 0; bar.sync 0;"
    for field, width, value in fields:
        body += "@%one tensormap.replace." + place.format(field=field, width=width, value=value)
    body += "bar.warp.sync -1; tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%map], [%s], 128;"
    body += "fence.proxy.tensormap::generic.acquire.gpu [%map], 128; cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%map, {0, 0}];"
    body += "cp.async.bulk.prefetch.L2.global [%in], 16; bar.sync 0;" + EXPECT.format(bytes=256) + FENCE
    body += "@%one cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%s], [%map, {16, 0}], [%b];"
    kernel(body + WAIT + DUMP, [array, out, space], TWO + ", .param .u64 room", 256)
    assert (out.view(np.float16).reshape(8, 16) == array[:, 16:]).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"box": (4, 12)}, "TW1263]: the tensor map has an inner box of 24 bytes"),
        ({"box": (4, 300)}, "a box of (300, 4)"),
        ({"box": (4,)}, "1 extents for 2 axes"),
        ({"swizzle": 32, "box": (4, 32)}, "an inner box of 64 bytes with a swizzle of 32 bytes"),
        ({"swizzle": 48}, "a swizzle of 48 bytes"),
        ({"element": "f12"}, "the element type 'f12'"),
        ({"element_strides": (1, 9)}, "element strides (9, 1)"),
        ({"array": np.zeros((8, 36), np.float16)}, "strides of (72,) bytes"),
    ],
)
def test_maps_that_are_not_possible(change: dict[str, Any], message: str) -> None:
    words: dict[str, Any] = {"array": np.zeros((8, 32), np.float16), "box": (4, 16), **change}
    with pytest.raises(DiagnosticError) as error:
        kernel("ret; }", [TensorMap(**words), np.zeros(1)], MAP, 256)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (box_kernel(2, "0, 0", 128) + DUMP, "TW1265]"),  # no wait
        (box_kernel(2, "0, 0", 64) + WAIT + DUMP, "64 bytes too many"),
        (box_kernel(1, "0", 128) + WAIT + DUMP, "TW1263]: a copy of 1 dimensions with a map of 2"),
        (box_kernel(2, "0, 0", 128).replace("[%s]", "[%s+64]") + WAIT + DUMP, "TW1255]"),
        (
            box_kernel(2, "0, 0", 128).replace("[%s]", "[%s+1024]") + WAIT + DUMP,
            "TW1254]: bulk copy of 16 bytes",
        ),
        (box_kernel(2, "%w0, 0", 128) + WAIT + DUMP, "TW1253]: a coordinate"),
        (box_kernel(2, "0, 0", 128).replace("[%map,", "[%map+64,") + WAIT + DUMP, "TW1263]"),
    ],
)
def test_faults_of_boxes(body: str, message: str) -> None:
    array = np.zeros((8, 32), np.float16)
    assert message in refused(body, [TensorMap(array, (4, 16)), np.zeros(32, np.uint32)], MAP, 128)


# --- clusters

CLUSTER = "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;"


def test_multicast() -> None:
    """One block loads for both: bytes and arrivals at the same places in each."""
    out = np.zeros((2, 64), np.uint32)
    body = (
        POINTERS
        + CLUSTER
        + EXPECT.format(bytes=256)
        + "mov.u32 %w2, %cluster_ctarank; setp.eq.and.u32 %p, %w2, 1, %one;"
    )
    body += (
        GET.replace("@%one", "@%p")
        .replace(
            "shared::cta.global.mbarrier::complete_tx::bytes",
            "shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster",
        )
        .replace("[%b];", "[%b], %h;")
    )
    body = ".reg .b16 %h; mov.b16 %h, 3;" + body + WAIT + "mad.wide.u32 %out, %w2, 256, %out;" + CLUSTER
    kernel(body + DUMP, [DATA, out], TWO, 256, grid=(2,), cluster=(2,))
    assert (out == DATA).all()


def test_copies_between_blocks() -> None:
    """Each block fills the first half, and gets its second half from the other one."""
    out = np.zeros((2, 64), np.uint32)
    body = (
        POINTERS
        + EXPECT.format(bytes=128)
        + "mov.u32 %w2, %cluster_ctarank; mad.wide.u32 %in, %w2, 128, %in;"
    )
    body += (
        "mad.lo.u32 %w1, %t, 4, %s; mad.wide.u32 %x, %t, 4, %in; ld.global.b32 %r, [%x]; st.shared.b32 [%w1], %r;"
        + FENCE
    )
    body += (
        CLUSTER
        + "xor.b32 %w3, %w2, 1; add.u32 %w0, %s, 128; mapa.shared::cluster.u32 %w0, %w0, %w3; mapa.shared::cluster.u32 %w1, %b, %w3;"
    )
    body += "@%one cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%w0], [%s], 128, [%w1];"
    body += WAIT + CLUSTER + "mad.wide.u32 %out, %w2, 256, %out;"
    kernel(body + DUMP, [DATA, out], TWO, 256, grid=(2,), cluster=(2,))
    assert (out == np.stack([DATA, np.roll(DATA, 32)])).all()
