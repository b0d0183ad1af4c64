"""The texts that the parts of a module share, and those of the values of one function: rules of operations ask for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.dialects.llvm.ops.control import CallIntrinsicOp, CallOp
from tilewright.ir.attribute import Type
from tilewright.ir.attribute_storage import SharedAttributes
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import DictionaryAttr, StringAttr
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.llvm.attributes import parameter_attributes
from tilewright.targets.llvm.constants import ConstantSpelling, integer_text
from tilewright.targets.llvm.debug import FunctionLines, LineTables
from tilewright.targets.llvm.metadata import Metadata
from tilewright.targets.llvm.types import TypeSpelling
from tilewright.targets.llvm.words import escaped

METADATA = (
    ("access_groups", "llvm.access.group"),
    ("alias_scopes", "alias.scope"),
    ("noalias_scopes", "noalias"),
)
"""Metadata of memory accesses that is a list of nodes."""
ACCESS_METADATA = frozenset({"tbaa", *(name for name, _ in METADATA)})
"""The attributes of an access that become metadata."""


class Constants(ConstantSpelling):
    """Spells constants, and numbers that are no attributes."""

    __slots__ = ()

    def number(self, type: Type, value: int) -> str:
        """An integer of a type."""
        assert isinstance(type, IntegerType)
        return integer_text(value, type.width)


class ModuleEmitter:
    """What the functions of a module share: spelled types, constants, metadata, declared intrinsics."""

    def __init__(self) -> None:
        self.type = TypeSpelling()
        self.constant = Constants(self.type)
        self.metadata = ModuleMetadata()
        self.line_tables: LineTables | None = None
        self.accesses: dict[SharedAttributes, tuple[str, str]] = {}
        """What loads and stores say besides their operands, by the attributes that they share."""
        self._declared: dict[str, str] = {}

    def declare(self, name: str, result: Type | None, arguments: Sequence[Type | str]) -> None:
        """Note that an intrinsic is called."""
        if name not in self._declared:
            types = ", ".join(type if isinstance(type, str) else self.type(type) for type in arguments)
            returned = self.type(result) if result is not None else "void"
            self._declared[name] = f"declare {returned} @{name}({types})"

    def declarations(self) -> list[str]:
        """The declarations of the intrinsics that are called, in order of their first call."""
        return list(self._declared.values())


class ModuleMetadata(Metadata):
    """Metadata of a module, with the few nodes that have a fixed meaning."""

    __slots__ = ("_nontemporal",)

    def __init__(self) -> None:
        super().__init__()
        self._nontemporal: str | None = None

    def nontemporal(self) -> str:
        """The node that marks accesses whose data will not be used again soon."""
        if self._nontemporal is None:
            self._nontemporal = self.add("!{i32 1}")
        return self._nontemporal


class Spelling:
    """The texts of the values, types and blocks of one function, which rules of operations ask for."""

    __slots__ = ("_edges", "_labels", "_next", "_targets", "_values", "module", "places", "type")

    def __init__(self, module: ModuleEmitter) -> None:
        self.module = module
        self.type = module.type
        self.places: FunctionLines | None = None
        """Where instructions come from, if the text is to say so."""
        self._values: dict[Value, str] = {}
        self._labels: dict[Block, str] = {}
        self._edges: dict[tuple[Block, int], str] = {}
        self._targets: dict[Block, Sequence[tuple[Block, tuple[Value, ...]]]] = {}
        """Where the blocks go, with the values for the arguments of what comes next."""
        self._next = 0

    def value(self, value: Value) -> str:
        """The text of a value without its type."""
        return self._values[value]

    def typed(self, value: Value) -> str:
        """The text of a value behind its type."""
        return f"{self.type(value.type)} {self._values[value]}"

    def spelled(self, type: Type | str) -> str:
        """The text of a type, which may be given as text."""
        return type if isinstance(type, str) else self.type(type)

    def label(self, block: Block) -> str:
        """The name of a block."""
        return self._labels[block]

    def successor_labels(self, op: Operation) -> list[str]:
        """Where a terminator goes: a block between for edges that would not be told apart."""
        block = op.parent
        assert block is not None
        targets = enumerate(self._targets[block])
        return [self._edges.get((block, at)) or self._labels[target] for at, (target, _) in targets]

    def arguments(self, operands: Sequence[Value], attributes: Sequence[DictionaryAttr] | None) -> str:
        """The arguments of a call."""
        if not attributes:
            return ", ".join(map(self.typed, operands))
        return ", ".join(
            f"{self.type(value.type)} {parameter_attributes(own, self.type)}{self._values[value]}"
            for value, own in zip(operands, attributes, strict=True)
        )

    def result_attributes(self, op: CallOp) -> str:
        """The attributes of the result of a call."""
        return parameter_attributes(op.res_attrs[0], self.type) if op.res_attrs else ""

    def bundles(self, op: CallOp | CallIntrinsicOp) -> str:
        """The operand bundles of a call."""
        values = iter(op.op_bundle_operands)
        texts: list[str] = []
        for size, tag in zip(op.op_bundle_sizes, op.op_bundle_tags or (), strict=False):
            assert isinstance(tag, StringAttr)
            inside = ", ".join(self.typed(next(values)) for _ in range(size))
            texts.append(f'"{escaped(tag.value)}"({inside})')
        return f" [ {', '.join(texts)} ]" if texts else ""

    def access_metadata(self, op: Operation) -> str:
        """Alias scopes, access groups and types of a memory access."""
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
"""How an operation is spelled."""
