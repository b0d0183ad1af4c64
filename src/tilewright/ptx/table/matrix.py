"""Matrix instructions of a warp (`mma`, `ldmatrix`), of a warp group (`wgmma`), and of tensor memory (`tcgen05`)."""

from __future__ import annotations

from tilewright.ptx.table.notation import Chapter, InstructionForm

WARP = Chapter("9.7.14", "matrix products of a warp")
GROUP = Chapter("9.7.15", "asynchronous matrix products of a warp group", "wgmma")
TENSOR = Chapter("9.7.16", "fifth-generation tensor cores", "tensor memory")
EIGHTH = "e4m3|e5m2|e3m2|e2m3|e2m1"


def _products() -> list[InstructionForm]:
    rows = list[InstructionForm]()
    kinds = (
        ("m8n8k4", "al=row|col bl=row|col", "f16|f32", "f16", "f16", "f16|f32", 70, "6.4"),
        ("m16n8k8", "al=row bl=col", "f16|f32", "f16", "f16", "f16|f32", 75, "6.5"),
        ("m16n8k16", "al=row bl=col", "f16|f32", "f16", "f16", "f16|f32", 80, "7.0"),
        ("m16n8k8|m16n8k16", "al=row bl=col", "f32", "bf16", "bf16", "f32", 80, "7.0"),
        ("m16n8k4|m16n8k8", "al=row bl=col", "f32", "tf32", "tf32", "f32", 80, "7.0"),
        ("m8n8k4", "al=row bl=col", "f64", "f64", "f64", "f64", 80, "7.0"),
        ("m16n8k4|m16n8k8|m16n8k16", "al=row bl=col", "f64", "f64", "f64", "f64", 90, "7.8"),
        ("m16n8k32", "al=row bl=col", "f32", "e4m3|e5m2", "e4m3|e5m2", "f32", 89, "8.4"),
        ("m16n8k32", "al=row bl=col", "f16", "e4m3|e5m2", "e4m3|e5m2", "f16", 89, "8.7"),
        ("m16n8k16", "al=row bl=col", "f16|f32", "e4m3|e5m2", "e4m3|e5m2", "f16|f32", 89, "8.7"),
        ("m8n8k16", "al=row bl=col satfinite?", "s32", "u8|s8", "u8|s8", "s32", 75, "6.5"),
        ("m16n8k16|m16n8k32", "al=row bl=col satfinite?", "s32", "u8|s8", "u8|s8", "s32", 80, "7.0"),
        ("m8n8k32", "al=row bl=col satfinite?", "s32", "u4|s4", "u4|s4", "s32", 75, "6.5"),
        ("m16n8k32|m16n8k64", "al=row bl=col satfinite?", "s32", "u4|s4", "u4|s4", "s32", 80, "7.0"),
    )
    for shape, words, d, a, b, c, sm, ptx in kinds:
        types = f"dtype={d} atype={a} btype={b} ctype={c}"
        rows.append(
            WARP.form(
                "mma.sync.aligned",
                f"shape={shape} {words} {types}",
                ">d:b32*any a:b32*any b:b32*any c:b32*any",
                sm=sm,
                ptx=ptx,
            )
        )
    bits = "shape={} al=row bl=col dtype=s32 atype=b1 btype=b1 ctype=s32 op={} popc"
    for shapes, op, since, version in (
        ("m8n8k128", "xor", 75, "7.0"),
        ("m16n8k128|m16n8k256", "xor", 80, "7.0"),
        ("m8n8k128|m16n8k128|m16n8k256", "and", 80, "7.1"),
    ):
        registers = ">d:b32*any a:b32*any b:b32*any c:b32*any"
        rows.append(WARP.form("mma.sync.aligned", bits.format(shapes, op), registers, sm=since, ptx=version))
    small = f"shape=m16n8k32 al=row bl=col kind=kind::f8f6f4 dtype=f16|f32 atype={EIGHTH} btype={EIGHTH} ctype=f16|f32"
    rows.append(
        WARP.form(
            "mma.sync.aligned",
            small,
            ">d:b32*any a:b32*any b:b32*any c:b32*any",
            sm=120,
            ptx="8.7",
            only="small mma",
        )
    )
    return [*rows, *_scaled(), *_sparse()]


