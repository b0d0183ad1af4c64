"""Views: tensors over global memory, and the tiles into which views divide a tensor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tilewright.dialects.cuda_tile import constraints as cuda_tile_constraints
from tilewright.dialects.cuda_tile.base import TileOp, tile_op
from tilewright.dialects.cuda_tile.rules import views as views_rules
from tilewright.dialects.cuda_tile.types import TensorViewType, TileViewType
from tilewright.dialects.cuda_tile.version import V13_3
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import DYNAMIC
from tilewright.ir.declaration import fields
from tilewright.ir.declaration.traits import NoMemoryEffect, Pure
from tilewright.ir.value import Value

VIEW_GROUP = "Views"


@tile_op(0x43, VIEW_GROUP)
class MakeTensorViewOp(TileOp, name="cuda_tile.make_tensor_view"):
    """A strided tensor over global memory; dynamic extents and strides are unsigned and positive."""

    base: Value = fields.operand_def(
        cuda_tile_constraints.SCALAR_POINTER, "The address of the first element."
    )
    dynamic_shape: tuple[Value, ...] = fields.variadic_operand_def(
        cuda_tile_constraints.SCALAR_INTEGER, "One value per `?` of the shape."
    )
    dynamic_strides: tuple[Value, ...] = fields.variadic_operand_def(
        cuda_tile_constraints.SCALAR_INTEGER, "One value per `?` of the strides."
    )
    result: Value = fields.result_def(cuda_tile_constraints.TENSOR_VIEW, "The view.")
    assembly_format = "$base `,` custom<Extents>($base, $dynamic_shape, $dynamic_strides, type($result))"
    result_names = ("tview",)
    traits = (NoMemoryEffect(),)

    def has_custom_form(self) -> bool:
        """Return whether the type of the view agrees with the number of dynamic extents and strides."""
        view = self.results[0].type if self.results else None
        if not (super().has_custom_form() and isinstance(view, TensorViewType)):
            return False
        counts = [view.shape.count(DYNAMIC), view.strides.count(DYNAMIC)]
        return counts == [len(self.dynamic_shape), len(self.dynamic_strides)]

    def verify_(self) -> None:
        views_rules.check_tensor_view(self.base, self.dynamic_shape, self.dynamic_strides, self.result)


class MakeViewOp(TileOp):
    """Base of the operations that put a grid of tiles over a tensor view."""

    tensor_view: Value = fields.operand_def(cuda_tile_constraints.TENSOR_VIEW, "The tensor.")
    assembly_format = "$tensor_view attr-dict `:` type($result)"
    traits = (Pure(),)

    @classmethod
    def infer_operand_types(cls, parsing: Any, known: Mapping[str, Sequence[Type]]) -> dict[str, list[Type]]:
        """Return the type of `tensor_view`, which the type of the result contains.

        Raises `ParseError` if the result is not a view of tiles.
        """
        view, wanted = known["result"][0], cls.op_kind.mnemonic.removeprefix("make_")
        if not isinstance(view, TileViewType):
            raise parsing.parser.operation_error(
                f"expected '{wanted}' type, but got '{view}'", parsing.places["result"]
            )
        return {"tensor_view": [view.tensor]}

    def has_custom_form(self) -> bool:
        """Return whether the result's type contains the type of `tensor_view`, which the text does not state."""
        view = self.results[0].type if self.results else None
        return (
            super().has_custom_form()
            and isinstance(view, TileViewType)
            and view.tensor is self.operand_types[0]
        )

    def verify_(self) -> None:
        views_rules.check_view_of(self.tensor_view, self.results[0])


@tile_op(0x42, VIEW_GROUP)
class MakePartitionViewOp(MakeViewOp, name="cuda_tile.make_partition_view"):
    """Cuts a tensor into a grid of tiles without gaps."""

    result: Value = fields.result_def(
        cuda_tile_constraints.PARTITION_VIEW, "The view; its type says how tiles lie on the tensor."
    )
    result_names = ("pview",)


@tile_op(0x74, VIEW_GROUP, V13_3)
class MakeStridedViewOp(MakeViewOp, name="cuda_tile.make_strided_view"):
    """Views a tensor as tiles that start at multiples of the traversal strides; tiles may overlap or leave
    gaps.
    """

    result: Value = fields.result_def(
        cuda_tile_constraints.STRIDED_VIEW, "The view; its type says how tiles lie on the tensor."
    )
    result_names = ("sview",)


@tile_op(0x73, VIEW_GROUP, V13_3)
class MakeGatherScatterViewOp(MakeViewOp, name="cuda_tile.make_gather_scatter_view"):
    """Views a tensor as tiles whose rows along `sparse_dim` are indexed one by one."""

    result: Value = fields.result_def(
        cuda_tile_constraints.GATHER_SCATTER_VIEW, "The view; its type says how tiles lie on the tensor."
    )
    result_names = ("gsview",)


@tile_op(0x2F, VIEW_GROUP)
class GetTensorShapeOp(TileOp, name="cuda_tile.get_tensor_shape"):
    """Returns the extents of a tensor view, unsigned; undefined if an extent does not fit the result type."""

    src: Value = fields.operand_def(cuda_tile_constraints.TENSOR_VIEW, "The tensor.")
    extents: tuple[Value, ...] = fields.variadic_result_def(
        cuda_tile_constraints.SCALAR_INTEGER, "One extent per dimension."
    )
    assembly_format = "$src attr-dict `:` type($src) custom<ExtentTypes>(type($src), type($extents))"
    traits = (NoMemoryEffect(),)

    def verify_(self) -> None:
        view = self.src.type
        assert isinstance(view, TensorViewType)
        views_rules.check_extent_count(self.extents, view.rank, "tensor rank")


@tile_op(0x2D, VIEW_GROUP)
class GetIndexSpaceShapeOp(TileOp, name="cuda_tile.get_index_space_shape"):
    """Returns the number of tiles of a view in each dimension, unsigned."""

    src: Value = fields.operand_def(cuda_tile_constraints.TILE_VIEW, "The view.")
    extents: tuple[Value, ...] = fields.variadic_result_def(
        cuda_tile_constraints.SCALAR_INTEGER, "One number per dimension."
    )
    assembly_format = "$src attr-dict `:` type($src) custom<ExtentTypes>(type($src), type($extents))"
    traits = (NoMemoryEffect(),)

    def verify_(self) -> None:
        views_rules.check_extent_count(
            self.extents, views_rules.view_of(self.src).index_rank, "view index space rank"
        )


OPERATIONS = (
    MakeTensorViewOp,
    MakePartitionViewOp,
    MakeStridedViewOp,
    MakeGatherScatterViewOp,
    GetTensorShapeOp,
    GetIndexSpaceShapeOp,
)
