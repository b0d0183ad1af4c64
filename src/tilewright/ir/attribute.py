"""Bases of attributes and types, and the hooks that give them a text form."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from tilewright.ir.support.progress import Entered
from tilewright.ir.uniquer import Uniqued

if TYPE_CHECKING:
    from tilewright.ir.context import Context
    from tilewright.ir.text.parser import AttributeParser
    from tilewright.ir.text.printer import Printer


class Attribute(Uniqued):
    """A compile-time value attached to operations, or a type: immutable, uniqued, compared with ``is``.

    ``name`` is the full mnemonic, dialect first (``cuda_tile.rounding``). Attributes print as
    ``#name<parameters>`` and types as ``!name<parameters>``; parameters that begin with a word are in the
    brackets together with the mnemonic: ``#gpu<dim x>``. Builtin attributes and types have their own
    spelling.
    """

    name: ClassVar[str] = ""

    @property
    def spelled_name(self) -> str:
        """The name as text shows it; a class overrides it where the mnemonic depends on the parameters (``i32``)."""
        return self.name

    def print_parameters(self, printer: Printer) -> None:
        """Print the text after the mnemonic, brackets included; nothing for an attribute without parameters."""

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        """Parse the text that `print_parameters` prints, and return the attribute. Raises `DiagnosticError`
        for other text.
        """
        return cls()

    @classmethod
    def parse(cls, text: str, context: Context | None = None) -> Self:
        """Return the attribute or type of this class that `text` spells.

        Names are looked up in ``context``, by default the context entered by ``with``. Raises
        `DiagnosticError` for malformed text, `TypeError` for an attribute of another class, and `ValueError`
        without any context.
        """
        from tilewright.ir.context import Context
        from tilewright.ir.text.parser import parse_attribute, parse_type

        known = context or Context.current
        if known is None:
            raise ValueError("there is no context: pass one, or enter one with 'with tilewright.Context():'")
        found: Attribute = (parse_type if issubclass(cls, Type) else parse_attribute)(known, text)
        if not isinstance(found, cls):
            raise TypeError(f"'{text}' is of class {type(found).__name__}, not {cls.__name__}")
        return cast("Self", found)

    def __str__(self) -> str:
        from tilewright.ir.text.printer import attribute_text

        return attribute_text(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


class Type(Attribute):
    """The type of a value. Dialect types print as ``!name<parameters>``, or ``!dialect<mnemonic parameters>``
    if the parameters begin with a word.
    """


class EnumAttribute(Attribute):
    """An attribute that holds one case of a Python enum; prints as ``#name<case>``.

    The enum's values are the numbers of the cases in bytecode; the lower-case member name is the text.
    Subclasses set ``enumeration``. Raises `TypeError` for a value of another enum.
    """

    value: enum.Enum
    enumeration: ClassVar[type[enum.Enum]]
    is_number: ClassVar[bool] = False
    """Whether MLIR's text gives the number of the case: ``0 : i32``."""

    def verify_parameters(self) -> None:
        if not isinstance(self.value, self.enumeration):
            raise TypeError(f"{type(self).__name__} takes a {self.enumeration.__name__}, got {self.value!r}")

    @classmethod
    def case(cls, text: str) -> enum.Enum | None:
        """Return the enum case spelt ``text``, in any case of letters; None if there is none."""
        return cls.enumeration.__members__.get(text.upper())

    @classmethod
    def cases(cls) -> list[str]:
        """Return the spellings of all cases, in the order of their declaration."""
        return [member.name.lower() for member in cls.enumeration]

    @property
    def text(self) -> str:
        """The spelling of this case."""
        return self.value.name.lower()

    def print_parameters(self, printer: Printer) -> None:
        printer.write(f"<{self.text}>")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        text = parser.expect_keyword()
        value = cls.case(text)
        if value is None:
            expected = ", ".join(cls.cases())
            raise parser.error(f"expected one of {expected} for #{cls.name}, got '{text}'")
        parser.expect(">")
        return cls(value)