def _scaled() -> list[InstructionForm]:
    scaled = "a:b32*any b:b32*any c:b32*any sa:b32*any ida:u16*any sb:b32*any idb:u16*any"
    kinds = (
        ("m16n8k32", "kind::mxf8f6f4", "scale_vec::1X", EIGHTH, "ue8m0"),
        ("m16n8k64", "kind::mxf4", "scale_vec::2X", "e2m1", "ue8m0"),
        ("m16n8k64", "kind::mxf4nvf4", "scale_vec::2X|scale_vec::4X", "e2m1", "ue8m0|ue4m3"),
    )
    return [
        WARP.form(
            "mma.sync.aligned",
            f"shape={shape} al=row bl=col kind={kind} block_scale vector={vector}? "
            f"dtype=f32 atype={types} btype={types} ctype=f32 stype={scales}",
            f">d:b32*any {scaled}",
            sm=120,
            ptx="8.7",
            only="small mma",
        )
        for shape, kind, vector, types, scales in kinds
    ]


def _sparse() -> list[InstructionForm]:
    operands = ">d:b32*any a:b32*any b:b32*any c:b32*any e:b32 #f"
    kinds = (
        ("m16n8k16|m16n8k32", "f16|f32", "f16"),
        ("m16n8k16|m16n8k32", "f32", "bf16"),
        ("m16n8k8|m16n8k16", "f32", "tf32"),
        ("m16n8k32|m16n8k64", "s32", "u8|s8"),
        ("m16n8k64|m16n8k128", "s32", "u4|s4"),
        ("m16n8k64", "f16|f32", "e4m3|e5m2"),
    )
    return [
        WARP.form(
            name,
            f"sync aligned shape={shape} al=row bl=col satfinite? dtype={d} atype={types} btype={types} ctype={d}",
            operands,
            sm=80,
            ptx="7.1",
        )
        for name in ("mma.sp", "mma.sp::ordered_metadata")
        for shape, d, types in kinds
    ]


def _fragments() -> list[InstructionForm]:
    form, number = WARP.form, "num=x1|x2|x4"
    shared = "space=shared|shared::cta?"
    wmma_shapes = "shape=m16n16k16|m8n32k16|m32n8k16|m16n16k8|m8n8k4|m8n8k32|m8n8k128"
    wmma_types = "type=f16|bf16|tf32|f32|f64|s32|u8|s8|u4|s4|b1"
    space = "space=global|shared|shared::cta?"
    return [
        form(
            "ldmatrix.sync.aligned",
            f"shape=m8n8 {number} trans? {shared} type=b16",
            ">d:b32*any [a]",
            sm=75,
            ptx="6.5",
        ),
        form(
            "ldmatrix.sync.aligned",
            f"shape=m16n16 num=x1|x2 trans {shared} type=b8",
            ">d:b32*any [a]",
            sm=100,
            ptx="8.6",
            only="blackwell",
        ),
        form(
            "ldmatrix.sync.aligned",
            f"shape=m8n16|m16n16 {number} trans? {shared} dst=b8x16 src=b6x16_p32|b4x16_p64",
            ">d:b32*any [a]",
            sm=100,
            ptx="8.6",
            only="blackwell",
        ),
        form(
            "stmatrix.sync.aligned",
            f"shape=m8n8 {number} trans? {shared} type=b16",
            "[a] s:b32*any",
            sm=90,
            ptx="7.8",
        ),
        form(
            "stmatrix.sync.aligned",
            f"shape=m16n8 {number} trans {shared} type=b8",
            "[a] s:b32*any",
            sm=100,
            ptx="8.6",
            only="blackwell",
        ),
        form("movmatrix.sync.aligned", "shape=m8n8 trans type=b16", ">d:b32 a:b32", sm=75, ptx="7.8"),
        form(
            "wmma.load",
            f"matrix=a|b|c sync aligned layout=row|col {wmma_shapes} {space} {wmma_types}",
            ">d:b32*any [p] stride:u32?",
            sm=70,
            ptx="6.0",
        ),
        form(
            "wmma.store",
            f"d sync aligned layout=row|col {wmma_shapes} {space} {wmma_types}",
            "[p] d:b32*any stride:u32?",
            sm=70,
            ptx="6.0",
        ),
        form(
            "wmma.mma",
            f"op=xor|and? popc? sync aligned al=row|col bl=row|col {wmma_shapes} rnd? dtype=f16|f32|f64|s32 atype=f16|bf16|tf32|f64|u8|s8|u4|s4|b1? btype=f16|bf16|tf32|f64|u8|s8|u4|s4|b1? ctype=f16|f32|f64|s32 satfinite?",
            ">d:b32*any a:b32*any b:b32*any c:b32*any",
            sm=70,
            ptx="6.0",
        ),
    ]


