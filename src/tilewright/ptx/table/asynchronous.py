"""Asynchronous copies, tensor maps, barriers in memory, and multimem operations."""

from __future__ import annotations

from tilewright.ptx.table.notation import Chapter, InstructionForm

COPY = Chapter("9.7.9", "data movement and conversion")
SYNC = Chapter("9.7.13", "parallel synchronisation and communication")
DONE = "done=mbarrier::complete_tx::bytes"
REDUCTIONS = "op=add|min|max|inc|dec|and|or|xor"


def _group_copies() -> list[InstructionForm]:
    form = COPY.form
    places = "shared=shared|shared::cta global"
    return [
        form(
            "cp.async",
            f"cop=ca|cg {places} hint? prefetch?",
            "[d] [s] #size !bytes? policy:b64?",  # a byte count, or a predicate for zeros
            sm=80,
            ptx="7.0",
        ),
        form("cp.async.commit_group", "", sm=80, ptx="7.0"),
        form("cp.async.wait_group", "", "#n", sm=80, ptx="7.0"),
        form("cp.async.wait_all", "", sm=80, ptx="7.0"),
    ]


def _bulk() -> list[InstructionForm]:
    form, rows = COPY.form, list[InstructionForm]()
    to_shared = f"to=shared::cluster|shared::cta source=global {DONE}"
    rows.append(
        form("cp.async.bulk", f"{to_shared} hint?", "[d] [s] size:u32 [bar] policy:b64?", sm=90, ptx="8.0")
    )
    rows.append(
        form(
            "cp.async.bulk",
            f"{to_shared} multicast::cluster hint?",
            "[d] [s] size:u32 [bar] mask:b16 policy:b64?",
            sm=90,
            ptx="8.0",
        )
    )
    rows.append(
        form(
            "cp.async.bulk",
            f"to=shared::cluster source=shared::cta {DONE}",
            "[d] [s] size:u32 [bar]",
            sm=90,
            ptx="8.0",
        )
    )
    out = "to=global source=shared::cta bulk_group hint?"
    rows.append(form("cp.async.bulk", out, "[d] [s] size:u32 policy:b64?", sm=90, ptx="8.0"))
    rows.append(
        form("cp.async.bulk", f"{out} cp_mask", "[d] [s] size:u32 policy:b64? mask:b16", sm=100, ptx="8.6")
    )
    kinds = "type=f16|bf16|b32|u32|s32|b64|u64|s64|f32|f64"
    reduce_out = f"to=global source=shared::cta bulk_group hint? {REDUCTIONS} noftz? {kinds}"
    rows.append(form("cp.reduce.async.bulk", reduce_out, "[d] [s] size:u32 policy:b64?", sm=90, ptx="8.0"))
    reduce_in = f"to=shared::cluster source=shared::cta {DONE} {REDUCTIONS} type=s32|u32|u64"
    rows.append(form("cp.reduce.async.bulk", reduce_in, "[d] [s] size:u32 [bar]", sm=90, ptx="8.0"))
    rows.append(
        form("cp.async.bulk.prefetch", "L2 global hint?", "[s] size:u32 policy:b64?", sm=90, ptx="8.0")
    )
    rows.append(form("cp.async.bulk.commit_group", "", sm=90, ptx="8.0"))
    rows.append(form("cp.async.bulk.wait_group", "read?", "#n", sm=90, ptx="8.0"))
    return rows


