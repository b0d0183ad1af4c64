"""Rules of all operations that are functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from tilewright.ir.attribute import Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import DictionaryAttr
from tilewright.ir.builtin_types import FunctionType
from tilewright.ir.declaration.traits import SymbolTable, Trait, VerifyError, symbol_name
from tilewright.ir.operation import Operation


class FunctionLike(Protocol):
    """A function operation whose type is a builtin `FunctionType`, such as `func.func`: its
    ``function_type``, its ``body``, and the attribute dictionaries of its arguments (``arg_attrs``) and
    results (``res_attrs``), None without any. `llvm.func`, which has a type of its own, is none.
    """

    arg_attrs: tuple[DictionaryAttr, ...] | None
    body: Region
    function_type: FunctionType
    res_attrs: tuple[DictionaryAttr, ...] | None


class NamedFunction(Protocol):
    """A function operation: its symbol name (``sym_name``), and its builtin type (``function_type``)."""

    function_type: FunctionType
    sym_name: str


def check_function(op: FunctionLike) -> None:
    """Raise `VerifyError` unless the argument and result attributes and the entry block fit the type of a
    function. A function without a body has no entry block to check.
    """
    signature: FunctionType = op.function_type
    check_dictionaries(op.arg_attrs, "argument", len(signature.inputs))
    check_dictionaries(op.res_attrs, "result", len(signature.results))
    _check_entry_block(op.body, signature)


def check_dictionaries(dictionaries: tuple[DictionaryAttr, ...] | None, word: str, count: int) -> None:
    """Raise `VerifyError` unless there are no dictionaries, or one for each of `count` arguments or results,
    whose attribute names all have a dialect prefix. `word` names them in messages.
    """
    if dictionaries is None:
        return
    if len(dictionaries) != count:
        raise VerifyError(
            f"expects {word} attribute array to have the same number of elements as the number of function "
            f"{word}s, got {len(dictionaries)}, but expected {count}"
        )
    if any("." not in name for dictionary in dictionaries for name, _ in dictionary):
        raise VerifyError(f"{word}s may only have dialect attributes")


def _check_entry_block(body: Region, signature: FunctionType) -> None:
    blocks = body.blocks
    if not blocks:
        return
    arguments = blocks[0].arguments
    if len(arguments) != len(signature.inputs):
        raise VerifyError(
            f"entry block must have {len(signature.inputs)} arguments to match function signature"
        )
    for number, (argument, type) in enumerate(zip(arguments, signature.inputs, strict=True)):
        if argument.type is not type:
            raise VerifyError(
                f"type of entry block argument #{number}('{argument.type}') must match the type of the "
                f"corresponding argument in function signature('{type}')"
            )


def check_call(op: Operation, signature: FunctionType) -> None:
    """Raise `VerifyError` unless the operands and results of a call match the function's signature."""
    if len(op.operands) != len(signature.inputs):
        raise VerifyError("incorrect number of operands for callee")
    for number, (given, wanted) in enumerate(zip(op.operand_types, signature.inputs, strict=True)):
        if given is not wanted:
            raise VerifyError(
                f"operand type mismatch: expected operand type '{wanted}', but provided '{given}' "
                f"for operand number {number}"
            )
    if len(op.results) != len(signature.results):
        raise VerifyError("incorrect number of results for callee")
    for number, (given, wanted) in enumerate(zip(op.result_types, signature.results, strict=True)):
        if given is not wanted:
            notes = (f"      op result types: {_listed(op.result_types)}",)
            notes = (*notes, f"function result types: {_listed(signature.results)}")
            located = tuple((note, op.location) for note in notes)
            raise VerifyError(f"result type mismatch at index {number}", notes=located)


def _listed(types: Sequence[Type]) -> str:
    return ", ".join(f"'{type}'" for type in types)


def check_returned(op: Operation, function: NamedFunction) -> None:
    """Raise `VerifyError` unless the operands of a return have the number and types of the results of the
    function around it.
    """
    wanted, name = function.function_type.results, function.sym_name
    if len(op.operands) != len(wanted):
        raise VerifyError(
            f"has {len(op.operands)} operands, but enclosing function (@{name}) returns {len(wanted)}"
        )
    for number, (given, type) in enumerate(zip(op.operand_types, wanted, strict=True)):
        if given is not type:
            raise VerifyError(
                f"type of return operand {number} ('{given}') doesn't match function result type "
                f"('{type}') in function @{name}",
                prefix=False,
            )


Symbols = Mapping[str, Operation]


class VerifiesSymbolUses(Trait):
    """A trait of operations that refer to symbols: the op class has a method ``verify_symbol_uses(symbols)``,
    which gets the operations of the enclosing symbol table by name, and raises `VerifyError`.
    """


def symbols_of(table: Operation) -> dict[str, Operation]:
    """Return the symbols directly in the first block of a symbol table, by name."""
    blocks = table.regions[0].blocks if table.regions else ()
    named = ((symbol_name(op), op) for op in (blocks[0] if blocks else ()))
    return {name: op for name, op in named if name is not None}


def check_symbol_users(table: Operation) -> None:
    """Call `verify_symbol_uses` of every operation inside `table` that refers to its symbols. Nested symbol
    tables verify their own users. Raises `VerifyError`.
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
    """Yield the operations inside a symbol table that refer to symbols, and whether they can refer to the
    symbols of this table.

    That is False inside of the only region of an unregistered operation, which may be a symbol table itself.
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
