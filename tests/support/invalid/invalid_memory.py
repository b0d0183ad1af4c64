"""Broken loads, stores, atomics and multimem ops."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.support.invalid.invalid_sample import Invalid, bad, built
from tests.support.real.real_kernel import Kernel, View
from tests.support.real.real_ops_memory import indices, view, view_value


def _pointers() -> list[Invalid]:
    load: dict[str, Any] = {"result_type": "4xf32", "source": "4xptr<f32>"}
    store: dict[str, Any] = {"destination": "4xptr<f32>", "value": "4xf32"}
    rows = [
        bad(
            "load_ptr_tko",
            "pointee",
            "failed to verify that `source` type is expected a pointer type of `result` type",
            **{**load, "result_type": "4xf16"},
        ),
        bad(
            "load_ptr_tko",
            "shape",
            "failed to verify that `source` type is expected a pointer type of `result` type",
            **{**load, "result_type": "8xf32"},
        ),
        bad("load_ptr_tko", "mask", "shape of 'mask' must match the shape of 'source'", mask="8xi1", **load),
        bad("load_ptr_tko", "mask-i8", "must be tile of i1 values", mask="4xi8", **load),
        bad(
            "load_ptr_tko",
            "padding",
            "type of 'paddingValue' must match the type of 'result'",
            mask="4xi1",
            paddingValue="4xf16",
            **load,
        ),
        bad("load_ptr_tko", "integer", "operand #0 must be", **{**load, "source": "4xi64"}),
        bad(
            "store_ptr_tko",
            "pointee",
            "failed to verify that `destination` type is expected a pointer type of `value` type",
            **{**store, "value": "4xf16"},
        ),
        bad(
            "store_ptr_tko",
            "mask",
            "shape of 'destination' must match the shape of 'mask'",
            mask="8xi1",
            **store,
        ),
    ]
    rows += _orders("load_ptr_tko", lambda given: bad("load_ptr_tko", "", "", **load, **given))
    return rows + _orders("store_ptr_tko", lambda given: bad("store_ptr_tko", "", "", **store, **given))


def _orders(op: str, make: Callable[[Mapping[str, Any]], Invalid]) -> list[Invalid]:
    """The ordering and scope rules that every plain load and store shares."""
    kind, right, wrong = (
        ("store", "release", "acquire") if op.startswith("store") else ("load", "acquire", "release")
    )
    cases = {
        f"order-{wrong}": (
            {"memory_ordering_semantics": wrong, "memory_scope": "device"},
            f"expect one of: weak, relaxed, or {right}, but got: {wrong}",
        ),
        "order-acq_rel": (
            {"memory_ordering_semantics": "acq_rel", "memory_scope": "device"},
            f"expect one of: weak, relaxed, or {right}, but got: acq_rel",
        ),
        "weak-scope": ({"memory_scope": "device"}, f"weak {kind} must not have memory scope"),
        "relaxed-no-scope": (
            {"memory_ordering_semantics": "relaxed"},
            f"memory scope is required for relaxed {kind}",
        ),
        f"{right}-no-scope": (
            {"memory_ordering_semantics": right},
            f"memory scope is required for {right} {kind}",
        ),
    }
    rows: list[Invalid] = []
    for name, (given, fragment) in cases.items():
        row = make(given)
        rows.append(Invalid(f"{op}/{name}", op, fragment, row.build, row.arguments))
    return rows


TileName = {
    "load_view_tko": "tile_type",
    "multimem_load_reduce_view_tko": "reduced_values_type",
    "atomic_red_view_tko": "value",
}


def access(
    op: str,
    name: str,
    fragment: str,
    kind: str = "partition",
    index: Sequence[str] | None = None,
    tile: str | None = None,
    inbounds: Sequence[bool] | None = None,
    given: Mapping[str, Any] | None = None,
    base: str = "ptr<f32>",
    **options: Any,
) -> Invalid:
    """A row with one access through a view; ``index`` and ``tile`` replace what would be right."""

    def build(kernel: Kernel) -> None:
        made: View = view(kind, **options)(kernel)
        value = view_value(kernel, made, base)
        handle = kernel.op(f"make_{kind}_view", result_type=made, tensor_view=value)
        spelled = indices(kernel, kind, made) if index is None else [kernel.value(i) for i in index]
        bounds = [False] * len(spelled) if inbounds is None else list(inbounds)
        kernel.op(
            op,
            view=handle,
            index=spelled,
            inbounds=bounds,
            **{TileName.get(op, "tile"): tile or made.tile},
            **(given or {}),
        )

    return built(op, name, fragment, build, (base,))


def _views() -> list[Invalid]:
    rows: list[Invalid] = []
    for op in ("load_view_tko", "store_view_tko"):
        rows += [*_view_indices(op), *_view_tiles(op)]
        rows += _orders(op, lambda given, op=op: access(op, "", "", given=given))
    return rows


def _view_indices(op: str) -> list[Invalid]:
    return [
        access(op, "index-few", "expected 2 index operands (based on view type), got 1", index=["i32"]),
        access(op, "index-many", "expected 2 index operands (based on view type), got 3", index=["i32"] * 3),
        access(op, "index-rank1", "expected index type to be a scalar tile, got", index=["4xi32", "4xi32"]),
        access(
            op,
            "index-float",
            "must be variadic of tile of i1 or i8 or i16 or i32 or i64 values, but got",
            index=["f32", "f32"],
        ),
        access(
            op,
            "index-types",
            "expected index type 1 to be the same as other index types ('!cuda_tile.tile<i32>'), got",
            index=["i32", "i64"],
        ),
        access(
            op,
            "strided-index-few",
            "expected 2 index operands (based on view type), got 1",
            "strided",
            index=["i32"],
        ),
        access(
            op,
            "strided-index-types",
            "expected index type 1 to be the same as other index types",
            "strided",
            index=["i32", "i64"],
        ),
        access(
            op,
            "gather-rank0",
            "expected index at sparse_dim position 0 to be a 1D tensor for GatherScatterView, got rank 0",
            "gather_scatter",
            index=["i32", "i32"],
        ),
        access(
            op,
            "gather-size",
            "expected gather/scatter index size (4) to match tile shape at gather/scatter dimension 0 (8)",
            "gather_scatter",
            index=["4xi32", "i32"],
        ),
        access(
            op,
            "gather-other-rank1",
            "to be a scalar tile for GatherScatterView",
            "gather_scatter",
            index=["8xi32", "4xi32"],
        ),
        access(
            op,
            "gather-few",
            "expected 2 index operands (based on view type), got 1",
            "gather_scatter",
            index=["8xi32"],
        ),
    ]


def _view_tiles(op: str) -> list[Invalid]:
    return [
        access(
            op,
            "tile-shape",
            "expected tile type to be '!cuda_tile.tile<8x4xf32>' (based on view type), got"
            " '!cuda_tile.tile<4x4xf32>'",
            tile="4x4xf32",
        ),
        access(
            op,
            "tile-element",
            "expected tile type to be '!cuda_tile.tile<8x4xf32>' (based on view type), got",
            tile="8x4xf16",
        ),
        access(
            op,
            "inbounds-none",
            "inbounds size (0) must match the number of index dimensions (2)",
            inbounds=[],
        ),
        access(
            op,
            "inbounds-many",
            "inbounds size (3) must match the number of index dimensions (2)",
            inbounds=[True] * 3,
        ),
        access(
            op,
            "multicast",
            "multicast ptr_attr is not allowed",
            base="ptr<f32,multicast>",
            attribute="multicast",
        ),
    ]


def _atomics() -> list[Invalid]:
    order = "memory ordering semantics must be one of: relaxed, acquire, release, acq_rel"
    scoped = {"memory_ordering_semantics": "relaxed", "memory_scope": "device"}

    def rmw(
        name: str,
        fragment: str,
        mode: str = "add",
        tile: str = "4xi32",
        pointers: str = "4xptr<i32>",
        **more: Any,
    ) -> Invalid:
        given = {"result_type": tile, "arg": tile, "mode": mode, **scoped, **more}
        return bad("atomic_rmw_tko", name, fragment, pointers=pointers, **given)

    def cas(
        name: str, fragment: str, tile: str = "4xi32", pointers: str = "4xptr<i32>", **more: Any
    ) -> Invalid:
        given = {"result_type": tile, "cmp": tile, "val": tile, **scoped, **more}
        return bad("atomic_cas_tko", name, fragment, pointers=pointers, **given)

    rows = [
        rmw("weak", order, memory_ordering_semantics="weak"),
        rmw(
            "pointee",
            "expected pointee type ('f32') to match element type of 'arg' ('i32')",
            pointers="4xptr<f32>",
        ),
        rmw("mask-shape", "failed to verify that all of {pointers, arg, mask} have same shape", mask="8xi1"),
        rmw("shape", "have same shape", pointers="8xptr<i32>"),
        rmw("result", "have same type", result_type="4xi64"),
        rmw("addf-integer", "'addf' works only with floats f16, bf16, f32, and f64", mode="addf"),
        rmw(
            "xchg-i8",
            "'xchg' works only with integers or float of 32 or 64 bitwidth",
            "xchg",
            "4xi8",
            "4xptr<i8>",
        ),
        rmw(
            "xchg-f16",
            "'xchg' works only with integers or float of 32 or 64 bitwidth",
            "xchg",
            "4xf16",
            "4xptr<f16>",
        ),
        cas("weak", order, memory_ordering_semantics="weak"),
        cas("f16", "expect only float or integer types with 32 or 64 bit", "4xf16", "4xptr<f16>"),
        cas("i8", "expect only float or integer types with 32 or 64 bit", "4xi8", "4xptr<i8>"),
        cas(
            "pointee",
            "expected pointee type ('f32') to match element type of 'val' ('i32')",
            pointers="4xptr<f32>",
        ),
        cas(
            "mask-shape",
            "failed to verify that all of {pointers, val, cmp and mask} have same shape",
            mask="8xi1",
        ),
        cas("cmp", "have same type", cmp="4xi64"),
    ]
    for mode in ("and", "or", "xor", "add", "max", "min", "umax", "umin"):
        text = f"'{mode}' works only with integers i32 and i64"
        rows.append(rmw(f"{mode}-f32", text, mode, "4xf32", "4xptr<f32>"))
        rows.append(rmw(f"{mode}-i16", text, mode, "4xi16", "4xptr<i16>"))
    return rows


_REDUCTIONS_OP = "atomic_red_view_tko"
_REDUCTIONS_PLAIN: dict[str, Any] = {
    "memory_ordering_semantics": "relaxed",
    "memory_scope": "device",
    "mode": "addf",
}
_REDUCTIONS: tuple[Invalid, ...] = (
    access(
        _REDUCTIONS_OP,
        "gather",
        "gather_scatter_view is not supported; use partition_view instead",
        "gather_scatter",
        given=_REDUCTIONS_PLAIN,
    ),
    access(
        _REDUCTIONS_OP,
        "padding",
        "views with padding_value are not supported for atomic reductions",
        given=_REDUCTIONS_PLAIN,
        padding="zero",
    ),
    access(
        _REDUCTIONS_OP,
        "strided-padding",
        "views with padding_value are not supported for atomic reductions",
        "strided",
        given=_REDUCTIONS_PLAIN,
        padding="zero",
    ),
    access(
        _REDUCTIONS_OP,
        "element",
        "view element type ('f32') must match value element type ('f16')",
        given=_REDUCTIONS_PLAIN,
        tile="8x4xf16",
    ),
    access(
        _REDUCTIONS_OP,
        "shape",
        "view tile shape 8, 4 must match value shape 4, 4 for element-wise atomic operations",
        given=_REDUCTIONS_PLAIN,
        tile="4x4xf32",
    ),
    access(
        _REDUCTIONS_OP,
        "xchg",
        "atomic_red_view_tko op cannot use xchg operation",
        given={**_REDUCTIONS_PLAIN, "mode": "xchg"},
    ),
    access(
        _REDUCTIONS_OP,
        "acquire",
        "only 'relaxed' memory ordering is supported for view-based atomic reductions",
        given={**_REDUCTIONS_PLAIN, "memory_ordering_semantics": "acquire"},
    ),
    access(
        _REDUCTIONS_OP,
        "weak",
        "only 'relaxed' memory ordering is supported for view-based atomic reductions",
        given={**_REDUCTIONS_PLAIN, "memory_ordering_semantics": "weak"},
    ),
    access(
        _REDUCTIONS_OP,
        "sys",
        "memory scope 'sys' is not supported for view-based atomic reductions; use 'tl_blk' or"
        " 'device' for TMA compatibility",
        given={**_REDUCTIONS_PLAIN, "memory_scope": "sys"},
    ),
    access(
        _REDUCTIONS_OP,
        "index-few",
        "expected 2 index operand(s) for view with tile rank 2, got 1",
        given=_REDUCTIONS_PLAIN,
        index=["i32"],
    ),
    access(
        _REDUCTIONS_OP,
        "index-rank1",
        "index operand 0 must be a scalar tile (rank 0), got shape",
        given=_REDUCTIONS_PLAIN,
        index=["4xi32", "i32"],
    ),
    access(_REDUCTIONS_OP, "index-types", "", given=_REDUCTIONS_PLAIN, index=["i32", "i64"]),
    access(
        _REDUCTIONS_OP,
        "add-float",
        "'add' works only with integers i32 and i64",
        given={**_REDUCTIONS_PLAIN, "mode": "add"},
    ),
    access(
        _REDUCTIONS_OP,
        "inbounds",
        "inbounds size (1) must match the number of index dimensions (2)",
        given=_REDUCTIONS_PLAIN,
        inbounds=[True],
    ),
    access(
        _REDUCTIONS_OP,
        "multicast",
        "multicast ptr_attr is not allowed",
        given=_REDUCTIONS_PLAIN,
        base="ptr<f32,multicast>",
        attribute="multicast",
    ),
)


_LOAD, _REDUCE, _STORE = (f"multimem_{n}_view_tko" for n in ("load_reduce", "reduce", "store"))
_RELAXED: dict[str, Any] = {"memory_ordering_semantics": "relaxed", "memory_scope": "sys"}
_MULTIMEM_ORDERS = {
    _LOAD: "expect one of: weak, relaxed, or acquire, but got: ",
    _REDUCE: "memory ordering semantics must be one of: relaxed, release",
    _STORE: "expect one of: weak, relaxed, or release, but got: ",
}


def _multimem_access(
    op: str,
    name: str,
    fragment: str,
    given: Mapping[str, Any],
    element: str = "f32",
    attribute: str | None = "multicast",
    **more: Any,
) -> Invalid:
    base = f"ptr<{element},{attribute}>" if attribute else f"ptr<{element}>"
    settings = {**({} if op == _STORE else {"reduction": "add"}), **given}
    return access(op, name, fragment, given=settings, element=element, base=base, attribute=attribute, **more)


def _multimem() -> list[Invalid]:
    rows: list[Invalid] = []

    def row(op: str, *arguments: Any, **options: Any) -> None:
        rows.append(_multimem_access(op, *arguments, **options))

    relaxed = _RELAXED
    for op in (_LOAD, _REDUCE, _STORE):
        row(op, "unicast", "expected a multicast pointer, but got unicast", relaxed, attribute="unicast")
        row(op, "no-attribute", "expected a multicast pointer, but got none", relaxed, attribute=None)
        row(op, "index-few", "expected 2 index operands (based on view type), got 1", relaxed, index=["i32"])
        row(
            op,
            "index-types",
            "expected index type 1 to be the same as other index types",
            relaxed,
            index=["i32", "i64"],
        )
        row(
            op,
            "tile",
            "expected tile type to be '!cuda_tile.tile<8x4xf32>' (based on view type), got",
            relaxed,
            tile="4x4xf32",
        )
        row(op, "inbounds", "inbounds size (1) must match", relaxed, inbounds=[True])
        row(
            op,
            "element-i16",
            "multimem requires 32- or 64-bit integer/index element types; got 16 bits",
            relaxed,
            element="i16",
        )
        row(
            op,
            "element-f8",
            "multimem supports only f16, bf16, f32, and f64 floating-point element types",
            relaxed,
            element="f8E4M3FN",
        )
        row(op, "acq_rel", _MULTIMEM_ORDERS[op], {**relaxed, "memory_ordering_semantics": "acq_rel"})
        row(
            op,
            "gather",
            "multimem view operations support only partition_view; got",
            relaxed,
            kind="gather_scatter",
        )
        row(op, "padding", "", relaxed, padding="zero")
    return rows


def _multimem_orders() -> list[Invalid]:
    load, reduce, store = _LOAD, _REDUCE, _STORE
    relaxed, orders = _RELAXED, _MULTIMEM_ORDERS
    rows: list[Invalid] = []

    def row(op: str, *arguments: Any, **options: Any) -> None:
        rows.append(_multimem_access(op, *arguments, **options))

    for op, order in ((load, "release"), (reduce, "acquire"), (store, "acquire")):
        row(op, order, orders[op], {**relaxed, "memory_ordering_semantics": order})
    for op in (load, store):
        kind = "load" if op == load else "store"
        row(op, "weak-scope", f"weak {kind} must not have memory scope", {"memory_scope": "sys"})
        row(
            op,
            "relaxed-no-scope",
            f"memory scope is required for relaxed {kind}",
            {"memory_ordering_semantics": "relaxed"},
        )
    row(reduce, "weak", orders[reduce], {"memory_ordering_semantics": "weak", "memory_scope": "sys"})
    for kind, element in (("min", "f32"), ("max", "f64"), ("and", "f32"), ("umin", "f16"), ("xor", "bf16")):
        whole = "and/or/xor/umin/umax reductions require integer element types"
        ranked = kind in ("min", "max")
        load_text = f"min/max supports f16 and bf16 float types only; got '{element}'" if ranked else whole
        reduce_text = "supports only add for floating-point element types" if ranked else whole
        row(load, f"{kind}-{element}", load_text, {**relaxed, "reduction": kind}, element=element)
        row(reduce, f"{kind}-{element}", reduce_text, {**relaxed, "reduction": kind}, element=element)
    return rows


def _tokens() -> list[Invalid]:
    align = "'alignment' must be power of two"
    return [
        bad("join_tokens", "none", "expect two or more tokens", result_type="token", tokens=[]),
        bad("join_tokens", "one", "expect two or more tokens", result_type="token", tokens=["token"]),
        bad("join_tokens", "tile", "operand #1 must be", result_type="token", tokens=["token", "i32"]),
        bad("memory_fence_alias_tko", "tile", "operand #0 must be cuda tile token type", token="i32"),
        bad("gdc_wait_tko", "tile", "operand #0 must be cuda tile token type", token="i32"),
        bad("gdc_launch_dependents_tko", "tile", "operand #0 must be cuda tile token type", token="i32"),
        bad("alloca", "alignment", align, result_type="ptr<f32>", num_elem=4, alignment=24),
        bad("alloca", "alignment-zero", align, result_type="ptr<f32>", num_elem=4, alignment=0),
        bad(
            "alloca",
            "alignment-small",
            "'alignment' (2) must be at least the natural size (4 bytes) for element type 'f32'",
            result_type="ptr<f32>",
            num_elem=4,
            alignment=2,
        ),
        bad("alloca", "count-zero", "", result_type="ptr<f32>", num_elem=0, alignment=4),
        bad("alloca", "rank1", "result #0 must be", result_type="4xptr<f32>", num_elem=4, alignment=4),
        bad("alloca", "integer", "result #0 must be", result_type="i64", num_elem=4, alignment=8),
    ]


def rows() -> list[Invalid]:
    """Every row of this family."""
    families = (
        _pointers,
        _views,
        _atomics,
        _multimem,
        _multimem_orders,
        _tokens,
    )
    return [*_REDUCTIONS, *(row for family in families for row in family())]
