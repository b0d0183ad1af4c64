"""Rules of making views and of accesses through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.dialects.cuda_tile.scratch import Broken, Legal, broken, ids, legal
from tests.dialects.cuda_tile.test_verifier_memory import SCOPES, legal_orderings, ordering_texts
from tests.dialects.cuda_tile.views import KINDS, tensor, view
from tilewright.dialects.cuda_tile.types import TileViewType
from tilewright.ir.builtin_types import DYNAMIC

INTEGER = "tile of i1 or i8 or i16 or i32 or i64 values"
RELAXED = {"memory_ordering_semantics": "relaxed", "memory_scope": "device"}
LOAD, STORE = "load_view_tko", "store_view_tko"
MULTIMEM = ("multimem_load_reduce_view_tko", "multimem_reduce_view_tko", "multimem_store_view_tko")
REDUCTIONS = ("add", "min", "max", "and", "or", "xor", "umin", "umax")


def access(
    op: str, over: TileViewType, index: Sequence[str] = ("i32", "i32"), tile: str = "", **more: Any
) -> dict[str, Any]:
    """One access through a view; the tile is that of the view unless another is given."""
    spec = tile or over.tile_type
    given: dict[str, Any] = {"view": over, "index": index, "memory_ordering_semantics": "weak"}
    if op == "atomic_red_view_tko":
        given |= {**RELAXED, "mode": "addf", "value": spec}
    elif op in (LOAD, MULTIMEM[0]):
        given["results"] = [spec, "token"]
    else:
        given["tile"] = spec
    if op in MULTIMEM[:2]:
        given["reduction"] = "add"
    if op == MULTIMEM[1]:
        given |= RELAXED
    return given | more


def _access(
    op: str,
    name: str,
    message: str,
    over: TileViewType | None = None,
    index: Sequence[str] = ("i32", "i32"),
    tile: str = "",
    **more: Any,
) -> Broken:
    return broken(op, name, message, **access(op, over or view(), index, tile, **more))


def _shared(op: str, over: TileViewType) -> list[Broken]:
    """What every access but the atomic reduction shares."""
    tile = (
        "expected tile type to be '!cuda_tile.tile<8x4xf32>' (based on view type), got '!cuda_tile.tile<{}>'"
    )
    at = 2 if "tile" in access(op, over) else 1
    return [
        _access(op, "index-few", "expected 2 index operands (based on view type), got 1", over, ("i32",)),
        _access(
            op, "index-many", "expected 2 index operands (based on view type), got 3", over, ("i32",) * 3
        ),
        _access(
            op,
            "index-rank1",
            "expected index type to be a scalar tile, got '!cuda_tile.tile<4xi32>'",
            over,
            ("4xi32", "i32"),
        ),
        _access(
            op,
            "index-types",
            "expected index type 1 to be the same as other index types ('!cuda_tile.tile<i32>'),"
            " got '!cuda_tile.tile<i64>'",
            over,
            ("i32", "i64"),
        ),
        _access(
            op,
            "index-float",
            f"operand #{at} must be variadic of {INTEGER}, but got '!cuda_tile.tile<f32>'",
            over,
            ("f32", "f32"),
        ),
        _access(op, "tile-shape", tile.format("4x8xf32"), over, tile="4x8xf32"),
        _access(op, "tile-element", tile.format("8x4xf16"), over, tile="8x4xf16"),
        _access(
            op,
            "inbounds",
            "inbounds size (1) must match the number of index dimensions (2)",
            over,
            inbounds=(True,),
        ),
    ]


def _plain() -> list[Broken]:
    rows: list[Broken] = []
    gather = view("gather_scatter")
    one_d = "expected index at sparse_dim position 0 to be a 1D tensor for GatherScatterView, got rank {}"
    three = view("gather_scatter", tile=(8, 4, 2), over=tensor(shape=(8, 8, 8), strides=(64, 8, 1)))
    for op in (LOAD, STORE):
        word = op.partition("_")[0]
        rows += _shared(op, view())
        rows += [_access(op, name, text, **given) for name, text, given in ordering_texts(word)]
        rows += [
            _access(op, "multicast", "multicast ptr_attr is not allowed", view(attribute="multicast")),
            _access(
                op,
                "strided-rank1",
                "expected index type to be a scalar tile, got '!cuda_tile.tile<4xi32>'",
                view("strided"),
                ("4xi32", "i32"),
            ),
            _access(op, "gather-rank0", one_d.format(0), gather),
            _access(op, "gather-rank2", one_d.format(2), gather, ("8x1xi32", "i32")),
            _access(
                op,
                "gather-size",
                "expected gather/scatter index size (4) to match tile shape at gather/scatter"
                " dimension 0 (8)",
                gather,
                ("4xi32", "i32"),
            ),
            _access(
                op,
                "gather-other",
                "expected index 1 to be a scalar tile for GatherScatterView",
                gather,
                ("8xi32", "4xi32"),
            ),
            _access(
                op,
                "gather-types",
                "expected scalar index 2 to have the same type as other scalar indices"
                " ('!cuda_tile.tile<i32>'), got '!cuda_tile.tile<i64>'",
                three,
                ("8xi32", "i32", "i64"),
            ),
        ]
    return rows


def _reductions() -> list[Broken]:
    op = "atomic_red_view_tko"
    return [
        _access(
            op,
            "gather",
            "gather_scatter_view is not supported; use partition_view instead",
            view("gather_scatter"),
            ("8xi32", "i32"),
        ),
        _access(
            op, "element", "view element type ('f32') must match value element type ('f16')", tile="8x4xf16"
        ),
        _access(
            op,
            "shape",
            "view tile shape 8, 4 must match value shape 4, 8 for element-wise atomic operations",
            tile="4x8xf32",
        ),
        _access(op, "xchg", "atomic_red_view_tko op cannot use xchg operation", mode="xchg"),
        _access(op, "add-f32", "'add' works only with integers i32 and i64", mode="add"),
        _access(
            op,
            "acquire",
            "only 'relaxed' memory ordering is supported for view-based atomic reductions",
            memory_ordering_semantics="acquire",
        ),
        _access(
            op,
            "sys",
            "memory scope 'sys' is not supported for view-based atomic reductions; use 'tl_blk' or"
            " 'device' for TMA compatibility",
            memory_scope="sys",
        ),
        _access(
            op, "index-few", "expected 2 index operand(s) for view with tile rank 2, got 1", index=("i32",)
        ),
        _access(
            op,
            "index-rank1",
            "index operand 0 must be a scalar tile (rank 0), got shape 4",
            index=("4xi32", "i32"),
        ),
        _access(
            op,
            "inbounds",
            "inbounds size (1) must match the number of index dimensions (2)",
            inbounds=(True,),
        ),
        _access(op, "multicast", "multicast ptr_attr is not allowed", view(attribute="multicast")),
    ]


def _multimem() -> list[Broken]:
    rows: list[Broken] = []
    narrow = "multimem requires 32- or 64-bit integer/index element types; got {} bits"
    floats = "multimem supports only f16, bf16, f32, and f64 floating-point element types"
    for op in MULTIMEM:
        rows += _shared(op, view(attribute="multicast"))
        for attribute in (None, "none", "unicast"):
            got = attribute or "none"
            rows.append(
                _access(
                    op,
                    f"through-{attribute}",
                    f"expected a multicast pointer, but got {got}",
                    view(attribute=attribute),
                )
            )
        for kind, text in (
            ("strided", "traversal_strides=[3,3], {}"),
            ("gather_scatter", "{}, sparse_dim=0"),
        ):
            below = text.format("tensor_view<?x32xf32, strides=[32,1], #cuda_tile.ptr_attr<multicast>>")
            only = "multimem view operations support only partition_view; got"
            index = ("8xi32", "i32") if kind == "gather_scatter" else ("i32", "i32")
            rows.append(
                _access(
                    op,
                    kind,
                    f"{only} '!cuda_tile.{kind}_view<tile=(8x4), {below}>'",
                    view(kind, attribute="multicast"),
                    index,
                )
            )
        for e, bits in (("i1", 1), ("i8", 8), ("i16", 16)):
            rows.append(_access(op, e, narrow.format(bits), view(element=e, attribute="multicast")))
        for e in ("tf32", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "fnv8E5M3FNU"):
            rows.append(_access(op, e, floats, view(element=e, attribute="multicast")))
    return rows + _multimem_modes()


def _multimem_modes() -> list[Broken]:
    load, reduce, store = MULTIMEM
    over = view(attribute="multicast")
    rows = [_access(load, name, text, over, **given) for name, text, given in ordering_texts("load")]
    rows += [_access(store, name, text, over, **given) for name, text, given in ordering_texts("store")]
    rows += [
        _access(
            reduce,
            order,
            "memory ordering semantics must be one of: relaxed, release",
            over,
            memory_ordering_semantics=order,
        )
        for order in ("weak", "acquire", "acq_rel")
    ]
    for e in ("f16", "f32"):
        half = view(element=e, attribute="multicast")
        for kind in REDUCTIONS[3:]:
            text = "and/or/xor/umin/umax reductions require integer element types"
            rows += [_access(op, f"{kind}-{e}", text, half, reduction=kind) for op in (load, reduce)]
        for kind in ("min", "max"):
            text = "supports only add for floating-point element types"
            rows.append(_access(reduce, f"{kind}-{e}", text, half, reduction=kind))
    for e in ("f32", "f64"):
        text = f"min/max supports f16 and bf16 float types only; got '{e}'"
        rows.append(_access(load, f"min-{e}", text, view(element=e, attribute="multicast"), reduction="min"))
    return rows


def _tensors() -> list[Broken]:
    unknown = tensor(shape=(DYNAMIC, DYNAMIC), strides=(DYNAMIC, 1))
    differs = "expected dynamic {} index {} to be of the same type as the other dynamic values ('!cuda_tile.tile<{}>'),"
    differs += " got '!cuda_tile.tile<{}>'"

    def make(
        name: str,
        message: str,
        result: Any,
        base: str = "ptr<f32>",
        shape: Sequence[str] = (),
        strides: Sequence[str] = (),
    ) -> Broken:
        return broken(
            "make_tensor_view",
            name,
            message,
            base=base,
            dynamic_shape=shape,
            dynamic_strides=strides,
            results=[result],
        )

    flat = tensor(shape=(8,), strides=(1,))
    return [
        make(
            "pointee",
            "expected pointer to 'f32' to build tensor_view of this type, got 'f16'",
            flat,
            "ptr<f16>",
        ),
        make(
            "few-shapes",
            "expected 2 dynamic shape operands, got 1",
            unknown,
            shape=("i32",),
            strides=("i32",),
        ),
        make("many-shapes", "expected 0 dynamic shape operands, got 1", flat, shape=("i32",)),
        make("few-strides", "expected 1 dynamic stride operands, got 0", unknown, shape=("i32", "i32")),
        make("many-strides", "expected 0 dynamic stride operands, got 2", flat, strides=("i32", "i32")),
        make(
            "shape-types",
            differs.format("shape", 1, "i32", "i64"),
            unknown,
            shape=("i32", "i64"),
            strides=("i32",),
        ),
        make(
            "stride-types",
            differs.format("stride", 0, "i32", "i64"),
            unknown,
            shape=("i32", "i32"),
            strides=("i64",),
        ),
    ]


def _mapped_tensors() -> list[Broken]:
    unknown = tensor(shape=(DYNAMIC, DYNAMIC), strides=(DYNAMIC, 1))
    scalar = "operand #1 must be variadic of 0D " + INTEGER + ", but got '!cuda_tile.tile<{}>'"

    def make(
        name: str,
        message: str,
        result: Any,
        base: str = "ptr<f32>",
        shape: Sequence[str] = (),
        strides: Sequence[str] = (),
    ) -> Broken:
        return broken(
            "make_tensor_view",
            name,
            message,
            base=base,
            dynamic_shape=shape,
            dynamic_strides=strides,
            results=[result],
        )

    flat = tensor(shape=(8,), strides=(1,))
    multicast = tensor(shape=(8,), strides=(1,), attribute="multicast")
    return [
        make("shape-float", scalar.format("f32"), unknown, shape=("f32", "f32"), strides=("i32",)),
        make("shape-rank1", scalar.format("4xi32"), unknown, shape=("4xi32", "4xi32"), strides=("i32",)),
        make(
            "base",
            "operand #0 must be 0D tile of Pointer type values, but got '!cuda_tile.tile<4xptr<f32>>'",
            flat,
            "4xptr<f32>",
        ),
        make("result", "result #0 must be tensor view type, but got '!cuda_tile.tile<i32>'", "i32"),
        make(
            "drops-attribute",
            "tensor_view must preserve ptr_attr from base pointer (#cuda_tile.ptr_attr<multicast>)",
            flat,
            "ptr<f32,multicast>",
        ),
        make(
            "adds-attribute",
            "pointer base without ptr_attr cannot produce tensor_view with ptr_attr",
            multicast,
        ),
        make(
            "other-attribute",
            "ptr_attr mismatch between base pointer (#cuda_tile.ptr_attr<unicast>) and result"
            " tensor_view (#cuda_tile.ptr_attr<multicast>)",
            multicast,
            "ptr<f32,unicast>",
        ),
    ]


def _views() -> list[Broken]:
    rows: list[Broken] = []
    other = tensor(shape=(DYNAMIC, 64), strides=(64, 1))
    words = {"partition": "partition", "strided": "strided", "gather_scatter": "gather/scatter"}
    for kind, word in words.items():
        op = f"make_{kind}_view"
        rows += [
            broken(
                op,
                "tensor",
                f"expected the type of the provided tensor_view value ('{other}') to be the same as the"
                f" view's tensor_view type ('{tensor()}')",
                tensor_view=other,
                results=[view(kind)],
            ),
            broken(
                op,
                "operand",
                "operand #0 must be tensor view type, but got '!cuda_tile.tile<i32>'",
                tensor_view="i32",
                results=[view(kind)],
            ),
            broken(
                op,
                "result",
                f"result #0 must be {word} view type, but got '!cuda_tile.tile<i32>'",
                tensor_view=tensor(),
                results=["i32"],
            ),
        ]
    extent = f"result #1 must be variadic of 0D {INTEGER}, but got '!cuda_tile.tile<f32>'"
    rows += [
        broken(
            "get_tensor_shape",
            "few",
            "expected 2 results due to tensor rank, but got 1",
            src=tensor(),
            results=["i32"],
        ),
        broken("get_tensor_shape", "float", extent, src=tensor(), results=["i32", "f32"]),
        broken(
            "get_tensor_shape",
            "view",
            f"operand #0 must be tensor view type, but got '{view()}'",
            src=view(),
            results=["i32", "i32"],
        ),
        broken(
            "get_index_space_shape",
            "few",
            "expected 2 results due to view index space rank, but got 1",
            src=view(),
            results=["i32"],
        ),
        broken(
            "get_index_space_shape",
            "tensor",
            f"operand #0 must be TileView instance, but got '{tensor()}'",
            src=tensor(),
            results=["i32", "i32"],
        ),
    ]
    return rows


def _legal() -> list[Legal]:
    rows: list[Legal] = []
    for kind in KINDS:
        index = ("8xi32", "i32") if kind == "gather_scatter" else ("i32", "i32")
        rows.append(legal(f"make_{kind}_view", "plain", tensor_view=tensor(), results=[view(kind)]))
        rows.append(legal("get_index_space_shape", kind, src=view(kind), results=["i64", "i32"]))
        for op, word in ((LOAD, "load"), (STORE, "store")):
            for at, given in enumerate(legal_orderings(word)):
                more = {**given, "token": "token", "inbounds": (True, False)}
                rows.append(
                    legal(op, f"{kind}-order{at}", **access(op, view(kind, padding="nan"), index, **more))
                )
    rows += [legal(LOAD, f"index-{t}", **access(LOAD, view(), (t, t))) for t in ("i1", "i8", "i16", "i64")]
    for kind in KINDS[:2]:
        for scope in SCOPES[:2]:
            given = access(
                "atomic_red_view_tko", view(kind, padding="zero"), ("i64", "i32"), memory_scope=scope
            )
            rows.append(legal("atomic_red_view_tko", f"{kind}-{scope}", **given))
    load, reduce, store = MULTIMEM
    over = view(attribute="multicast")
    rows += [
        legal(load, f"order{at}", **access(load, over, **g)) for at, g in enumerate(legal_orderings("load"))
    ]
    rows += [
        legal(store, f"order{at}", **access(store, over, **g))
        for at, g in enumerate(legal_orderings("store"))
    ]
    for op in (load, reduce):
        for e in ("i32", "i64"):
            whole = view(element=e, attribute="multicast")
            rows += [legal(op, f"{kind}-{e}", **access(op, whole, reduction=kind)) for kind in REDUCTIONS]
    for e in ("f16", "bf16"):
        half = view(element=e, attribute="multicast")
        rows += [legal(load, f"{kind}-{e}", **access(load, half, reduction=kind)) for kind in REDUCTIONS[:3]]
    return [*rows, *_legal_tensors()]


def _legal_tensors() -> list[Legal]:
    unknown = tensor(shape=(DYNAMIC, 4), strides=(DYNAMIC, 1))
    rows = [
        legal(
            "make_tensor_view", t, base="ptr<f32>", dynamic_shape=[t], dynamic_strides=[t], results=[unknown]
        )
        for t in ("i1", "i8", "i16", "i32", "i64")
    ]
    for attribute in ("none", "unicast", "multicast"):
        mapped = tensor(shape=(8,), strides=(1,), attribute=attribute)
        rows.append(legal("make_tensor_view", attribute, base=f"ptr<f32,{attribute}>", results=[mapped]))
    scalar = tensor(shape=(), strides=())
    rows.append(legal("make_tensor_view", "rank0", base="ptr<f32>", results=[scalar]))
    rows.append(legal("get_tensor_shape", "rank0", src=scalar, results=[]))
    return [*rows, legal("get_tensor_shape", "two", src=tensor(), results=["i64", "i64"])]


BROKEN = [*_plain(), *_reductions(), *_multimem(), *_tensors(), *_mapped_tensors(), *_views()]
LEGAL = _legal()


@pytest.mark.parametrize("row", BROKEN, ids=ids(BROKEN))
def test_broken(row: Broken) -> None:
    row.check()


@pytest.mark.parametrize("row", LEGAL, ids=ids(LEGAL))
def test_legal(row: Legal) -> None:
    row.check()
