"""Numbers for operations, equal for operations that are alike; sequences of operations are aligned by them.

They only propose pairs. Whether two paired operations differ is decided by comparing them.
"""

from __future__ import annotations

from typing import Any

from tilewright.driver.diff.options import DiffOptions
from tilewright.ir import block as ir_block, walker
from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.traits import SymbolTable
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class Numbers:
    """Assigns numbers to keys, from 0 in the order of first use, so that they do not depend on hashes. A call
    with a key, which must be hashable, returns its number.
    """

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def __call__(self, key: Any) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


class Identities:
    """The numbers of all operations and blocks of a module.

    ``numbers`` must be shared by the modules that are compared.

    - ``whole``: everything: operands with their definitions, and nested operations.
    - ``own``: name, attributes, types, and the kinds of operations that define the operands.
    - ``name``: the name alone.
    - ``content``: like ``whole``, but neither operands nor the symbol name count: finds symbols under another name.
    - ``blocks``: the whole of every block.
    """

    def __init__(self, root: Operation, options: DiffOptions, numbers: Numbers) -> None:
        self.whole: dict[Operation, int] = {}
        self.own: dict[Operation, int] = {}
        self.name: dict[Operation, int] = {}
        self.content: dict[Operation, int] = {}
        self.blocks: dict[ir_block.Block, int] = {}
        self._root = root
        self._options = options
        self._numbers = numbers
        self._values: dict[Value, int] = {}
        self._heads: dict[Operation, tuple[Any, ...]] = {}
        self._known_attributes: dict[tuple[Any, ...], tuple[tuple[str, Attribute], ...]] = {}
        self._depth = 0
        walker.walk_with(root, walker.Visitor(enter=self._enter, leave=self._leave))

    def _enter(self, op: Operation) -> None:
        head = (op.name, self._attributes(op), op.result_types)
        operands = tuple([self._values.get(value, -1) for value in op.operands])
        self._heads[op] = (*head, operands, len(op.successors))
        makers = tuple([_maker(value) for value in op.operands])
        self.own[op] = self._numbers(("own", *head, op.operand_types, makers))
        self.name[op] = self._numbers(("name", op.name))
        self._depth += 1
        for number, region in enumerate(op.regions):
            for position, block in enumerate(region.blocks):
                for argument in block.arguments:
                    place = (self._depth, op.name, number, position, argument.index, argument.type)
                    self._values[argument] = self._numbers(("argument", place))

    def _attributes(self, op: Operation) -> tuple[tuple[str, Attribute], ...]:
        """Return the attributes of an operation that are compared, sorted by name. The result is cached for
        operations of the same kind and attributes.
        """
        if op is self._root:
            return self._sorted_attributes(op)
        key = (op.kind, *op.held_attributes.items())
        found = self._known_attributes.get(key)
        if found is None:
            found = self._known_attributes[key] = self._sorted_attributes(op)
        return found

    def _sorted_attributes(self, op: Operation) -> tuple[tuple[str, Attribute], ...]:
        return tuple(sorted(self._options.attributes(op, self._root).items(), key=_first))

    def _leave(self, op: Operation) -> None:
        self._depth -= 1
        regions = tuple([tuple([self._block(op, b) for b in region.blocks]) for region in op.regions])
        head = self._heads.pop(op)
        self.whole[op] = number = self._numbers(("whole", head, regions))
        name, attributes, types, *_ = head
        unnamed = tuple([entry for entry in attributes if entry[0] != "sym_name"])
        self.content[op] = self._numbers(("content", name, unnamed, types, regions))
        for result in op.results:
            self._values[result] = self._numbers(("result", number, result.index))

    def _block(self, owner: Operation, block: ir_block.Block) -> int:
        inner = [self.whole[op] for op in block]
        if owner.has_trait(SymbolTable):
            inner.sort()
        types = tuple([argument.type for argument in block.arguments])
        self.blocks[block] = number = self._numbers(("block", types, tuple(inner)))
        return number


def _first(entry: tuple[str, Any]) -> str:
    return entry[0]


def _maker(value: Value) -> str:
    """Return the name of the operation that defines a value, or "argument"."""
    owner = value.owner
    return owner.name if isinstance(owner, Operation) else "argument"