class BitEnumAttribute(Attribute):
    """An attribute for a set of flags of a Python `enum.Flag`; prints as ``#name<flag, flag>``.

    Lower-case member names are the text. A member of several bits is a group: it is printed instead of its
    members if all of them are set. The member of value 0 spells the empty set. Subclasses set
    ``enumeration``. Raises `TypeError` for a value of another enum.
    """

    value: enum.Flag
    enumeration: ClassVar[type[enum.Flag]]
    separator: ClassVar[str] = ", "

    def verify_parameters(self) -> None:
        if not isinstance(self.value, self.enumeration):
            raise TypeError(f"{type(self).__name__} takes {self.enumeration.__name__}, got {self.value!r}")

    @classmethod
    def case(cls, text: str) -> enum.Flag | None:
        """Return the flag or group spelt ``text``, in any case of letters; None if there is none."""
        return cls.enumeration.__members__.get(text.upper())

    @classmethod
    def cases(cls) -> list[str]:
        """Return all spellings in the order of their declaration."""
        return [name.lower() for name in cls.enumeration.__members__]

    @property
    def text(self) -> str:
        """The spelling of this set: its groups and flags, joined by ``separator``; members with more bits
        come first.
        """
        rest = self.value
        names: list[str] = []
        members = self.enumeration.__members__.values()
        for member in sorted(members, key=lambda member: -member.value.bit_count()):
            if member in rest and (member.value or not self.value.value):
                names.append((member.name or "").lower())
                rest &= ~member
        return self.separator.join(names)

    def print_parameters(self, printer: Printer) -> None:
        printer.write(f"<{self.text}>")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        value = cls.enumeration(0)
        while True:
            text = parser.expect_keyword()
            flag = cls.case(text)
            if flag is None:
                expected = ", ".join(cls.cases())
                raise parser.error(f"expected one of {expected} for #{cls.name}, got '{text}'")
            value |= flag
            if not parser.accept(","):
                break
        parser.expect(">")
        return cls(value)


_ENTERED: Entered[Location] = Entered("locations")


class Location(Attribute):
    """The origin of an operation or a value.

    Kinds are in `tilewright.ir.location`; dialects may add their own. In a ``with`` block it is the location
    of the operations that `Operation.create` makes.
    """

    current = _ENTERED
    """The location of the innermost ``with`` block, or None."""

    def __enter__(self) -> Self:
        _ENTERED.enter(self)
        return self

    def __exit__(self, *_: object) -> None:
        _ENTERED.leave()

    @staticmethod
    def unknown() -> Location:
        """Return the unknown location."""
        from tilewright.ir.location import UNKNOWN  # kinds of locations are made of this class

        return UNKNOWN

    @property
    def source(self) -> tuple[str, int, int] | None:
        """The file, line and column (from 1) of the innermost source position; None if unknown."""
        return None

    @property
    def callers(self) -> tuple[Location, ...]:
        """The locations of the calls that led to `source`, innermost first; empty unless code was inlined."""
        return ()


def mnemonic(attribute_class: type[Attribute]) -> tuple[str, str]:
    """Return the dialect and the short name of an attribute or type class: ``("cuda_tile", "rounding")``. The
    short name is empty if the name has no dot.
    """
    dialect, _, short = attribute_class.name.partition(".")
    return dialect, short


def is_type(value: Any) -> bool:
    """Return whether a value is a type (types are attributes, too)."""
    return isinstance(value, Type)


class SharedAttributes(dict[str, Attribute]):
    """Attributes that several operations share. They never change, and as a key compare by identity."""

    __slots__ = ()

    if not TYPE_CHECKING:
        __hash__ = object.__hash__


NO_ATTRIBUTES = SharedAttributes()
"""The empty dictionary that all operations without attributes share."""
