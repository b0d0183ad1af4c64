"""Loop annotations: advice to LLVM's loop passes, attached to the branch back to the loop's head."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from tilewright.dialects.common.struct_attribute import ATTRIBUTE, BOOLEAN, Codec, StructAttribute, nested
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import IntegerAttr

if TYPE_CHECKING:
    from tilewright.ir.text.parser import AttributeParser


def _parse_follow_up(parser: AttributeParser) -> Attribute:
    return LoopAnnotationAttr.parse_parameters(parser)


FOLLOW_UP = Codec(lambda printer, value: value.print_parameters(printer), _parse_follow_up)
"""The codec of a follow-up annotation: the annotation of the loop that the transformation creates."""


class LoopVectorizeAttr(StructAttribute):
    """Hints for the vectorization of a loop: ``#llvm.loop_vectorize<width = 4 : i32>``. The attributes
    ``followup...`` annotate the loops that vectorization makes. A field that is None states nothing.
    """

    name: ClassVar[str] = "llvm.loop_vectorize"
    codecs: ClassVar[dict[str, Codec]] = {
        "disable": BOOLEAN,
        "predicateEnable": BOOLEAN,
        "scalableEnable": BOOLEAN,
        "width": ATTRIBUTE,
        "followupVectorized": FOLLOW_UP,
        "followupEpilogue": FOLLOW_UP,
        "followupAll": FOLLOW_UP,
    }
    disable: bool | None = None
    predicateEnable: bool | None = None
    scalableEnable: bool | None = None
    width: IntegerAttr | None = None
    followupVectorized: Attribute | None = None
    followupEpilogue: Attribute | None = None
    followupAll: Attribute | None = None


class LoopInterleaveAttr(StructAttribute):
    """The number of iterations of a loop to interleave: ``#llvm.loop_interleave<count = 2 : i32>``."""

    name: ClassVar[str] = "llvm.loop_interleave"
    codecs: ClassVar[dict[str, Codec]] = {"count": ATTRIBUTE}
    count: IntegerAttr


class LoopUnrollAttr(StructAttribute):
    """Hints for loop unrolling, such as the number of copies of the body, ``count``:
    ``#llvm.loop_unroll<disable = true>``. The attributes ``followup...`` annotate the loops that unrolling
    makes. A field that is None states nothing.
    """

    name: ClassVar[str] = "llvm.loop_unroll"
    codecs: ClassVar[dict[str, Codec]] = {
        "disable": BOOLEAN,
        "count": ATTRIBUTE,
        "runtimeDisable": BOOLEAN,
        "full": BOOLEAN,
        "followupUnrolled": FOLLOW_UP,
        "followupRemainder": FOLLOW_UP,
        "followupAll": FOLLOW_UP,
    }
    disable: bool | None = None
    count: IntegerAttr | None = None
    runtimeDisable: bool | None = None
    full: bool | None = None
    followupUnrolled: Attribute | None = None
    followupRemainder: Attribute | None = None
    followupAll: Attribute | None = None


class LoopUnrollAndJamAttr(StructAttribute):
    """Hints for unroll-and-jam, which unrolls an outer loop and fuses its inner loops:
    ``#llvm.loop_unroll_and_jam<count = 4 : i32>``. The attributes ``followup...`` annotate the resulting
    loops. A field that is None states nothing.
    """

    name: ClassVar[str] = "llvm.loop_unroll_and_jam"
    codecs: ClassVar[dict[str, Codec]] = {
        "disable": BOOLEAN,
        "count": ATTRIBUTE,
        "followupOuter": FOLLOW_UP,
        "followupInner": FOLLOW_UP,
        "followupRemainderOuter": FOLLOW_UP,
        "followupRemainderInner": FOLLOW_UP,
        "followupAll": FOLLOW_UP,
    }
    disable: bool | None = None
    count: IntegerAttr | None = None
    followupOuter: Attribute | None = None
    followupInner: Attribute | None = None
    followupRemainderOuter: Attribute | None = None
    followupRemainderInner: Attribute | None = None
    followupAll: Attribute | None = None


class LoopLICMAttr(StructAttribute):
    """Hints for loop-invariant code motion: whether the pass, or its versioning of loops, is disabled:
    ``#llvm.loop_licm<disable = true>``. None states nothing.
    """

    name: ClassVar[str] = "llvm.loop_licm"
    codecs: ClassVar[dict[str, Codec]] = {"disable": BOOLEAN, "versioningDisable": BOOLEAN}
    disable: bool | None = None
    versioningDisable: bool | None = None


