"""Field specifiers: how an operation class states its operands, results, attributes, regions and successors.

    class AddFOp(TileOp):
        lhs: Value = operand_def(T, "The left-hand operand.")
        rounding_mode: RoundingMode = attr_def(EnumKind(RoundingModeAttr), "How the sum is rounded.")
        result: Value = result_def(T, "The sum.")

Everything else about the operation (accessors, builder, verifier, text, bytecode, reference page) is derived
from these.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Literal

from tilewright.ir.declaration.attribute_kind import AttributeKind, UnitKind
from tilewright.ir.declaration.constraint import ANY_TYPE, Constraint
from tilewright.ir.support.record import Record

ANY_ATTRIBUTE = AttributeKind()


class Arity(Enum):
    """The number of values of a field."""

    ONE = "one"
    OPTIONAL = "zero or one"
    VARIADIC = "any number"


class Missing:
    """Marks a field without default."""

    def __repr__(self) -> str:
        return "<required>"


MISSING = Missing()


class OpField(Record, eq=False):
    """The base of all fields: a name, a text (``doc``), the version that introduced the field (``since``;
    None: the first), and whether builders take the field by name only (``kw_only``).

    ``python_name`` is the name in the class body; a trailing underscore, there to avoid a keyword
    (``from_``), is not part of ``name``.
    """

    doc: str
    name: str = ""
    python_name: str = ""
    since: Any = None
    """The version that brought the field, in whatever form the dialect counts versions; None: always there."""
    kw_only: bool = False
    """Whether builders take the field by name only."""


class OperandField(OpField):
    """A field for one operand, an optional operand or any number of operands, as ``arity`` says.
    ``constraint`` restricts their types.
    """

    constraint: Constraint = ANY_TYPE
    arity: Arity = Arity.ONE


class ResultField(OpField):
    """A field for one result, an optional result or any number of results, as ``arity`` says. ``constraint``
    restricts their types.
    """

    constraint: Constraint = ANY_TYPE
    arity: Arity = Arity.ONE


class AttributeField(OpField):
    """A field for an inherent attribute, whose values are of the kind ``kind``. ``default`` (an attribute, or
    None) applies when the attribute is absent; `MISSING` says that it is required. ``optional`` says that the
    attribute may be absent, and that absence differs from every value. ``ir_name`` is the name in the
    attribute dictionary.
    """

    kind: AttributeKind = ANY_ATTRIBUTE
    optional: bool = False
    default: Any = MISSING
    ir_name: str = ""


class RegionField(OpField):
    """A field for a region, or for any number of regions if it is ``variadic``; ``single_block`` regions have
    exactly one block, and with ``optional`` a region may have none.
    """

    single_block: bool = True
    optional: bool = False
    variadic: bool = False
    ir_name: str = ""
    """The name in diagnostics; by default the field's own in camel case."""


class SuccessorField(OpField):
    """A field for a successor block, or for any number of them, as ``arity`` says."""

    arity: Arity = Arity.ONE


def operand_def(constraint: Constraint = ANY_TYPE, doc: str = "", *, since: Any = None) -> Any:
    """Declare a required operand whose type matches ``constraint``; ``doc`` is its text in reference pages.
    ``since`` is the version that introduced the field; None: it was always there.
    """
    return OperandField(doc, "", "", since, False, constraint, Arity.ONE)


def optional_operand_def(
    constraint: Constraint = ANY_TYPE, doc: str = "", *, since: Any = None, default: Any = None
) -> Any:
    """Declare an operand that may be absent (the accessor then returns None); otherwise its type matches
    ``constraint``. ``since`` is the version that introduced the field; None: it was always there. ``default``
    is for type checkers only.
    """
    return OperandField(doc, "", "", since, False, constraint, Arity.OPTIONAL)


def variadic_operand_def(
    constraint: Constraint = ANY_TYPE, doc: str = "", *, since: Any = None, default: Any = ()
) -> Any:
    """Declare a group of any number of operands (the accessor returns a tuple), whose types match
    ``constraint``. ``since`` is the version that introduced the field; None: it was always there. ``default``
    is for type checkers only.
    """
    return OperandField(doc, "", "", since, False, constraint, Arity.VARIADIC)


def result_def(
    constraint: Constraint = ANY_TYPE, doc: str = "", *, since: Any = None, init: Literal[False] = False
) -> Any:
    """Declare a required result whose type matches ``constraint``; builders infer its type or take it from
    ``result_types``. ``since`` is the version that introduced the field; None: it was always there. ``init``
    is for type checkers only.
    """
    return ResultField(doc, "", "", since, False, constraint, Arity.ONE)


