"""Symbols: names of operations inside a symbol table, and references to them."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import ArrayAttr, DictionaryAttr, StringAttr, SymbolRefAttr
from tilewright.ir.declaration.traits import SymbolTable as SymbolTableTrait, symbol_name
from tilewright.ir.operation import Operation


class SymbolTable:
    """The symbols directly inside the operation `op`, kept up to date by its own methods. Of several with one
    name, it has the first. Raises `ValueError` if `op` has not the trait of symbol tables.
    """

    def __init__(self, op: Operation) -> None:
        if not op.kind.has_trait(SymbolTableTrait):
            raise ValueError(f"'{op.name}' is not a symbol table")
        self.op = op
        self._symbols: dict[str, Operation] = {}
        for inner in op.regions[0].blocks[0] if op.regions[0].blocks else ():
            name = symbol_name(inner)
            if name is not None:
                self._symbols.setdefault(name, inner)

    def lookup(self, name: str) -> Operation | None:
        """Return the operation whose symbol name is ``name``; None if there is none."""
        return self._symbols.get(name)

    def insert(self, op: Operation) -> str:
        """Enter an operation, renamed (``name_0``, ``name_1``, ...) if its name is taken, and append it to
        the body if it is in no block; return the name.

        Raises `ValueError` for an operation without a symbol name.
        """
        base = symbol_name(op)
        if base is None:
            raise ValueError(f"'{op.name}' has no symbol name")
        name, counter = base, 0
        while self._symbols.get(name, op) is not op:
            name = f"{base}_{counter}"
            counter += 1
        op.attributes["sym_name"] = StringAttr(name)
        self._symbols[name] = op
        if op.parent is None:
            body = self.op.regions[0]
            (body.entry or body.append(Block())).append(op)
        return name

    def erase(self, op: Operation) -> None:
        """Remove a symbol and destroy its operation; references to it stay. Raises `ValueError` if the
        results of the operation have uses.
        """
        name = symbol_name(op)
        if name is not None and self._symbols.get(name) is op:
            del self._symbols[name]
        op.erase()

    def __iter__(self) -> Iterator[tuple[str, Operation]]:
        return iter(self._symbols.items())


def nearest_symbol_table(op: Operation) -> Operation | None:
    """Return the operation itself if it is a symbol table, else the innermost one around it; None if there is
    none.
    """
    if op.kind.has_trait(SymbolTableTrait):
        return op
    return next((a for a in op.ancestors() if a.kind.has_trait(SymbolTableTrait)), None)


def lookup_symbol(origin: Operation, reference: SymbolRefAttr | str) -> Operation | None:
    """Return the operation that a reference names; None if no symbol table has it.

    The symbol tables around ``origin``, itself included, are searched from the inside out; the names after
    the first are looked up inside the symbol before them.
    """
    path = (reference,) if isinstance(reference, str) else (reference.root, *reference.nested)
    table = nearest_symbol_table(origin)
    while table is not None:
        found = _resolve(table, path)
        if found is not None:
            return found
        parent = table.parent_op
        table = nearest_symbol_table(parent) if parent is not None else None
    return None


def _resolve(table: Operation, path: tuple[str, ...]) -> Operation | None:
    current: Operation | None = table
    for name in path:
        if current is None or not current.kind.has_trait(SymbolTableTrait):
            return None
        blocks = current.regions[0].blocks
        current = next((op for op in (blocks[0] if blocks else ()) if symbol_name(op) == name), None)
    return current


def symbol_uses(root: Operation) -> Iterator[tuple[Operation, SymbolRefAttr]]:
    """Yield every symbol reference in the attributes of ``root`` and of the operations inside it, as
    (operation, reference).
    """
    for op in root.walk():
        for attribute in op.held_attributes.values():
            for reference in symbol_references(attribute):
                yield op, reference


def symbol_references(attribute: Attribute) -> Iterator[SymbolRefAttr]:
    """Yield the symbol references in an attribute, in order: the attribute itself, or elements of an array or
    dictionary, nested elements included.
    """
    pending = [attribute]
    while pending:
        current = pending.pop()
        if isinstance(current, SymbolRefAttr):
            yield current
        elif isinstance(current, ArrayAttr):
            pending.extend(reversed(current.elements))
        elif isinstance(current, DictionaryAttr):
            pending.extend(value for _, value in reversed(current.entries))
