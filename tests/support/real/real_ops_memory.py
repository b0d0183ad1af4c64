"""Real-writer samples of views, tokens, loads, stores, atomics and the multimem ops."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from tests.support.real.real_kernel import DYNAMIC, Kernel, View, hint_dictionary
from tests.support.real.real_sample import Sample, one_op, since_of

PADDINGS = ("zero", "neg_zero", "nan", "pos_inf", "neg_inf")
SCOPES = ("tl_blk", "device", "sys")
LOAD_ORDERS = ("relaxed", "acquire")
STORE_ORDERS = ("relaxed", "release")
ATOMIC_ORDERS = ("relaxed", "acquire", "release", "acq_rel")
POINTEES = (
    "f32",
    "f16",
    "bf16",
    "f64",
    "i1",
    "i8",
    "i16",
    "i32",
    "i64",
    "tf32",
    "f8E4M3FN",
    "f8E5M2",
    "f8E8M0FNU",
    "fnv8E5M3FNU",
)
ATOMIC_MODES = {
    **dict.fromkeys(("and", "or", "xor", "add", "max", "min", "umax", "umin"), ("i32", "i64")),
    "addf": ("f32", "f16", "bf16", "f64"),
    "xchg": ("i32", "i64", "f32", "f64"),
}

Make = Callable[[Kernel], View]


def view(
    kind: str,
    element: str = "f32",
    tile: Sequence[int] = (8, 4),
    shape: Sequence[int] = (DYNAMIC, 32),
    strides: Sequence[int] = (32, 1),
    attribute: str | None = None,
    **options: Any,
) -> Make:
    """Spells a view type over a tensor_view; the tensor_view type comes along in ``View.tensor``."""

    def make(kernel: Kernel) -> View:
        tensor = kernel.types.tensor_view(element, shape, strides, attribute)
        more = {"strides": [3] * len(tile), **options} if kind == "strided" else options
        return kernel.types.view(kind, element, tile, tensor, **more)

    return make


def view_value(kernel: Kernel, spelled: View, base: str, dynamic: int = 1, index: str = "i32") -> Any:
    """A tensor_view over the pointer ``base`` (``dynamic`` unknown extents) and the view of it."""
    tensor = kernel.tensor(spelled.tensor, base, [kernel.value(index)] * dynamic)
    return tensor


def _make_view(kernel: Kernel, kind: str, make: Make, base: str) -> tuple[View, Any]:
    spelled = make(kernel)
    tensor = view_value(kernel, spelled, base)
    return spelled, kernel.op(f"make_{kind}_view", result_type=spelled, tensor_view=tensor)


def view_sample(
    op: str,
    name: str,
    kind: str,
    body: Callable[[Kernel, View, Any], None],
    since: Any = None,
    base: str = "ptr<f32>",
    **options: Any,
) -> Sample:
    """A sample that makes a view over argument ``base`` and hands it to ``body``."""
    make = view(kind, **options)

    def build(kernel: Kernel) -> None:
        spelled, value = _make_view(kernel, kind, make, base)
        body(kernel, spelled, value)

    first = max(since or (13, 1), (13, 1) if kind == "partition" else (13, 3))
    return Sample(op, name, build, since_of(op, [options.get("element", ""), base], first), (base,))


def _nothing(kernel: Kernel, spelled: View, value: Any) -> None:
    """The view itself is the sample."""


def _view_types() -> list[Sample]:
    samples: list[Sample] = []
    for kind in ("partition", "strided", "gather_scatter"):
        op = f"make_{kind}_view"
        samples.append(view_sample(op, "plain", kind, _nothing))
        samples += [view_sample(op, f"padding-{p}", kind, _nothing, padding=p) for p in PADDINGS]
        samples += [
            view_sample(op, t, kind, _nothing, base=f"ptr<{t}>", element=t) for t in POINTEES if t != "f32"
        ]
        samples.append(
            view_sample(op, "i32-zero", kind, _nothing, base="ptr<i32>", element="i32", padding="zero")
        )
        if kind == "gather_scatter":
            samples.append(view_sample(op, "sparse1", kind, _nothing, sparse_dim=1))
        else:
            samples.append(view_sample(op, "swapped", kind, _nothing, dim_map=[1, 0]))
            samples.append(view_sample(op, "swapped-nan", kind, _nothing, dim_map=[1, 0], padding="nan"))
        for attribute, since in (("none", (13, 4)), ("unicast", (13, 5)), ("multicast", (13, 5))):
            samples.append(
                view_sample(
                    op,
                    f"ptr-{attribute}",
                    kind,
                    _nothing,
                    since=since,
                    attribute=attribute,
                    base=f"ptr<f32,{attribute}>",
                )
            )
    return samples


def _tensor(
    name: str,
    element: str,
    shape: Sequence[int],
    strides: Sequence[int],
    index: str = "i32",
    attribute: str | None = None,
    since: Any = None,
) -> Sample:
    base = f"ptr<{element},{attribute}>" if attribute else f"ptr<{element}>"

    def build(kernel: Kernel) -> None:
        sizes, steps = ([kernel.value(index)] * list(x).count(DYNAMIC) for x in (shape, strides))
        kernel.tensor(kernel.types.tensor_view(element, shape, strides, attribute), base, sizes, steps)

    return Sample("make_tensor_view", name, build, since_of("", [base], since), (base,))


def _shape_query(op: str, name: str, types: Sequence[str], kind: str | None) -> Sample:
    def build(kernel: Kernel) -> None:
        if kind is None:
            tensor = kernel.types.tensor_view("f32", [DYNAMIC] * len(types), [1] * len(types))
            value = kernel.tensor(tensor, "ptr<f32>", [kernel.value("i32")] * len(types))
        else:
            _, value = _make_view(kernel, kind, view(kind), "ptr<f32>")
        kernel.op(op, result_types=types, src=value)

    return Sample(op, name, build, (13, 1) if kind in (None, "partition") else (13, 3), ("ptr<f32>",))


def _tensor_views() -> list[Sample]:
    unknown = DYNAMIC
    samples = [
        _tensor("static", "f32", [8, 32], [32, 1]),
        _tensor("dynamic-shape", "f32", [unknown, 32], [32, 1]),
        _tensor("dynamic-strides", "f32", [8, 32], [unknown, unknown]),
        _tensor("all-dynamic-i64", "f16", [unknown, unknown], [unknown, 1], index="i64"),
        _tensor("all-dynamic-i16", "i8", [unknown], [unknown], index="i16"),
        _tensor("rank0", "f32", [], []),
        _tensor("rank3", "f32", [2, 3, 5], [15, 5, 1]),
        _tensor("ptr-none", "f32", [8], [1], attribute="none", since=(13, 4)),
        _tensor("ptr-unicast", "f32", [8], [1], attribute="unicast", since=(13, 5)),
        _tensor("ptr-multicast", "f32", [8], [1], attribute="multicast", since=(13, 5)),
    ]
    samples += [_tensor(t, t, [8], [1]) for t in POINTEES]
    samples += [_shape_query("get_tensor_shape", t, [t, t], None) for t in ("i64", "i1", "i8", "i16", "i32")]
    samples.append(_shape_query("get_tensor_shape", "rank0", [], None))
    samples += [
        _shape_query("get_index_space_shape", f"{kind}-{t}", [t, t], kind)
        for kind, t in product(("partition", "strided", "gather_scatter"), ("i32", "i64"))
    ]
    return samples


HINTS: dict[str, Mapping[str, Mapping[str, int | bool]]] = {
    "latency": {"sm_90": {"latency": 3}},
    "two-targets": {"sm_90": {"latency": 10}, "default": {"latency": 1}},
    "empty": {},
}
VIEW_HINTS = {**HINTS, "tma": {"sm_100": {"allow_tma": False, "latency": 2}}}


def _access_options(store: bool, view_access: bool) -> list[tuple[str, dict[str, Any]]]:
    """Named settings of ordering, scope, hints and token of one access op."""
    orders = STORE_ORDERS if store else LOAD_ORDERS
    options: list[tuple[str, dict[str, Any]]] = [("weak", {})]
    options += [
        (f"{o}-{s}", {"memory_ordering_semantics": o, "memory_scope": s}) for o, s in product(orders, SCOPES)
    ]
    options.append(("token", {"token": "token"}))
    for name, hints in (VIEW_HINTS if view_access else HINTS).items():
        options.append((f"hints-{name}", {"optimization_hints": hint_dictionary(**hints)}))
    scoped = {"memory_ordering_semantics": orders[0], "memory_scope": "device", "token": "token"}
    options.append(("everything", {**scoped, "optimization_hints": hint_dictionary(**HINTS["latency"])}))
    return options


def _pointer_accesses() -> list[Sample]:
    load: dict[str, Any] = {"result_type": "4xf32", "source": "4xptr<f32>", "arguments": ("ptr<f32>",)}
    store: dict[str, Any] = {"destination": "4xptr<f32>", "value": "4xf32", "arguments": ("ptr<f32>",)}
    mask: dict[str, Any] = {"mask": "4xi1"}
    samples = [one_op("load_ptr_tko", n, **load, **o) for n, o in _access_options(False, False)]
    samples += [
        one_op("load_ptr_tko", f"mask-{n}", **load, **mask, **o) for n, o in _access_options(False, False)
    ]
    samples += [
        one_op("load_ptr_tko", f"padding-{n}", **load, **mask, paddingValue="4xf32", **o)
        for n, o in _access_options(False, False)
    ]
    samples += [one_op("store_ptr_tko", n, **store, **o) for n, o in _access_options(True, False)]
    samples += [
        one_op("store_ptr_tko", f"mask-{n}", **store, **mask, **o) for n, o in _access_options(True, False)
    ]
    for t in POINTEES:
        pointer = f"2x4xptr<{t}>"
        samples.append(one_op("load_ptr_tko", t, result_type=f"2x4x{t}", source=pointer))
        samples.append(one_op("store_ptr_tko", t, destination=pointer, value=f"2x4x{t}"))
    scalar = ("ptr<f32>",)
    samples.append(one_op("load_ptr_tko", "rank0", arguments=scalar, result_type="f32", source="ptr<f32>"))
    samples.append(one_op("store_ptr_tko", "rank0", arguments=scalar, destination="ptr<f32>", value="f32"))
    return samples


def indices(kernel: Kernel, kind: str, spelled: View, index: str = "i32", sparse_dim: int = 0) -> list[Any]:
    """One index operand per dimension; a gather/scatter view takes a 1-D tile at its sparse dimension."""
    scalars = [kernel.value(index) for _ in range(spelled.rank)]
    if kind == "gather_scatter":
        size = spelled.tile.split("x")[sparse_dim]
        scalars[sparse_dim] = kernel.value(f"{size}x{index}")
    return scalars


def view_access(
    op: str,
    name: str,
    kind: str,
    options: Mapping[str, Any],
    since: Any = None,
    index: str = "i32",
    inbounds: Sequence[bool] | None = None,
    base: str = "ptr<f32>",
    sparse_dim: int = 0,
    **view_options: Any,
) -> Sample:
    """A load or store, reduction or multimem access through a freshly made view."""

    def body(kernel: Kernel, spelled: View, value: Any) -> None:
        given = {"view": value, "index": indices(kernel, kind, spelled, index, sparse_dim), **options}
        result = {"load_view_tko": "tile_type", "multimem_load_reduce_view_tko": "reduced_values_type"}.get(
            op
        )
        operand = {"atomic_red_view_tko": "value"}.get(op, "tile")
        given[result or operand] = spelled.tile
        if inbounds is not None:
            given["inbounds"] = list(inbounds)
        kernel.op(op, **given)

    if kind == "gather_scatter":
        view_options["sparse_dim"] = sparse_dim
    return view_sample(op, name, kind, body, since=since, base=base, **view_options)


def _view_accesses() -> list[Sample]:
    samples: list[Sample] = []
    for op in ("load_view_tko", "store_view_tko"):
        for name, options in _access_options(op.startswith("store"), True):
            samples.append(view_access(op, name, "partition", options))
        for kind in ("strided", "gather_scatter"):
            samples.append(view_access(op, kind, kind, {}))
            samples.append(view_access(op, f"{kind}-token", kind, {"token": "token"}))
        samples.append(view_access(op, "gather-dim1", "gather_scatter", {}, sparse_dim=1))
        samples += [
            view_access(op, f"index-{t}", "partition", {}, index=t) for t in ("i64", "i16", "i8", "i1")
        ]
        samples += [
            view_access(op, t, "partition", {}, base=f"ptr<{t}>", element=t) for t in POINTEES if t != "f32"
        ]
        for bounds in ((True, False), (False, True), (True, True)):
            name = "inbounds-" + "-".join(str(b).lower() for b in bounds)
            samples.append(view_access(op, name, "partition", {}, since=(13, 4), inbounds=bounds))
        samples.append(view_access(op, "padding", "partition", {}, padding="nan"))
        samples.append(view_access(op, "swapped", "partition", {}, dim_map=[1, 0]))
        one_d: dict[str, Any] = {"tile": (8,), "shape": (DYNAMIC,), "strides": (1,)}
        samples.append(view_access(op, "rank1", "partition", {}, **one_d))
    return samples


def _atomics() -> list[Sample]:
    cas: dict[str, Any] = {"result_type": "4xi32", "pointers": "4xptr<i32>", "cmp": "4xi32", "val": "4xi32"}
    samples: list[Sample] = []
    for order, scope in product(ATOMIC_ORDERS, SCOPES):
        ordered: dict[str, Any] = {"memory_ordering_semantics": order, "memory_scope": scope}
        samples.append(
            one_op("atomic_cas_tko", f"{order}-{scope}", arguments=("ptr<i32>",), **cas, **ordered)
        )
        samples.append(
            one_op(
                "atomic_rmw_tko",
                f"{order}-{scope}",
                arguments=("ptr<i32>",),
                result_type="4xi32",
                pointers="4xptr<i32>",
                arg="4xi32",
                mode="add",
                **ordered,
            )
        )
    relaxed: dict[str, Any] = {"memory_ordering_semantics": "relaxed", "memory_scope": "device"}
    options: dict[str, dict[str, Any]] = {
        "mask": {"mask": "4xi1"},
        "token": {"token": "token"},
        "mask-token": {"mask": "4xi1", "token": "token"},
    }
    for name, option in options.items():
        samples.append(one_op("atomic_cas_tko", name, **cas, **relaxed, **option))
        samples.append(
            one_op(
                "atomic_rmw_tko",
                name,
                result_type="4xf32",
                pointers="4xptr<f32>",
                arg="4xf32",
                mode="addf",
                **relaxed,
                **option,
            )
        )
    for t in ("i64", "f32", "f64"):
        tiles: dict[str, Any] = dict.fromkeys(("result_type", "cmp", "val"), f"2x4x{t}")
        samples.append(one_op("atomic_cas_tko", t, pointers=f"2x4xptr<{t}>", **tiles, **relaxed))
    for mode, elements in ATOMIC_MODES.items():
        for t in elements:
            samples.append(
                one_op(
                    "atomic_rmw_tko",
                    f"{mode}-{t}",
                    result_type=f"4x{t}",
                    pointers=f"4xptr<{t}>",
                    arg=f"4x{t}",
                    mode=mode,
                    **relaxed,
                )
            )
    return samples


def _view_reductions() -> list[Sample]:
    op, samples = "atomic_red_view_tko", []
    samples: list[Sample] = []
    plain = {"memory_ordering_semantics": "relaxed", "memory_scope": "device"}
    for kind, scope in product(("partition", "strided"), ("device", "tl_blk")):
        settings = {**plain, "memory_scope": scope, "mode": "addf"}
        samples.append(view_access(op, f"{kind}-{scope}", kind, settings))
    for mode, elements in ATOMIC_MODES.items():
        for t in elements if mode != "xchg" else ():
            samples.append(
                view_access(
                    op, f"{mode}-{t}", "partition", {**plain, "mode": mode}, base=f"ptr<{t}>", element=t
                )
            )
    samples.append(view_access(op, "token", "partition", {**plain, "mode": "addf", "token": "token"}))
    samples.append(
        view_access(
            op, "inbounds", "partition", {**plain, "mode": "addf"}, since=(13, 5), inbounds=(True, False)
        )
    )
    return samples


def _multimem(
    op: str,
    name: str,
    options: Mapping[str, Any],
    element: str = "f32",
    inbounds: Sequence[bool] | None = None,
) -> Sample:
    return view_access(
        op,
        name,
        "partition",
        options,
        base=f"ptr<{element},multicast>",
        element=element,
        attribute="multicast",
        inbounds=inbounds,
    )


def _multimems() -> list[Sample]:
    load, reduce, store = (f"multimem_{n}_view_tko" for n in ("load_reduce", "reduce", "store"))
    samples: list[Sample] = []
    orders = {load: (True, LOAD_ORDERS), reduce: (False, STORE_ORDERS), store: (True, STORE_ORDERS)}
    for op, (weak, strong) in orders.items():
        fixed: dict[str, Any] = {} if op == store else {"reduction": "add"}
        settings = [("weak", {})] if weak else []
        settings += [
            (f"{o}-{s}", {"memory_ordering_semantics": o, "memory_scope": s})
            for o, s in product(strong, SCOPES)
        ]
        samples += [_multimem(op, name, {**fixed, **given}) for name, given in settings]
        last = settings[-1][1]
        samples.append(_multimem(op, "token", {**fixed, **last, "token": "token"}))
        samples.append(_multimem(op, "inbounds", {**fixed, **last}, inbounds=(True, False)))
        for t in ("f16", "bf16", "f64", "i32", "i64"):
            samples.append(_multimem(op, t, {**fixed, **last}, element=t))
    for op, t in product((load, reduce), ("i32", "i64")):
        for kind in ("min", "max", "and", "or", "xor", "umin", "umax"):
            scoped = {"memory_ordering_semantics": "relaxed", "memory_scope": "sys", "reduction": kind}
            samples.append(_multimem(op, f"{kind}-{t}", scoped, element=t))
    for t, kind in product(("f16", "bf16"), ("min", "max")):
        samples.append(_multimem(load, f"{kind}-{t}", {"reduction": kind}, element=t))
    return samples


def _tokens() -> list[Sample]:
    samples = [one_op("make_token", "plain", result_type="token")]
    samples += [one_op("join_tokens", str(n), result_type="token", tokens=["token"] * n) for n in (2, 3, 17)]
    for op in ("gdc_launch_dependents_tko", "gdc_wait_tko"):
        samples += [one_op(op, "plain"), one_op(op, "token", token="token")]
    samples.append(one_op("memory_fence_alias_tko", "plain", token="token"))
    for t in POINTEES:
        samples.append(one_op("alloca", t, result_type=f"ptr<{t}>", num_elem=64, alignment=128))
    samples.append(one_op("alloca", "global", result_type="ptr<f32>", num_elem=1, alignment=4, global_=True))
    return samples


def samples() -> list[Sample]:
    """Every sample of this family; the first of an op is its plainest."""
    families = (
        _view_types,
        _tensor_views,
        _pointer_accesses,
        _view_accesses,
        _atomics,
        _view_reductions,
        _multimems,
        _tokens,
    )
    return [s for family in families for s in family()]
