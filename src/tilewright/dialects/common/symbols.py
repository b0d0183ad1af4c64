"""References to symbols: checked once per symbol table, after everything inside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tilewright.ir.declaration.traits import SymbolTable, Trait, VerifyError, symbol_name
from tilewright.ir.operation import Operation

Symbols = Mapping[str, Operation]


class VerifiesSymbolUses(Trait):
    """Refers to a symbol; the op class has ``verify_symbol_uses(symbols)``."""


def symbols_of(table: Operation) -> dict[str, Operation]:
    """Return the symbols directly in a symbol table, by name."""
    blocks = table.regions[0].blocks if table.regions else ()
    named = ((symbol_name(op), op) for op in (blocks[0] if blocks else ()))
    return {name: op for name, op in named if name is not None}


def check_symbol_users(table: Operation) -> None:
    """Verify the references of every user of symbols in a table; tables inside verify their own.

    Raises `VerifyError`.
    """
    users = list(_symbol_users(table))
    if not users:
        return
    symbols = symbols_of(table)
    for user, reaches in users:
        try:
            user.verify_symbol_uses(symbols if reaches else {})
        except VerifyError as error:
            error.op = error.op or user
            raise


def _symbol_users(table: Operation) -> Iterator[tuple[Any, bool]]:
    """Yield the users of symbols inside a table, and whether the symbols of the table reach them.

    They do not reach into the only region of an unknown operation: that may be a symbol table itself.
    """
    pending = [(table, True)]
    while pending:
        outer, reaches = pending.pop()
        reaches = reaches and (outer.kind.is_registered or len(outer.regions) > 1)
        for region in outer.regions:
            for block in region.blocks:
                op = block.first
                while op is not None:
                    traits = op.kind.trait_classes
                    if VerifiesSymbolUses in traits:
                        yield op, reaches
                    if op.regions and SymbolTable not in traits:
                        pending.append((op, reaches))
                    op = op.next
