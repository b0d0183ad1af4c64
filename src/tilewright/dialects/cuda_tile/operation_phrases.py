"""Phrases for operations in the messages of checks, in the terms of cuTile and Triton programs."""

from __future__ import annotations

from tilewright.dialects.cuda_tile.enums import IntegerOverflow, Signedness
from tilewright.ir.operation import Operation

_ORDERED = "_tko"
"""The suffix of the names of operations that tokens order."""

WORDS = {
    "addf": "sum",
    "addi": "sum",
    "assume": "promise",
    "divf": "division",
    "divi": "integer division",
    "extract": "slice of a tile",
    "fma": "multiplication and addition",
    "ftof": "conversion of a float",
    "ftoi": "conversion to an integer",
    "get_index_space_shape": "number of tiles",
    "get_tensor_shape": "shape of an array",
    "insert": "slice of a tile",
    "itof": "conversion to a float",
    "load_ptr": "load",
    "load_view": "load",
    "log": "logarithm",
    "log2": "binary logarithm",
    "make_tensor_view": "array",
    "mmaf": "matrix product",
    "mmaf_scaled": "matrix product",
    "mmai": "matrix product",
    "mulf": "product",
    "muli": "product",
    "negi": "negation",
    "pow": "power",
    "reduce": "reduction",
    "remf": "remainder",
    "remi": "remainder",
    "rsqrt": "inverse square root",
    "shli": "left shift",
    "shri": "right shift",
    "sqrt": "square root",
    "store_ptr": "store",
    "store_view": "store",
    "subf": "difference",
    "subi": "difference",
    "trunci": "conversion to a narrower integer",
}
"""Mnemonic without the suffix ``_tko`` -> phrase, for mnemonics that are not English words."""


def operation_words(op: Operation) -> str:
    """Return a phrase for an operation in messages: ``division`` for `cuda_tile.divf`. A name that is not in
    `WORDS` is split at its underscores.
    """
    name = op.kind.mnemonic.removesuffix(_ORDERED)
    return WORDS.get(name) or name.replace("_", " ")


NOT_FITTING = {
    "none": "the result may be anything",
    "no_signed_wrap": "the signed result does not fit its type",
    "no_unsigned_wrap": "the unsigned result does not fit its type",
    "no_wrap": "the result does not fit its type",
}
"""Text of the attribute ``overflow`` of an integer operation -> message if that assumption is false."""


def reads_unsigned(op: Operation) -> bool:
    """Return whether an operation reads its integer operands as unsigned numbers: its `signedness` is
    unsigned, or its overflow assumption is `no_unsigned_wrap` alone.
    """
    readings = getattr(op, "signedness", None), getattr(op, "overflow", None)
    return Signedness.UNSIGNED in readings or IntegerOverflow.NO_UNSIGNED_WRAP in readings
