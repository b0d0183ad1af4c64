"""The attribute kinds of GPU operations, described in MLIR's words."""

from __future__ import annotations

from tilewright.dialects.common.kinds import DescribedArrayKind
from tilewright.dialects.common.short_kinds import ShortEnumKind
from tilewright.dialects.gpu import enums as gpu_enums
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import ArrayAttr, DenseArrayAttr, IntegerAttr
from tilewright.ir.builtin_types import i32, index
from tilewright.ir.declaration.attribute_kind import AttributeKind, DenseArrayKind, IntegerKind

DIMENSION = ShortEnumKind(gpu_enums.DimensionAttr, "a dimension, either 'x', 'y', or 'z'")
REDUCTION = ShortEnumKind(
    gpu_enums.AllReduceOperationAttr, "built-in reduction operations supported by gpu.allreduce."
)
BROADCAST = ShortEnumKind(gpu_enums.BroadcastTypeAttr, "a lane to broadcast from")
SHUFFLE = ShortEnumKind(gpu_enums.ShuffleModeAttr, "Indexing modes supported by gpu.shuffle.")
ELEMENTWISE = ShortEnumKind(gpu_enums.MMAElementwiseAttr, "elementwise operation to apply to mma matrix")


class IndexKind(IntegerKind):
    """An index attribute, shown as an int."""

    def __init__(self) -> None:
        super().__init__(index)
        self.description = "index attribute"


class SizeHintKind(DenseArrayKind):
    """A dense array attribute of three i32, one for each dimension of a grid, block or cluster."""

    def __init__(self) -> None:
        super().__init__()
        self.description = "i32 dense array attribute with 3 elements (if present)"

    def accepts(self, attribute: Attribute) -> bool:
        return isinstance(attribute, DenseArrayAttr) and super().accepts(attribute) and len(attribute) == 3


class TargetsKind(DescribedArrayKind):
    """An array attribute with at least one target of a module; the elements are not checked."""

    def __init__(self) -> None:
        super().__init__(AttributeKind(), "array of GPU target attributes with at least 1 elements")

    def accepts(self, attribute: Attribute) -> bool:
        return isinstance(attribute, ArrayAttr) and bool(attribute.elements)


class ClusterSizeKind(IntegerKind):
    """A 32-bit power of two, shown as an int."""

    def __init__(self) -> None:
        super().__init__(i32, minimum=1)
        self.description = "32-bit signless integer attribute whose value is a power of two > 0"

    def accepts(self, attribute: Attribute) -> bool:
        if not (isinstance(attribute, IntegerAttr) and super().accepts(attribute)):
            return False
        return attribute.value & (attribute.value - 1) == 0


class OffloadingKind(AttributeKind):
    """Any attribute; it should be one of a dialect that embeds binaries, which is not checked."""

    description = "any attribute with the `OffloadingTranslationAttrTrait` trait."


class WidthKind(IntegerKind):
    """A 32-bit integer attribute that is not negative; shown as an int."""

    def __init__(self) -> None:
        super().__init__(i32, minimum=0)
        self.description = "32-bit signless integer attribute whose minimum value is 0"


INDEX_ATTRIBUTE = IndexKind()
SIZE_HINT = SizeHintKind()
TARGETS = TargetsKind()
CLUSTER_SIZE = ClusterSizeKind()
OFFLOADING = OffloadingKind()
WIDTH = WidthKind()