def optional_result_def(
    constraint: Constraint = ANY_TYPE, doc: str = "", *, since: Any = None, init: Literal[False] = False
) -> Any:
    """Declare a result that may be absent (the accessor then returns None); otherwise its type matches
    ``constraint``. ``since`` is the version that introduced the field; None: it was always there. ``init`` is
    for type checkers only.
    """
    return ResultField(doc, "", "", since, False, constraint, Arity.OPTIONAL)


def variadic_result_def(
    constraint: Constraint = ANY_TYPE, doc: str = "", *, since: Any = None, init: Literal[False] = False
) -> Any:
    """Declare a group of any number of results (the accessor returns a tuple), whose types match
    ``constraint``. ``since`` is the version that introduced the field; None: it was always there. ``init`` is
    for type checkers only.
    """
    return ResultField(doc, "", "", since, False, constraint, Arity.VARIADIC)


def attr_def(
    kind: AttributeKind,
    doc: str = "",
    *,
    default: Any = MISSING,
    since: Any = None,
    ir_name: str = "",
    kw_only: bool = False,
) -> Any:
    """Declare an inherent attribute of the kind ``kind``, which is required unless a ``default`` is given: a
    Python value of the kind, or None. The accessor returns the default if the attribute is absent. ``since``
    is the version that introduced the field; None: it was always there. ``ir_name`` is its name in the
    attribute dictionary, by default the name of the field. With ``kw_only``, builders take it by name only.
    """
    value = default if default is MISSING or default is None else kind.to_attribute(default)
    return AttributeField(doc, "", "", since, kw_only, kind, False, value, ir_name)


def optional_attr_def(
    kind: AttributeKind,
    doc: str = "",
    *,
    default: Any = None,
    since: Any = None,
    ir_name: str = "",
    kw_only: Literal[True] = True,
) -> Any:
    """Declare an inherent attribute of the kind ``kind`` that may be absent (the accessor then returns None).
    ``since`` is the version that introduced the field; None: it was always there. ``ir_name`` is its name in
    the attribute dictionary, by default the name of the field; builders take it by name only if ``kw_only``
    is set, as it is by default. ``default`` is for type checkers only.
    """
    return AttributeField(doc, "", "", since, kw_only, kind, True, None, ir_name)


def flag_def(
    doc: str = "",
    *,
    default: bool = False,
    since: Any = None,
    ir_name: str = "",
    kw_only: Literal[True] = True,
) -> Any:
    """Declare a unit attribute, which the accessor returns as a bool: True if the attribute is present.
    ``since`` is the version that introduced the field; None: it was always there. ``ir_name`` is its name in
    the attribute dictionary, by default the name of the field; builders take it by name only if ``kw_only``
    is set, as it is by default. ``default`` is for type checkers only.
    """
    return AttributeField(doc, "", "", since, kw_only, UnitKind(), True, None, ir_name)


def region_def(doc: str = "", *, single_block: bool = True, ir_name: str = "", kw_only: bool = True) -> Any:
    """Declare a region of the operation. With ``single_block`` it has exactly one block. ``ir_name`` is its
    name in diagnostics, by default the name of the field in camel case. ``kw_only`` is for type checkers
    only: constructors take regions by name.
    """
    return RegionField(doc, single_block=single_block, ir_name=ir_name)


def optional_region_def(
    doc: str = "", *, single_block: bool = True, default: Any = None, kw_only: bool = True
) -> Any:
    """Declare a region that may have no block; with ``single_block`` it has at most one. If the constructor
    gets no region, the accessor returns a region without blocks. ``default`` and ``kw_only`` are for type
    checkers only.
    """
    return RegionField(doc, single_block=single_block, optional=True)


def variadic_region_def(
    doc: str = "", *, single_block: bool = True, default: Any = (), kw_only: bool = True
) -> Any:
    """Declare a field for any number of regions, the last of the operation's regions; the accessor returns a
    tuple. With ``single_block`` each has exactly one block. ``default`` and ``kw_only`` are for type checkers
    only.
    """
    return RegionField(doc, single_block=single_block, variadic=True)


def successor_def(doc: str = "", *, kw_only: bool = True) -> Any:
    """Declare a successor block of the operation. ``kw_only`` is for type checkers only: constructors take
    successors by name.
    """
    return SuccessorField(doc)


def variadic_successor_def(doc: str = "", *, default: Any = (), kw_only: bool = True) -> Any:
    """Declare a field for any number of successor blocks, the last of the operation's successors; the
    accessor returns a tuple. ``default`` and ``kw_only`` are for type checkers only.
    """
    return SuccessorField(doc, arity=Arity.VARIADIC)


def builder_option(
    *, default: Any, converter: Callable[[Any], Any] | None = None, kw_only: Literal[True] = True
) -> Any:
    """Declare a constructor argument of every operation for type checkers; it is not a field. Return
    ``default``; the other arguments are read by type checkers only.
    """
    return default
