"""References to symbols: checked once per symbol table, after everything inside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tilewright.ir.operation import Operation
from tilewright.ir.traits import SymbolTable, Trait, VerifyError, symbol_name

Symbols = Mapping[str, Operation]


class SymbolUser(Trait):
    """Refers to a symbol; the op class has ``verify_symbol_uses(symbols)``."""


def symbols_of(table: Operation) -> dict[str, Operation]:
    """The symbols that stand directly in a symbol table, by name."""
    blocks = table.regions[0].blocks if table.regions else ()
    named = ((symbol_name(op), op) for op in (blocks[0] if blocks else ()))
    return {name: op for name, op in named if name is not None}


def check_symbol_users(table: Operation) -> None:
    """Let every user of symbols in a table check its references; tables inside check their own."""
    users = list(_symbol_users(table))
    if not users:
        return
    symbols = symbols_of(table)
    for user in users:
        try:
            user.verify_symbol_uses(symbols)
        except VerifyError as error:
            raise _at(user, error) from None


def _symbol_users(table: Operation) -> Iterator[Any]:
    pending = [table]
    while pending:
        for region in pending.pop().regions:
            for block in region.blocks:
                for op in block:
                    if SymbolUser in op.kind.trait_classes:
                        yield op
                    if op.regions and SymbolTable not in op.kind.trait_classes:
                        pending.append(op)


def _at(user: Operation, error: VerifyError) -> VerifyError:
    """The error of a user, as reported for the table: it names the user itself."""
    notes = (("in this reference", user.location), *error.notes)
    return VerifyError(f"'{user.name}' op {error.message}", notes=notes, hint=error.hint, prefix=False)
