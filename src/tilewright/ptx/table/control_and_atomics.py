"""Control flow, synchronisation of threads, atomic operations, video and miscellaneous instructions."""

from __future__ import annotations

from tilewright.ptx.table.notation import Chapter, InstructionForm

FLOW = Chapter("9.7.12", "control flow")
SYNC = Chapter("9.7.13", "parallel synchronisation and communication")
VIDEO = Chapter("9.7.18", "video")
OTHER = Chapter("9.7.19", "miscellaneous")
ORDERS = "sem=relaxed|acquire|release|acq_rel? scope? space=global|shared|shared::cta|shared::cluster?"
ORDERS_OF_RED = ORDERS.replace("relaxed|acquire|release|acq_rel", "relaxed|release")
HALVES = "f16|f16x2|bf16|bf16x2"


def _flow() -> list[InstructionForm]:
    form = FLOW.form
    return [
        form("bra", "uni?", "@target"),
        form("brx.idx", "uni?", "index:u32 @targets", sm=30, ptx="6.0"),
        form("call", "uni?", "@parts*any"),
        form("ret", "uni?"),
        form("exit", ""),
    ]


def _barriers() -> list[InstructionForm]:
    form, rows = SYNC.form, list[InstructionForm]()
    for name in ("bar", "barrier"):
        words = "cta? aligned?" if name == "barrier" else "cta?"
        kind = (70, "6.0") if name == "barrier" else (0, "1.0")
        sm, ptx = kind
        rows.append(form(f"{name}", f"{_after('sync', words)}", "id:u32 count:u32?", sm=sm, ptx=ptx))
        rows.append(form(f"{name}", f"{_after('arrive', words)}", "id:u32 count:u32", sm=sm, ptx=ptx))
        rows.append(
            form(
                f"{name}",
                f"{_after('red', words)} popc type=u32",
                ">d:u32 id:u32 count:u32? !c:pred",
                sm=sm,
                ptx=ptx,
            )
        )
        logic = f"{_after('red', words)} op=and|or type=pred"
        rows.append(form(f"{name}", logic, ">p:pred id:u32 count:u32? !c:pred", sm=sm, ptx=ptx))
    return [
        *rows,
        form("bar.warp.sync", "", "mask:b32", sm=30, ptx="6.0"),
        form("barrier.cluster.arrive", "sem=release|relaxed? aligned?", sm=90, ptx="7.8"),
        form("barrier.cluster.wait", "acquire? aligned?", sm=90, ptx="7.8"),
        form("membar", "level=cta|gl|sys"),
        form("fence", "sem=sc|acq_rel|acquire|release? scope", sm=70, ptx="6.0"),
        form(
            "fence",
            "sem=acquire|release sync_restrict=sync_restrict::shared::cta|sync_restrict::shared::cluster scope=cluster",
            sm=90,
            ptx="8.6",
        ),
        form("fence.mbarrier_init", "sem=release scope=cluster", sm=90, ptx="8.0"),
        form("fence.proxy", "proxy=alias", sm=70, ptx="7.5"),
        form("fence.proxy", "proxy=async", sm=90, ptx="8.0"),
        form("fence.proxy.async", "space=global|shared::cta|shared::cluster", sm=90, ptx="8.0"),
        form("fence.proxy.tensormap::generic", "sem=release scope", sm=90, ptx="8.3"),
        form("fence.proxy.tensormap::generic", "sem=acquire scope", "[a] #size", sm=90, ptx="8.3"),
    ]


def _after(kind: str, words: str) -> str:
    """Return the modifiers `words` with `kind` inserted after the first one, as in
    ``barrier.cta.sync.aligned``.
    """
    first, *rest = words.split()
    return " ".join((first, kind, *rest))