def _groups() -> list[InstructionForm]:
    form, rows = GROUP.form, list[InstructionForm]()
    kinds = (
        ("16", range(8, 257, 8), "f16|f32", "f16", "f16", " #ta? #tb?"),
        ("16", range(8, 257, 8), "f32", "bf16", "bf16", " #ta? #tb?"),
        ("8", range(8, 257, 8), "f32", "tf32", "tf32", ""),
        ("32", range(8, 257, 8), "f16|f32", "e4m3|e5m2", "e4m3|e5m2", ""),
    )
    for k, widths, d, a, b, transposes in kinds:
        shapes = "|".join(f"m64n{n}k{k}" for n in widths)
        words = f"shape={shapes} dtype={d} atype={a} btype={b}"
        for source in ("a:b64", "a:b32*any"):
            rows.append(
                form(
                    "wgmma.mma_async.sync.aligned",
                    words,
                    f">d:b32*any {source} b:b64 scale:pred #na #nb{transposes}",
                    sm=90,
                    ptx="8.0",
                )
            )
    integers = "|".join(f"m64n{n}k32" for n in (8, 16, 24, *range(32, 257, 16)))
    for source in ("a:b64", "a:b32*any"):
        words = f"shape={integers} dtype=s32 atype=u8|s8 btype=u8|s8 satfinite?"
        rows.append(
            form(
                "wgmma.mma_async.sync.aligned",
                words,
                f">d:b32*any {source} b:b64 scale:pred",
                sm=90,
                ptx="8.0",
            )
        )
    return [
        *rows,
        form("wgmma.fence.sync.aligned", "", sm=90, ptx="8.0"),
        form("wgmma.commit_group.sync.aligned", "", sm=90, ptx="8.0"),
        form("wgmma.wait_group.sync.aligned", "", "#n", sm=90, ptx="8.0"),
    ]