def _tensor() -> list[InstructionForm]:
    form = COPY.form
    modes = "mode=tile|tile::gather4|im2col|im2col::w|im2col::w::128?"
    load = f"dim to=shared::cluster|shared::cta source=global {modes} {DONE} multicast=multicast::cluster? cg? hint?"
    rest = "offsets:u16*any? mask:b16? policy:b64?"
    store = (
        "dim to=global source=shared::cta mode=tile|tile::scatter4|im2col|im2col_no_offs? bulk_group hint?"
    )
    reduce_ = (
        f"dim to=global source=shared::cta {REDUCTIONS} mode=tile|im2col|im2col_no_offs? bulk_group hint?"
    )
    fetch = f"dim L2 global {modes} hint?"
    return [
        form("cp.async.bulk.tensor", load, f"[d] [map]{{}} [bar] {rest}", sm=90, ptx="8.0"),
        form("cp.async.bulk.tensor", store, "[map]{} [s] policy:b64?", sm=90, ptx="8.0"),
        form("cp.reduce.async.bulk.tensor", reduce_, "[map]{} [s] policy:b64?", sm=90, ptx="8.0"),
        form(
            "cp.async.bulk.prefetch.tensor", fetch, "[map]{} offsets:u16*any? policy:b64?", sm=90, ptx="8.0"
        ),
    ]


def _maps() -> list[InstructionForm]:
    form, place = COPY.form, "tile space=global|shared::cta? type=b1024"
    rows = list[InstructionForm]()

    def replace(field: str, width: str, operands: str) -> None:
        words = place.replace("tile", f"tile {field}")
        rows.append(
            form("tensormap.replace", f"{words} width={width}", operands, sm=90, ptx="8.3", only="hopper")
        )

    replace("global_address", "b64", "[a] value:b64")
    replace("rank", "b32", "[a] value:b32")
    for field in ("box_dim", "global_dim", "element_stride"):
        replace(field, "b32", "[a] #ordinal value:b32")
    replace("global_stride", "b64", "[a] #ordinal value:b64")
    for field in ("elemtype", "interleave_layout", "swizzle_mode", "swizzle_atomicity", "fill_mode"):
        replace(field, "b32", "[a] #value")
    words = "to=global source=shared::cta tensormap::generic sem=release scope sync aligned"
    return [*rows, SYNC.form("tensormap.cp_fenceproxy", words, "[d] [s] #size", sm=90, ptx="8.3")]


def _barriers() -> list[InstructionForm]:
    form = SYNC.form
    place = "space=shared|shared::cta?"
    order = "sem=release|relaxed? scope=cta|cluster?"
    where = "space=shared|shared::cta|shared::cluster?"
    tx = "sem=relaxed? scope=cta|cluster? space=shared::cta|shared::cluster?"
    return [
        form("mbarrier.init", f"{place} b64", "[a] count:u32", sm=80, ptx="7.0"),
        form("mbarrier.inval", f"{place} b64", "[a]", sm=80, ptx="7.0"),
        form("mbarrier.expect_tx", f"{tx} b64", "[a] count:u32", sm=90, ptx="8.0"),
        form("mbarrier.complete_tx", f"{tx} b64", "[a] count:u32", sm=90, ptx="8.0"),
        form("mbarrier.arrive", f"{order} {where} b64", ">state:b64 [a] count:u32?", sm=80, ptx="7.0"),
        form(
            "mbarrier.arrive", f"expect_tx {order} {where} b64", ">state:b64 [a] count:u32", sm=90, ptx="8.0"
        ),
        form(
            "mbarrier.arrive", f"noComplete {order} {place} b64", ">state:b64 [a] count:u32", sm=80, ptx="7.0"
        ),
        form("mbarrier.arrive_drop", f"{order} {where} b64", ">state:b64 [a] count:u32?", sm=80, ptx="7.0"),
        form(
            "mbarrier.arrive_drop",
            f"expect_tx {order} {where} b64",
            ">state:b64 [a] count:u32",
            sm=90,
            ptx="8.0",
        ),
        form(
            "mbarrier.arrive_drop",
            f"noComplete {order} {place} b64",
            ">state:b64 [a] count:u32",
            sm=80,
            ptx="7.0",
        ),
        form("cp.async.mbarrier.arrive", f"noinc? {place} b64", "[a]", sm=80, ptx="7.0"),
        *_waits(),
        form("mbarrier.pending_count", "b64", ">count:u32 state:b64", sm=80, ptx="7.0"),
    ]


