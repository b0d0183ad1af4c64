"""Metadata nodes: loop annotations, alias scopes, access groups, types of accesses; each is numbered once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewright.dialects.llvm import attributes as llvm_attributes
from tilewright.dialects.llvm.loop_attributes import LoopAnnotationAttr
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.targets.llvm.identifiers import escaped

LOOP_WORDS = {
    ("vectorize", "disable"): ("llvm.loop.vectorize.enable", "inverted"),
    ("vectorize", "predicateEnable"): ("llvm.loop.vectorize.predicate.enable", "bool"),
    ("vectorize", "scalableEnable"): ("llvm.loop.vectorize.scalable.enable", "bool"),
    ("vectorize", "width"): ("llvm.loop.vectorize.width", "number"),
    ("vectorize", "followupVectorized"): ("llvm.loop.vectorize.followup_vectorized", "node"),
    ("vectorize", "followupEpilogue"): ("llvm.loop.vectorize.followup_epilogue", "node"),
    ("vectorize", "followupAll"): ("llvm.loop.vectorize.followup_all", "node"),
    ("interleave", "count"): ("llvm.loop.interleave.count", "number"),
    ("unroll", "disable"): ("llvm.loop.unroll.", "switch"),
    ("unroll", "count"): ("llvm.loop.unroll.count", "number"),
    ("unroll", "runtimeDisable"): ("llvm.loop.unroll.runtime.disable", "bool"),
    ("unroll", "full"): ("llvm.loop.unroll.full", "flag"),
    ("unroll", "followupUnrolled"): ("llvm.loop.unroll.followup_unrolled", "node"),
    ("unroll", "followupRemainder"): ("llvm.loop.unroll.followup_remainder", "node"),
    ("unroll", "followupAll"): ("llvm.loop.unroll.followup_all", "node"),
    ("unrollAndJam", "disable"): ("llvm.loop.unroll_and_jam.", "switch"),
    ("unrollAndJam", "count"): ("llvm.loop.unroll_and_jam.count", "number"),
    ("unrollAndJam", "followupOuter"): ("llvm.loop.unroll_and_jam.followup_outer", "node"),
    ("unrollAndJam", "followupInner"): ("llvm.loop.unroll_and_jam.followup_inner", "node"),
    ("unrollAndJam", "followupRemainderOuter"): ("llvm.loop.unroll_and_jam.followup_remainder_outer", "node"),
    ("unrollAndJam", "followupRemainderInner"): ("llvm.loop.unroll_and_jam.followup_remainder_inner", "node"),
    ("unrollAndJam", "followupAll"): ("llvm.loop.unroll_and_jam.followup_all", "node"),
    ("licm", "disable"): ("llvm.licm.disable", "flag"),
    ("licm", "versioningDisable"): ("llvm.loop.licm_versioning.disable", "flag"),
    ("distribute", "disable"): ("llvm.loop.distribute.enable", "inverted"),
    ("distribute", "followupCoincident"): ("llvm.loop.distribute.followup_coincident", "node"),
    ("distribute", "followupSequential"): ("llvm.loop.distribute.followup_sequential", "node"),
    ("distribute", "followupFallback"): ("llvm.loop.distribute.followup_fallback", "node"),
    ("distribute", "followupAll"): ("llvm.loop.distribute.followup_all", "node"),
    ("pipeline", "disable"): ("llvm.loop.pipeline.disable", "bool"),
    ("pipeline", "initiationinterval"): ("llvm.loop.pipeline.initiationinterval", "number"),
    ("peeled", "count"): ("llvm.loop.peeled.count", "number"),
    ("unswitch", "partialDisable"): ("llvm.loop.unswitch.partial.disable", "flag"),
}
"""For each field of a loop annotation, by group and name: LLVM's name, and the kind of notation of its value.
"""


class Metadata:
    """The nodes of a module by number; equal attributes have a common node."""

    __slots__ = ("_known", "_lines", "_numbers")

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._numbers: dict[Attribute, str] = {}
        self._lines: list[str] = []

    def lines(self) -> list[str]:
        """Return the definitions of all nodes, such as ``!0 = !{...}``, in order."""
        return self._lines

    def add(self, text: str, *, distinct: bool = False) -> str:
        """Return the name of the node with the definition `text`, such as ``!3``; add the node if there is
        none.

        A distinct node is always new, and its text may contain its own name as ``!self``.
        """
        if not distinct and text in self._known:
            return self._known[text]
        name = self._known[text] = f"!{len(self._lines)}"
        self._lines.append(f"{name} = {'distinct ' if distinct else ''}{text.replace('!self', name)}")
        return name

    def node(self, attribute: Attribute) -> str:
        """Return the name of the node for an alias scope, access group or type of an access, such as ``!3``;
        add the node if there is none.
        """
        name = self._numbers.get(attribute)
        if name is None:
            name = self._numbers[attribute] = NODES[attribute.__class__](self, attribute)
        return name

    def nodes(self, attributes: tuple[Attribute, ...]) -> str:
        """Return the name of a node that lists the nodes of `attributes`, such as ``!3``; add the nodes that
        are missing.
        """
        return self.add(f"!{{{', '.join(map(self.node, attributes))}}}")

    def loop(self, annotation: LoopAnnotationAttr) -> str:
        """Return the name of a new, distinct node for a loop annotation: a node identifies its loop."""
        return self.add(f"!{{{', '.join(['!self', *self._advice(annotation)])}}}", distinct=True)

    def _advice(self, annotation: LoopAnnotationAttr) -> list[str]:
        found: list[str] = []
        if annotation.disableNonforced:
            found.append(self.add('!{!"llvm.loop.disable_nonforced"}'))
        for (part, name), (word, kind) in LOOP_WORDS.items():
            value = getattr(getattr(annotation, part, None), name, None)
            text = ADVICE[kind](self, word, value) if value is not None else None
            if text is not None:
                found.append(self.add(f"!{{{text}}}"))
        if annotation.mustProgress:
            found.append(self.add('!{!"llvm.loop.mustprogress"}'))
        if annotation.isVectorized:
            found.append(self.add('!{!"llvm.loop.isvectorized", i32 1}'))
        return found


def _number(nodes: Metadata, word: str, value: IntegerAttr) -> str:
    return f'!"{word}", i32 {value.value}'


def _flag(nodes: Metadata, word: str, value: bool) -> str | None:
    return f'!"{word}"' if value else None


ADVICE: dict[str, Callable[[Metadata, str, Any], str | None]] = {
    "number": _number,
    "flag": _flag,
    "bool": lambda nodes, word, value: f'!"{word}", i1 {str(bool(value)).lower()}',
    "inverted": lambda nodes, word, value: f'!"{word}", i1 {str(not value).lower()}',
    "switch": lambda nodes, word, value: f'!"{word}{"disable" if value else "enable"}"',
    "node": lambda nodes, word, value: f'!"{word}", {nodes.loop(value)}',
}
"""The notation of the values of loop annotations; `None` if the value is left out."""


def _scope(nodes: Metadata, scope: llvm_attributes.AliasScopeAttr) -> str:
    text = f', !"{escaped(scope.description)}"' if scope.description else ""
    return nodes.add(f"!{{!self, {nodes.node(scope.domain)}{text}}}", distinct=True)


def _domain(nodes: Metadata, domain: llvm_attributes.AliasScopeDomainAttr) -> str:
    text = f', !"{escaped(domain.description)}"' if domain.description else ""
    return nodes.add(f"!{{!self{text}}}", distinct=True)


def _type(nodes: Metadata, described: llvm_attributes.TBAATypeDescriptorAttr) -> str:
    members = "".join(f", {nodes.node(member)}, i64 {offset}" for member, offset in described.members)
    return nodes.add(f'!{{!"{escaped(described.id)}"{members}}}')


def _tag(nodes: Metadata, tag: llvm_attributes.TBAATagAttr) -> str:
    constant = ", i64 1" if tag.constant else ""
    return nodes.add(
        f"!{{{nodes.node(tag.base_type)}, {nodes.node(tag.access_type)}, i64 {tag.offset}{constant}}}"
    )


def _root(nodes: Metadata, root: llvm_attributes.TBAARootAttr) -> str:
    return nodes.add(f'!{{!"{escaped(root.id)}"}}' if root.id else "!{!self}", distinct=not root.id)


NODES: dict[type[Attribute], Callable[[Metadata, Any], str]] = {
    llvm_attributes.AccessGroupAttr: lambda nodes, group: nodes.add("!{}", distinct=True),
    llvm_attributes.AliasScopeAttr: _scope,
    llvm_attributes.AliasScopeDomainAttr: _domain,
    llvm_attributes.TBAARootAttr: _root,
    llvm_attributes.TBAATypeDescriptorAttr: _type,
    llvm_attributes.TBAATagAttr: _tag,
}
"""The function that creates the node of each class of attribute."""