class LoopDistributeAttr(StructAttribute):
    """Hints for loop distribution: ``#llvm.loop_distribute<disable = true>``. The attributes ``followup...``
    annotate the loops that distribution makes. A field that is None states nothing.
    """

    name: ClassVar[str] = "llvm.loop_distribute"
    codecs: ClassVar[dict[str, Codec]] = {
        "disable": BOOLEAN,
        "followupCoincident": FOLLOW_UP,
        "followupSequential": FOLLOW_UP,
        "followupFallback": FOLLOW_UP,
        "followupAll": FOLLOW_UP,
    }
    disable: bool | None = None
    followupCoincident: Attribute | None = None
    followupSequential: Attribute | None = None
    followupFallback: Attribute | None = None
    followupAll: Attribute | None = None


class LoopPipelineAttr(StructAttribute):
    """Hints for software pipelining: ``#llvm.loop_pipeline<initiationinterval = 2 : i32>``. The interval is
    in cycles. A field that is None states nothing.
    """

    name: ClassVar[str] = "llvm.loop_pipeline"
    codecs: ClassVar[dict[str, Codec]] = {"disable": BOOLEAN, "initiationinterval": ATTRIBUTE}
    disable: bool | None = None
    initiationinterval: IntegerAttr | None = None


class LoopPeeledAttr(StructAttribute):
    """The number of iterations that were peeled off a loop: ``#llvm.loop_peeled<count = 1 : i32>``. None
    states nothing.
    """

    name: ClassVar[str] = "llvm.loop_peeled"
    codecs: ClassVar[dict[str, Codec]] = {"count": ATTRIBUTE}
    count: IntegerAttr | None = None


class LoopUnswitchAttr(StructAttribute):
    """Hints for loop unswitching, namely whether partial unswitching is disabled:
    ``#llvm.loop_unswitch<partialDisable = true>``. None states nothing.
    """

    name: ClassVar[str] = "llvm.loop_unswitch"
    codecs: ClassVar[dict[str, Codec]] = {"partialDisable": BOOLEAN}
    partialDisable: bool | None = None


class LoopAnnotationAttr(StructAttribute):
    """All hints for a loop, one nested attribute for each transformation: ``#llvm.loop_annotation<unroll =
    <disable = true>, mustProgress = true>``. ``mustProgress`` states that the loop ends or has side effects,
    ``isVectorized`` that it is vectorized already, and ``disableNonforced`` disables transformations that are
    not forced.
    """

    name: ClassVar[str] = "llvm.loop_annotation"
    codecs: ClassVar[dict[str, Codec]] = {
        "disableNonforced": BOOLEAN,
        "vectorize": nested(LoopVectorizeAttr),
        "interleave": nested(LoopInterleaveAttr),
        "unroll": nested(LoopUnrollAttr),
        "unrollAndJam": nested(LoopUnrollAndJamAttr),
        "licm": nested(LoopLICMAttr),
        "distribute": nested(LoopDistributeAttr),
        "pipeline": nested(LoopPipelineAttr),
        "peeled": nested(LoopPeeledAttr),
        "unswitch": nested(LoopUnswitchAttr),
        "mustProgress": BOOLEAN,
        "isVectorized": BOOLEAN,
    }
    disableNonforced: bool | None = None
    vectorize: LoopVectorizeAttr | None = None
    interleave: LoopInterleaveAttr | None = None
    unroll: LoopUnrollAttr | None = None
    unrollAndJam: LoopUnrollAndJamAttr | None = None
    licm: LoopLICMAttr | None = None
    distribute: LoopDistributeAttr | None = None
    pipeline: LoopPipelineAttr | None = None
    peeled: LoopPeeledAttr | None = None
    unswitch: LoopUnswitchAttr | None = None
    mustProgress: bool | None = None
    isVectorized: bool | None = None

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        """Parse the hints in angle brackets: ``<unroll = <disable = true>, mustProgress = true>``. A nested
        annotation may also be the full attribute, ``#llvm.loop_annotation<...>``, or an alias of it. Raises
        `ParseError` for another attribute.
        """
        if not parser.at("#"):
            return super().parse_parameters(parser)
        attribute: Any = parser.parse_attribute()
        if not isinstance(attribute, cls):
            raise parser.error(f"expected #{cls.name}")
        return attribute


LOOP_ATTRIBUTES: tuple[type[Attribute], ...] = (
    LoopVectorizeAttr,
    LoopInterleaveAttr,
    LoopUnrollAttr,
    LoopUnrollAndJamAttr,
    LoopLICMAttr,
    LoopDistributeAttr,
    LoopPipelineAttr,
    LoopPeeledAttr,
    LoopUnswitchAttr,
    LoopAnnotationAttr,
)
"""The classes of all loop annotations."""
