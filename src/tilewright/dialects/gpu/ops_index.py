"""The indices of threads, blocks and clusters, and the sizes of grids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.gpu import constraints as gpu_constraints, enums as gpu_enums
from tilewright.dialects.gpu.kinds import DIMENSION, INDEX_ATTRIBUTE
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import index
from tilewright.ir.declaration import fields, traits as ir_traits
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import hints_follow_from
from tilewright.ir.value import Value

UPPER_BOUND_DOC = "A number that the result stays below, or reaches for sizes."


class DimensionIndexOp(StandardOp):
    """The base of operations that return an index or a size of type ``index`` in one dimension. `upper_bound`
    is a number that an index stays below, and that a size does not exceed; None states nothing.
    """

    dimension: gpu_enums.Dimension = fields.attr_def(DIMENSION, "The dimension.")
    upper_bound: int | None = fields.optional_attr_def(INDEX_ATTRIBUTE, UPPER_BOUND_DOC, default=None)
    result: Value = fields.result_def(gpu_constraints.INDEX, "The result.")
    assembly_format = "$dimension (`upper_bound` $upper_bound^)? attr-dict"
    traits = (ir_traits.Pure(),)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        """Return the type ``index``."""
        return [index]

    @hints_follow_from("attributes")
    def result_name_hints(self) -> Sequence[str | None]:
        """Return the name of the operation and the dimension, such as ``thread_id_x``."""
        return (f"{self.name.partition('.')[2]}_{self.dimension.name.lower()}",)


class ThreadIdOp(DimensionIndexOp, name="gpu.thread_id"):
    """The position of the thread in its block, in one dimension."""


class BlockIdOp(DimensionIndexOp, name="gpu.block_id"):
    """The position of the block in the grid, in one dimension."""


class BlockDimOp(DimensionIndexOp, name="gpu.block_dim"):
    """The number of threads of a block in one dimension."""


class GridDimOp(DimensionIndexOp, name="gpu.grid_dim"):
    """The number of blocks of the grid in one dimension."""


class GlobalIdOp(DimensionIndexOp, name="gpu.global_id"):
    """The position of the thread in the grid, counted over all blocks, in one dimension."""


class ClusterIdOp(DimensionIndexOp, name="gpu.cluster_id"):
    """The position of the cluster in the grid, in one dimension."""


class ClusterDimOp(DimensionIndexOp, name="gpu.cluster_dim"):
    """The number of clusters of the grid in one dimension."""


class ClusterDimBlocksOp(DimensionIndexOp, name="gpu.cluster_dim_blocks"):
    """The number of blocks of a cluster in one dimension."""


class ClusterBlockIdOp(DimensionIndexOp, name="gpu.cluster_block_id"):
    """The position of the block in its cluster, in one dimension."""


class WarpIndexOp(StandardOp):
    """The base of operations that return an index or a size of type ``index`` that concerns warps.
    `upper_bound` is a number that an index stays below, and that a size does not exceed; None states nothing.
    """

    upper_bound: int | None = fields.optional_attr_def(INDEX_ATTRIBUTE, UPPER_BOUND_DOC, default=None)
    result: Value = fields.result_def(gpu_constraints.INDEX, "The result.")
    traits = (ir_traits.Pure(),)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        """Return the type ``index``."""
        return [index]


class LaneIdOp(WarpIndexOp, name="gpu.lane_id"):
    """The position of the thread in its warp."""

    assembly_format = "(`upper_bound` $upper_bound^)? attr-dict"


class SubgroupIdOp(WarpIndexOp, name="gpu.subgroup_id"):
    """The position of the warp in its block."""

    assembly_format = "(`upper_bound` $upper_bound^)? attr-dict `:` type($result)"


class NumSubgroupsOp(WarpIndexOp, name="gpu.num_subgroups"):
    """The number of warps of a block."""

    assembly_format = "(`upper_bound` $upper_bound^)? attr-dict `:` type($result)"


class SubgroupSizeOp(WarpIndexOp, name="gpu.subgroup_size"):
    """The number of threads of a warp."""

    assembly_format = "(`upper_bound` $upper_bound^)? attr-dict `:` type($result)"


OPERATIONS: tuple[type[Operation], ...] = (
    ThreadIdOp,
    BlockIdOp,
    BlockDimOp,
    GridDimOp,
    GlobalIdOp,
    ClusterIdOp,
    ClusterDimOp,
    ClusterDimBlocksOp,
    ClusterBlockIdOp,
    LaneIdOp,
    SubgroupIdOp,
    NumSubgroupsOp,
    SubgroupSizeOp,
)
"""The operations of this module."""
