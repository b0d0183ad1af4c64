"""Broken view and tensor_view types, and broken ops that make or measure them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.support.invalid.invalid_sample import Invalid, built
from tests.support.real.real_kernel import DYNAMIC, Kernel
from tests.support.real.real_ops_memory import view, view_value

KINDS = ("partition", "strided", "gather_scatter")


def _tensor_type(name: str, fragment: str, shape: Sequence[int], strides: Sequence[int]) -> Invalid:
    def build(kernel: Kernel) -> None:
        kernel.op("make_token", result_type=kernel.types.tensor_view("f32", shape, strides))

    return Invalid(f"type/tensor_view-{name}", "type", fragment, build)


def _view_type(kind: str, name: str, fragment: str, **options: Any) -> Invalid:
    def build(kernel: Kernel) -> None:
        kernel.op("make_token", result_type=view(kind, **options)(kernel).type)

    return Invalid(f"type/{kind}_view-{name}", "type", fragment, build)


def _types() -> list[Invalid]:
    rows = [
        _tensor_type(
            "ranks",
            "expected shape and stride to be of same rank but got shape of rank 2 and stride of rank 1",
            [4, 4],
            [1],
        ),
        _tensor_type(
            "size-zero", "dimensions must have strictly positive constant sizes but got [0]", [0], [1]
        ),
        _tensor_type(
            "size-negative", "dimensions must have strictly positive constant sizes but got [-4]", [-4], [1]
        ),
        _tensor_type(
            "stride-negative",
            "dimensions must have strictly positive constant strides but got [-1]",
            [4],
            [-1],
        ),
        _tensor_type(
            "stride-zero", "dimensions must have strictly positive constant strides but got [0]", [4], [0]
        ),
    ]
    for kind in KINDS:
        mapped = kind != "gather_scatter"
        rows += [
            _view_type(
                kind, "rank0", "0-dimension tile shape is not supported", tile=(), shape=(), strides=()
            ),
            _view_type(
                kind,
                "ranks",
                "expected tensor_view rank and tile rank to match, got tensor_view of rank 2 and"
                " tiles of rank 1",
                tile=(8,),
            ),
            _view_type(
                kind,
                "tile-zero",
                "tile shape dimensions must have positive length but got [0, 4]",
                tile=(0, 4),
            ),
            _view_type(
                kind,
                "tile-three",
                "tile shape dimensions must have power of two length but got [3, 4]",
                tile=(3, 4),
            ),
            _view_type(
                kind,
                "padding",
                "padding_value nan can only be used with floating point element types, got 'i32'",
                element="i32",
                padding="nan",
            ),
            _view_type(
                kind,
                "padding-neg-zero",
                "padding_value neg_zero can only be used with floating point element types, got 'i8'",
                element="i8",
                padding="neg_zero",
            ),
        ]
        if mapped:
            rows += _mapped_types(kind)
    gather = "gather dimension is outside of tensor view dimensions, expected strictly less than 2, got 2"
    rows.append(_view_type("gather_scatter", "sparse-dim", gather, sparse_dim=2))
    return rows


def _mapped_types(kind: str) -> list[Invalid]:
    return [
        _view_type(
            kind,
            "map-length",
            "expected dim_map to map exactly all 2 dimensions of the tile, got 1 mappings",
            dim_map=[0],
        ),
        _view_type(kind, "map-negative", "target dimension must not be negative, got -1", dim_map=[-1, 0]),
        _view_type(
            kind,
            "map-range",
            "target dimension is outside of tensor view dimensions, expected strictly less than 2, got 2",
            dim_map=[0, 2],
        ),
        _view_type(
            kind,
            "map-twice",
            "target dimension 0 mapped at least twice (for tile dimensions 0 and 1)",
            dim_map=[0, 0],
        ),
    ]


def _strided_types() -> list[Invalid]:
    def spelled(name: str, fragment: str, steps: Sequence[int]) -> Invalid:
        def build(kernel: Kernel) -> None:
            tensor = kernel.types.tensor_view("f32", [8, 8], [8, 1])
            made = kernel.types.view("strided", "f32", [8, 4], tensor, strides=steps)
            kernel.op("make_token", result_type=made.type)

        return Invalid(f"type/strided_view-{name}", "type", fragment, build)

    return [
        spelled("strides-few", "expected 2 traversal strides, got 1", [4]),
        spelled("strides-zero", "traversal strides must be strictly positive but got [0, 4]", [0, 4]),
        spelled("strides-negative", "traversal strides must be strictly positive but got [4, -1]", [4, -1]),
    ]


def _tensor(
    name: str,
    fragment: str,
    shape: Sequence[Any],
    strides: Sequence[Any],
    base: str = "ptr<f32>",
    attribute: str | None = None,
    arguments: Sequence[str] | None = None,
) -> Invalid:
    def build(kernel: Kernel) -> None:
        made = kernel.types.tensor_view("f32", [DYNAMIC, DYNAMIC], [DYNAMIC, 1], attribute)
        kernel.tensor(made, base, [kernel.value(s) for s in shape], [kernel.value(s) for s in strides])

    return built("make_tensor_view", name, fragment, build, (base,) if arguments is None else arguments)


def _query(op: str, count: int, kind: str | None, result: str = "i32") -> Callable[[Kernel], None]:
    def build(kernel: Kernel) -> None:
        spelled = view(kind or "partition")(kernel)
        value = view_value(kernel, spelled, "ptr<f32>")
        if kind is not None:
            value = kernel.op(f"make_{kind}_view", result_type=spelled, tensor_view=value)
        kernel.op(op, result_types=[result] * count, src=value)

    return build


def _tensors() -> list[Invalid]:
    other = "expected dynamic shape index 1 to be of the same type as the other dynamic values ("
    stride = "expected dynamic stride index 0 to be of the same type as the other dynamic values ("
    return [
        _tensor("few-shapes", "expected 2 dynamic shape operands, got 1", ["i32"], ["i32"]),
        _tensor("many-shapes", "expected 2 dynamic shape operands, got 3", ["i32"] * 3, ["i32"]),
        _tensor("many-strides", "expected 1 dynamic stride operands, got 2", ["i32"] * 2, ["i32"] * 2),
        _tensor(
            "pointee",
            "expected pointer to 'f32' to build tensor_view of this type, got 'f16'",
            ["i32"] * 2,
            ["i32"],
            base="ptr<f16>",
        ),
        _tensor("shape-types", other, ["i32", "i64"], ["i32"]),
        _tensor("stride-types", stride, ["i32", "i32"], ["i64"]),
        _tensor("float-shape", "operand #1 must be", ["f32", "f32"], ["f32"]),
        _tensor("base-rank1", "operand #0 must be", ["i32", "i32"], ["i32"], base="4xptr<f32>", arguments=()),
        _tensor(
            "attribute",
            "pointer base without ptr_attr cannot produce tensor_view with ptr_attr",
            ["i32"] * 2,
            ["i32"],
            base="ptr<f32>",
            attribute="none",
        ),
        _tensor(
            "attribute-differs",
            "ptr_attr mismatch between base pointer (#cuda_tile.ptr_attr<unicast>) and result"
            " tensor_view (#cuda_tile.ptr_attr<multicast>)",
            ["i32"] * 2,
            ["i32"],
            base="ptr<f32,unicast>",
            attribute="multicast",
        ),
    ]


def _queries() -> list[Invalid]:
    rows = [
        built(
            "get_tensor_shape",
            "few",
            "expected 2 results due to tensor rank, but got 1",
            _query("get_tensor_shape", 1, None),
            ("ptr<f32>",),
        ),
        built(
            "get_tensor_shape",
            "float",
            "result #0 must be",
            _query("get_tensor_shape", 2, None, "f32"),
            ("ptr<f32>",),
        ),
        built(
            "get_tensor_shape",
            "view",
            "operand #0 must be",
            _query("get_tensor_shape", 2, "partition"),
            ("ptr<f32>",),
        ),
        built(
            "get_index_space_shape",
            "tensor",
            "operand #0 must be",
            _query("get_index_space_shape", 2, None),
            ("ptr<f32>",),
        ),
    ]
    for kind in KINDS:
        rows.append(
            built(
                "get_index_space_shape",
                f"few-{kind}",
                "expected 2 results due to view index space rank, but got 1",
                _query("get_index_space_shape", 1, kind),
                ("ptr<f32>",),
            )
        )
        rows.append(
            built(
                f"make_{kind}_view",
                "tensor",
                "expected the type of the provided tensor_view value (",
                _other_tensor(kind),
                ("ptr<f32>",),
            )
        )
    return rows


def _other_tensor(kind: str) -> Callable[[Kernel], None]:
    def build(kernel: Kernel) -> None:
        other = kernel.types.tensor_view("f32", [8, 8], [8, 1])
        made = view(kind)(kernel)
        kernel.op(f"make_{kind}_view", result_type=made, tensor_view=kernel.tensor(other, "ptr<f32>"))

    return build


def rows() -> list[Invalid]:
    """Every row of this family."""
    return [*_types(), *_strided_types(), *_tensors(), *_queries()]