def _tensor_memory() -> list[InstructionForm]:
    form, rows = TENSOR.form, list[InstructionForm]()
    numbers = "num=" + "|".join(f"x{1 << power}" for power in range(8))
    shapes = "shape=16x64b|16x128b|16x256b|32x32b"
    rows = [
        form("tcgen05.alloc", "cg sync aligned space=shared::cta? b32", "[d] columns:u32", sm=100, ptx="8.6"),
        form("tcgen05.dealloc", "cg sync aligned b32", "a:b32 columns:u32", sm=100, ptx="8.6"),
        form("tcgen05.relinquish_alloc_permit", "cg sync aligned", sm=100, ptx="8.6"),
        form(
            "tcgen05.ld.sync.aligned",
            f"{shapes} {numbers} pack=pack::16b? b32",
            ">r:b32*any [a]",
            sm=100,
            ptx="8.6",
        ),
        form(
            "tcgen05.ld.sync.aligned",
            f"shape=16x32bx2 {numbers} pack=pack::16b? b32",
            ">r:b32*any [a] #half",
            sm=100,
            ptx="8.6",
        ),
        form(
            "tcgen05.st.sync.aligned",
            f"{shapes} {numbers} unpack=unpack::16b? b32",
            "[a] r:b32*any",
            sm=100,
            ptx="8.6",
        ),
        form(
            "tcgen05.st.sync.aligned",
            f"shape=16x32bx2 {numbers} unpack=unpack::16b? b32",
            "[a] #half r:b32*any",
            sm=100,
            ptx="8.6",
        ),
        *TENSOR.forms("tcgen05.wait::ld tcgen05.wait::st", "sync aligned", sm=100, ptx="8.6"),
        form("tcgen05.fence::before_thread_sync", "", sm=100, ptx="8.6"),
        form("tcgen05.fence::after_thread_sync", "", sm=100, ptx="8.6"),
        form("tcgen05.shift", "cg down", "[a]", sm=100, ptx="8.6", only="shifts"),
        form(
            "tcgen05.cp",
            "cg shape=128x256b|4x256b|128x128b|64x128b|32x128b multicast=warpx2::02_13|warpx2::01_23|warpx4? dst=b8x16? src=b6x16_p32|b4x16_p64?",
            "[t] s:b64",
            sm=100,
            ptx="8.6",
        ),
        form(
            "tcgen05.commit",
            "cg mbarrier::arrive::one shared=shared::cluster? b64",
            "[bar]",
            sm=100,
            ptx="8.6",
        ),
        form(
            "tcgen05.commit",
            "cg mbarrier::arrive::one shared=shared::cluster? multicast=multicast::cluster b64",
            "[bar] mask:b16",
            sm=100,
            ptx="8.6",
        ),
    ]
    return [*rows, *_tensor_products()]


def _tensor_products() -> list[InstructionForm]:
    form, rows = TENSOR.form, list[InstructionForm]()
    use = "buffer=collector::a::fill|collector::a::use|collector::a::lastuse|collector::a::discard?"
    tail = "idesc:b32 enable:pred"
    for a in ("a:b64", "[a]"):
        words = f"cg kind=kind::f16|kind::tf32|kind::f8f6f4|kind::i8 ashift? {use}"
        rows.append(form("tcgen05.mma", words, f"[d] {a} b:b64 {tail}", sm=100, ptx="8.6"))
        rows.append(
            form(
                "tcgen05.mma",
                words,
                f"[d] {a} b:b64 idesc:b32 lanes:b32*any enable:pred #scale?",
                sm=100,
                ptx="8.6",
            )
        )
        blocks = f"cg kind=kind::mxf8f6f4|kind::mxf4|kind::mxf4nvf4 block_scale vector=scale_vec::1X|scale_vec::2X|scale_vec::4X|block16|block32? {use}"
        rows.append(
            form("tcgen05.mma", blocks, f"[d] {a} b:b64 idesc:b32 [sa] [sb] enable:pred", sm=100, ptx="8.6")
        )
        rows.append(form("tcgen05.mma.sp", words, f"[d] {a} b:b64 [sp] {tail}", sm=100, ptx="8.6"))
        rows.append(
            form(
                "tcgen05.mma.ws",
                "cg kind=kind::f16|kind::tf32|kind::f8f6f4|kind::i8 buffer=" + _buffers(),
                f"[d] {a} b:b64 {tail} zeros:b64?",
                sm=100,
                ptx="8.6",
            )
        )
    return rows


def _buffers() -> str:
    return (
        "|".join(
            f"collector::b{number}::{use}"
            for number in range(4)
            for use in ("fill", "use", "lastuse", "discard")
        )
        + "?"
    )


FORMS = (*_products(), *_fragments(), *_groups(), *_tensor_memory())
