"""Small cuTile kernels for the tests of the bridge."""

from __future__ import annotations

from typing import Annotated, Any

import cuda.tile as ct

StaticShape = Annotated[Any, ct.ArrayAnnotation(static_shape_dims=(0, -1))]
StaticStride = Annotated[Any, ct.ArrayAnnotation(static_stride_dims=(-1,))]
WideList = Annotated[list[Any], ct.ListAnnotation(element=ct.ArrayAnnotation(index_dtype=ct.int64))]
StaticList = Annotated[list[Any], ct.ListAnnotation(element=ct.ArrayAnnotation(static_shape_dims=(0,)))]


@ct.kernel
def one(x: Any) -> None:
    pass


@ct.kernel
def two(x: Any, y: Any) -> None:
    pass


@ct.kernel
def wide(x: ct.IndexedWithInt64[Any]) -> None:
    pass


@ct.kernel
def wide_scalar(x: ct.ScalarInt64[int]) -> None:
    pass


@ct.kernel
def constant(x: ct.Constant[int]) -> None:
    pass


@ct.kernel
def static_shape(x: StaticShape) -> None:
    pass


@ct.kernel
def static_stride(x: StaticStride) -> None:
    pass


@ct.kernel
def wide_list(x: WideList) -> None:
    pass


@ct.kernel
def static_list(x: StaticList) -> None:
    pass


@ct.kernel
def each(x: tuple[ct.Constant[int], ...]) -> None:
    pass


@ct.kernel
def pair(x: tuple[ct.Constant[int], ct.ScalarInt64[int]]) -> None:
    pass


@ct.kernel
def mixed(x: Any, n: int, c: ct.Constant[int], t: Any, arrays: Any) -> None:
    pass


@ct.kernel(occupancy=2)
def scale(x: Any, out: Any, factor: float, block: ct.Constant[int]) -> None:
    i = ct.bid(0)
    tile = ct.load(x, i, shape=(block,))
    ct.store(out, i, tile * factor)


@ct.kernel
def copy_matrix(x: Any, out: Any) -> None:
    ct.store(out, (0, 0), ct.load(x, (0, 0), (2, 4)))
