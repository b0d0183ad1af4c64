"""Rules of all operations that are functions."""

from __future__ import annotations

from typing import Protocol

from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import DictionaryAttr
from tilewright.ir.builtin_types import FunctionType
from tilewright.ir.declaration.traits import VerifyError


class FunctionLike(Protocol):
    """A function with attributes of its arguments and results."""

    arg_attrs: tuple[DictionaryAttr, ...] | None
    body: Region
    function_type: FunctionType
    res_attrs: tuple[DictionaryAttr, ...] | None


def check_function(op: FunctionLike) -> None:
    """Raise unless argument attributes and the entry block fit the type of a function."""
    signature: FunctionType = op.function_type
    check_dictionaries(op.arg_attrs, "argument", len(signature.inputs))
    check_dictionaries(op.res_attrs, "result", len(signature.results))
    _check_entry_block(op.body, signature)


def check_dictionaries(dictionaries: tuple[DictionaryAttr, ...] | None, word: str, count: int) -> None:
    """Raise unless there is one dictionary per argument or result, with names of dialects only."""
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
