"""Dead symbol elimination: private symbols without references are erased."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from tilewright.ir.attribute import EnumAttribute
from tilewright.ir.builtin_attributes import SymbolRefAttr
from tilewright.ir.declaration.traits import Symbol, SymbolTable, symbol_name
from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.operation import Operation
from tilewright.ir.symbol_table import lookup_symbol, nearest_symbol_table, symbol_references
from tilewright.passes import codes
from tilewright.passes.pass_ import Pass, PassState

VISIBILITY_NAMES = ("sym_visibility", "symbol_visibility")
"""The attribute of a symbol's visibility: MLIR's name for it, and Tile IR's."""


@dataclass(frozen=True)
class SymbolDCE(Pass):
    """Erases unreferenced private symbols, and unreferenced symbols of the visibility `nested` if their table
    is not visible from outside. Public symbols stay, unless a symbol around them is erased. References from
    dead code do not count. Fails for an operation that is no symbol table.
    """

    name: ClassVar[str] = "symbol-dce"

    def run(self, op: Operation, state: PassState) -> None:
        if not op.kind.has_trait(SymbolTable):
            message = f"was scheduled to run under '{op.name}', but does not define a symbol table"
            raise state.fail(Diagnostic(Severity.ERROR, message, op.location, codes.PASS_FAILED))
        live = _live_symbols(op)
        dead = [inner for inner in _nested_symbols(op) if inner not in live]
        for symbol in dead:
            symbol.drop_all_references()
        for symbol in dead:
            symbol.erase()
        state.count("num-dce'd", len(dead))


def _visibility(op: Operation) -> str:
    held = op.held_attributes
    attribute: Any = next((held[name] for name in VISIBILITY_NAMES if name in held), None)
    if attribute is None:
        return "public"
    text = attribute.text if isinstance(attribute, EnumAttribute) else getattr(attribute, "value", "public")
    return str(text).lower()


def _is_symbol(op: Operation) -> bool:
    return op.kind.has_trait(Symbol) and symbol_name(op) is not None


def _contents(table: Operation) -> Iterator[Operation]:
    for region in table.regions:
        for block in region.blocks:
            yield from block


def _nested_symbols(table: Operation) -> Iterator[Operation]:
    """Yield the symbols in a table and in the tables inside it, also symbols inside other symbols."""
    for op in table.walk():
        parent = op.parent_op
        if op is not table and parent is not None and parent.kind.has_trait(SymbolTable) and _is_symbol(op):
            yield op


class _SymbolLiveness:
    """Marks the operations that are live, starting from visible symbols."""

    def __init__(self, root: Operation) -> None:
        self.root = root
        self.live: set[Operation] = set()
        self.pending: list[Operation] = []
        self.hidden: dict[Operation, bool] = {}

    def mark(self, op: Operation) -> None:
        """Mark an operation as live; the symbols that it refers to are marked later."""
        if op not in self.live:
            self.live.add(op)
            self.pending.append(op)

    def scan(self, table: Operation) -> None:
        """Mark the operations directly in a table that are live without references: all that are no symbols,
        public symbols, and nested symbols if the table is visible from outside.
        """
        hidden = self.is_hidden(table)
        for op in _contents(table):
            visibility = _visibility(op)
            discardable = visibility == "private" or (hidden and visibility == "nested")
            if not _is_symbol(op) or not discardable:
                self.mark(op)

    def is_hidden(self, table: Operation) -> bool:
        """Return whether nothing outside of ``root`` can refer to the `nested` symbols of `table`: an
        operation from `table` up to ``root`` that holds symbols is private, or is no symbol itself. Results
        are cached in ``hidden``.
        """
        chain: list[Operation] = []
        current: Operation | None = table
        while current is not None and current not in self.hidden:
            chain.append(current)
            current = nearest_symbol_table(current.parent_op) if current.parent_op is not None else None
            if chain[-1] is self.root:
                break
        around = current is not None and self.hidden.get(current, False)
        for op in reversed(chain):
            alone = op.parent_op is None or not _is_symbol(op)
            around = self.hidden[op] = around or alone or _visibility(op) == "private"
        return self.hidden[table]


def _live_symbols(root: Operation) -> set[Operation]:
    """Return the live operations among those directly in the symbol tables inside of ``root``."""
    liveness = _SymbolLiveness(root)
    liveness.scan(root)
    while liveness.pending:
        op = liveness.pending.pop()
        if op.kind.has_trait(SymbolTable):
            liveness.scan(op)
        for user in _outside_of_tables(op, liveness):
            _mark_uses(user, liveness)
    return liveness.live


def _outside_of_tables(op: Operation, liveness: _SymbolLiveness) -> list[Operation]:
    """Return ``op`` and its nested operations, without the contents of nested symbol tables; these tables are
    marked as live.
    """
    found: list[Operation] = []
    pending = [op]
    while pending:
        current = pending.pop()
        found.append(current)
        if not current.kind.has_trait(SymbolTable):
            pending.extend(_contents(current))
        elif current is not op:
            liveness.mark(current)
    return found


def _mark_uses(user: Operation, liveness: _SymbolLiveness) -> None:
    """Mark the symbols that an operation refers to as live, with the tables around them."""
    for attribute in user.attributes.values():
        for reference in symbol_references(attribute):
            for length in range(len(reference.nested) + 1):
                path = SymbolRefAttr(reference.root, reference.nested[:length])
                target = lookup_symbol(user.parent_op or user, path)
                if target is not None:
                    liveness.mark(target)