def _waits() -> list[InstructionForm]:
    form, words = SYNC.form, "sem=acquire|relaxed? scope=cta|cluster? space=shared|shared::cta? b64"
    return [
        form("mbarrier.test_wait", words, ">p:pred [a] state:b64", sm=80, ptx="7.0"),
        form("mbarrier.test_wait", f"parity {words}", ">p:pred [a] phase:u32", sm=80, ptx="7.1"),
        form("mbarrier.try_wait", words, ">p:pred [a] state:b64 hint:u32?", sm=90, ptx="7.8"),
        form("mbarrier.try_wait", f"parity {words}", ">p:pred [a] phase:u32 hint:u32?", sm=90, ptx="7.8"),
    ]


def _combining_loads(types: str) -> list[InstructionForm]:
    """Return the forms of `multimem.ld_reduce`, whose types are `types`, a modifier in the notation of the
    table such as ``type=b32|f16``; sums that are accumulated in f32 need a newer version.
    """
    head = "sem=weak|relaxed|acquire? scope? global?"
    rows = (
        ("op=min|max|add|and|or|xor", ">d:type [a]", "8.1"),
        ("op=add acc=acc::f32", ">d:type [a]", "8.2"),
        ("op=min|max|add vec", ">d:type*vec [a]", "8.1"),
        ("op=add acc=acc::f32 vec", ">d:type*vec [a]", "8.2"),
    )
    return [
        COPY.form("multimem.ld_reduce", f"{head} {words} {types}", operands, sm=90, ptx=ptx)
        for words, operands, ptx in rows
    ]


def _others() -> list[InstructionForm]:
    form = COPY.form
    types = "type=b32|b64|u32|u64|s32|s64|f32|f64|f16|f16x2|bf16|bf16x2"
    cancel = "async space=shared::cta? mbarrier::complete_tx::bytes multicast=multicast::cluster::all? b128"
    return [
        form(
            "st.async",
            f"weak? shared=shared::cluster? {DONE} type=b32|b64|u32|u64|s32|s64|f32|f64",
            "[a] b:type [bar]",
            sm=90,
            ptx="8.1",
        ),
        form(
            "st.async",
            f"weak? shared=shared::cluster? {DONE} vec type=b32|b64|u32|u64|s32|s64|f32|f64",
            "[a] b:type*vec [bar]",
            sm=90,
            ptx="8.1",
        ),
        form("st.bulk", "weak? shared=shared::cta?", "[a] size:u64 #value", sm=100, ptx="8.6"),
        *_combining_loads(types),
        form(
            "multimem.st",
            f"sem=weak|relaxed|release? scope? global? vec? {types}",
            "[a] b:type*vec",
            sm=90,
            ptx="8.1",
        ),
        form(
            "multimem.red",
            f"sem=relaxed|release? scope? global? op=min|max|add|and|or|xor vec? {types}",
            "[a] b:type*vec",
            sm=90,
            ptx="8.1",
        ),
        SYNC.form("clusterlaunchcontrol.try_cancel", cancel, "[a] [bar]", sm=100, ptx="8.6"),
        SYNC.form(
            "clusterlaunchcontrol.query_cancel", "is_canceled pred b128", ">p:pred a:b128", sm=100, ptx="8.6"
        ),
        SYNC.form(
            "clusterlaunchcontrol.query_cancel",
            "axis=get_first_ctaid::x|get_first_ctaid::y|get_first_ctaid::z b32 b128",
            ">d:b32 a:b128",
            sm=100,
            ptx="8.6",
        ),
        SYNC.form(
            "clusterlaunchcontrol.query_cancel",
            "get_first_ctaid vec=v4 b32 b128",
            ">d:b32*vec a:b128",
            sm=100,
            ptx="8.6",
        ),
    ]


FORMS = (*_group_copies(), *_bulk(), *_tensor(), *_maps(), *_barriers(), *_others())