def _votes() -> list[InstructionForm]:
    form = SYNC.form
    return [
        form("vote", "mode=all|any|uni type=pred", ">d:pred !a:pred"),
        form("vote", "mode=ballot type=b32", ">d:b32 !a:pred"),
        form("vote.sync", "mode=all|any|uni type=pred", ">d:pred !a:pred mask:b32", sm=30, ptx="6.0"),
        form("vote.sync", "mode=ballot type=b32", ">d:b32 !a:pred mask:b32", sm=30, ptx="6.0"),
        form("match", "mode=any sync type=b32|b64", ">d:b32 a:type mask:b32", sm=70, ptx="6.0"),
        form("match", "mode=all sync type=b32|b64", ">d:b32|p:pred a:type mask:b32", sm=70, ptx="6.0"),
        form("activemask", "type=b32", ">d:b32", sm=30, ptx="6.2"),
        form("redux.sync", "op=add|min|max type=u32|s32", ">d:b32 a:b32 mask:b32", sm=80, ptx="7.0"),
        form("redux.sync", "op=and|or|xor type=b32", ">d:b32 a:b32 mask:b32", sm=80, ptx="7.0"),
        form(
            "redux.sync",
            "op=min|max abs? nan=NaN? type=f32",
            ">d:f32 a:f32 mask:b32",
            sm=100,
            ptx="8.6",
            only="reductions",
        ),
        form("elect.sync", "", ">d:b32|p:pred mask:b32", sm=90, ptx="8.0"),
        form("griddepcontrol", "action=launch_dependents|wait", sm=90, ptx="7.8"),
    ]


def _atomics() -> list[InstructionForm]:
    form, rows = SYNC.form, list[InstructionForm]()
    variants = (
        ("op=and|or|xor hint? type=b32|b64", 0, "1.1"),
        ("op=exch hint? type=b32|b64", 0, "1.1"),
        ("op=add hint? type=u32|s32|u64|f32|f64", 0, "1.1"),
        ("op=inc|dec hint? type=u32", 0, "1.1"),
        ("op=min|max hint? type=u32|s32|u64|s64", 0, "1.1"),
        ("op=add noftz hint? type=f16|f16x2", 70, "6.3"),
        ("op=add noftz hint? type=bf16|bf16x2", 90, "7.8"),
    )
    for words, sm, ptx in variants:
        rows.append(form("atom", f"{ORDERS} {words}", ">d:type [a] b:type policy:b64?", sm=sm, ptx=ptx))
        if not words.startswith("op=exch"):
            rows.append(
                form("red", f"async? {ORDERS_OF_RED} {words}", "[a] b:type policy:b64?", sm=sm, ptx=ptx)
            )
    vectors = (("add hint? vec=v2|v4 type=f32", ""), ("op=add|min|max noftz hint? vec", f"type={HALVES}"))
    for words, types in vectors:
        full = f"{ORDERS} {words} {types}".replace(" add hint?", " op=add hint?")
        rows.append(form("atom", full, ">d:type*vec [a] b:type*vec policy:b64?", sm=90, ptx="8.1"))
        full = full.replace(ORDERS, ORDERS_OF_RED)
        rows.append(form("red", full, "[a] b:type*vec policy:b64?", sm=90, ptx="8.1"))
    return [
        *rows,
        form(
            "atom",
            f"{ORDERS} op=cas hint? type=b16|b32|b64|b128",
            ">d:type [a] b:type c:type policy:b64?",
            ptx="1.1",
        ),
        form("atom", f"{ORDERS} op=exch hint? type=b128", ">d:type [a] b:type policy:b64?", sm=90, ptx="8.3"),
    ]


def _video() -> list[InstructionForm]:
    form, types = VIDEO.form, "dtype=u32|s32 atype=u32|s32 btype=u32|s32"
    rows = list[InstructionForm]()
    for name in ("vadd", "vsub", "vabsdiff", "vmin", "vmax"):
        rows.append(form(name, f"{types} sat?", ">d:dtype a:atype b:btype", sm=20, ptx="2.0"))
        rows.append(
            form(name, f"{types} sat? op=add|min|max", ">d:dtype a:atype b:btype c:dtype", sm=20, ptx="2.0")
        )
    shifts = "dtype=u32|s32 atype=u32|s32 btype=u32 sat? mode=clamp|wrap"
    rows.extend(VIDEO.forms("vshl vshr", shifts, ">d:dtype a:atype b:u32", sm=20, ptx="2.0"))
    rows.extend(
        VIDEO.forms(
            "vshl vshr", f"{shifts} op=add|min|max", ">d:dtype a:atype b:u32 c:dtype", sm=20, ptx="2.0"
        )
    )
    return rows


def _other() -> list[InstructionForm]:
    form = OTHER.form
    return [
        form("brkpt", ""),
        form("nanosleep", "type=u32", "t:u32", sm=70, ptx="6.3"),
        form("pmevent", "", "#event"),
        form("pmevent", "mask", "#event", sm=20, ptx="3.0"),
        form("trap", ""),
        form("setmaxnreg", "action=inc|dec sync aligned type=u32", "#count", sm=90, ptx="8.0", only="hopper"),
    ]


FORMS = (*_flow(), *_barriers(), *_votes(), *_atomics(), *_video(), *_other())
