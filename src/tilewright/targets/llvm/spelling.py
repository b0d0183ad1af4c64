"""The shared state of translation: texts of types, constants and metadata of a module, and of values of a
function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.dialects.llvm.ops.control import CallIntrinsicOp, CallOp
from tilewright.ir.attribute import SharedAttributes, Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import DictionaryAttr, StringAttr
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.llvm import identifiers, metadata, type_spelling
from tilewright.targets.llvm.attributes import parameter_attributes
from tilewright.targets.llvm.constants import ConstantSpelling, integer_text
from tilewright.targets.llvm.debug import FunctionLines, LineTables

METADATA = (
    ("access_groups", "llvm.access.group"),
    ("alias_scopes", "alias.scope"),
    ("noalias_scopes", "noalias"),
)
"""Metadata of memory accesses that are lists of nodes."""
ACCESS_METADATA = frozenset({"tbaa", *(name for name, _ in METADATA)})
"""The attributes of an access that become metadata."""


class Constants(ConstantSpelling):
    """Spells constants, and numbers that are not attributes."""

    __slots__ = ()

    def number(self, type: Type, value: int) -> str:
        """Return the low bits of `value` as a constant of the integer type `type`, without the type."""
        assert isinstance(type, IntegerType)
        return integer_text(value, type.width)


class ModuleEmitter:
    """The state that the functions of a module share: the texts of types and constants, the metadata, and the
    declarations of the called intrinsics.
    """

    def __init__(self) -> None:
        self.type = type_spelling.TypeSpelling()
        self.constant = Constants(self.type)
        self.metadata = ModuleMetadata()
        self.line_tables: LineTables | None = None
        self.accesses: dict[SharedAttributes, tuple[str, str]] = {}
        """The attribute texts of loads and stores, by their shared attributes."""
        self._declared: dict[str, str] = {}

    def declare(self, name: str, result: Type | None, arguments: Sequence[Type | str]) -> None:
        """Record the declaration of the intrinsic `name`, if it has none. A `result` of None is ``void``;
        texts in `arguments` are types that are spelled already.
        """
        if name not in self._declared:
            types = ", ".join(type if isinstance(type, str) else self.type(type) for type in arguments)
            returned = self.type(result) if result is not None else "void"
            self._declared[name] = f"declare {returned} @{name}({types})"

    def declarations(self) -> list[str]:
        """Return the declarations of the called intrinsics, in the order of their first calls."""
        return list(self._declared.values())


class ModuleMetadata(metadata.Metadata):
    """The metadata of a module, with nodes of fixed meaning."""

    __slots__ = ("_nontemporal",)

    def __init__(self) -> None:
        super().__init__()
        self._nontemporal: str | None = None

    def nontemporal(self) -> str:
        """Return the name of the node that marks nontemporal accesses, such as ``!3``; the first call adds
        the node.
        """
        if self._nontemporal is None:
            self._nontemporal = self.add("!{i32 1}")
        return self._nontemporal


class Spelling:
    """The texts of the values, types and blocks of a function, for the rules of operations."""

    __slots__ = ("_edges", "_labels", "_next", "_targets", "_values", "module", "places", "type")

    def __init__(self, module: ModuleEmitter) -> None:
        self.module = module
        self.type = module.type
        self.places: FunctionLines | None = None
        """The debug locations of the function's instructions; None without line tables."""
        self._values: dict[Value, str] = {}
        self._labels: dict[Block, str] = {}
        self._edges: dict[tuple[Block, int], str] = {}
        self._targets: dict[Block, Sequence[tuple[Block, tuple[Value, ...]]]] = {}
        """For each block, its successors with the values of their arguments."""
        self._next = 0

    def value(self, value: Value) -> str:
        """Return the text of a value without its type: a name such as ``%3``, or a constant."""
        return self._values[value]

    def typed(self, value: Value) -> str:
        """Return the text of a value after its type, such as ``i32 %3``."""
        return f"{self.type(value.type)} {self._values[value]}"

    def spelled(self, type: Type | str) -> str:
        """Return the text of a type, which may be a text already."""
        return type if isinstance(type, str) else self.type(type)

    def label(self, block: Block) -> str:
        """Return the name of a block with its sigil, such as ``%3``."""
        return self._labels[block]

    def successor_labels(self, op: Operation) -> list[str]:
        """Return the labels of a terminator's successors; an inserted block replaces a duplicate edge."""
        block = op.parent
        assert block is not None
        targets = enumerate(self._targets[block])
        return [self._edges.get((block, at)) or self._labels[target] for at, (target, _) in targets]

    def arguments(self, operands: Sequence[Value], attributes: Sequence[DictionaryAttr] | None) -> str:
        """Return the arguments of a call, with types and attributes, separated by commas. `attributes` has a
        dictionary for each operand; None: no attributes.
        """
        if not attributes:
            return ", ".join(map(self.typed, operands))
        return ", ".join(
            f"{self.type(value.type)} {parameter_attributes(own, self.type)}{self._values[value]}"
            for value, own in zip(operands, attributes, strict=True)
        )

    def result_attributes(self, op: CallOp) -> str:
        """Return the attributes of the result of a call, each followed by a blank; empty if there are none."""
        return parameter_attributes(op.res_attrs[0], self.type) if op.res_attrs else ""

    def bundles(self, op: CallOp | CallIntrinsicOp) -> str:
        """Return the operand bundles of a call after a blank; empty if there are none."""
        values = iter(op.op_bundle_operands)
        texts: list[str] = []
        for size, tag in zip(op.op_bundle_sizes, op.op_bundle_tags or (), strict=False):
            assert isinstance(tag, StringAttr)
            inside = ", ".join(self.typed(next(values)) for _ in range(size))
            texts.append(f'"{identifiers.escaped(tag.value)}"({inside})')
        return f" [ {', '.join(texts)} ]" if texts else ""

    def access_metadata(self, op: Operation) -> str:
        """Return the alias scopes, the access groups and the first TBAA tag of a memory access, each after a
        comma, such as ``, !tbaa !3``; empty if there are none.
        """
        held = op.held_attributes
        if ACCESS_METADATA.isdisjoint(held):
            return ""
        nodes = self.module.metadata
        text = "".join(
            f", !{word} {nodes.nodes(getattr(op, name))}"
            for name, word in METADATA
            if getattr(op, name, None)
        )
        tags = getattr(op, "tbaa", None)
        return f"{text}, !tbaa {nodes.node(tags[0])}" if tags else text


Rule = Callable[[Spelling, Any], str]
"""A function that spells an operation."""
