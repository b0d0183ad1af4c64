"""Text of types, attributes and locations.

One table maps each builtin class to the function that spells it; classes of dialects print their mnemonic and then
themselves, through `Attribute.print_parameters`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.builtin_attributes import (
    ArrayAttr,
    DenseArrayAttr,
    DenseElementsAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    OpaqueAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from tilewright.ir.builtin_types import (
    DYNAMIC,
    ComplexType,
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefLayout,
    MemRefType,
    NoneType,
    OpaqueType,
    RankedTensorType,
    TupleType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
    f64,
    i1,
    i64,
)
from tilewright.ir.location import (
    UNKNOWN,
    CallSiteLocation,
    FileLineColLocation,
    FusedLocation,
    NameLocation,
    UnknownLocation,
)
from tilewright.ir.text import literals
from tilewright.ir.text.dense_text import dense_body, element_text
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.names import is_pretty


class AttributePrinter:
    """Writes types, attributes and locations; the text of every distinct one is made once per printer.
    ``options`` None stands for the default options.
    """

    def __init__(self, options: PrintOptions | None = None) -> None:
        self.options = options or PrintOptions()
        self._chunks: list[Any] = []
        self._texts: dict[Attribute, str] = {}
        self._aliases: Mapping[Attribute, str] = {}

    def write(self, text: str) -> None:
        """Append `text` as it is."""
        self._chunks.append(text)

    def print_type(self, type: Type) -> None:
        """Print a type with the prefix of its dialect, or its alias."""
        self.write(self.attribute_text(type))

    def print_types(self, types: Iterable[Type]) -> None:
        """Print types separated by commas."""
        self.write(", ".join(map(self.attribute_text, types)))

    def print_type_short(self, type: Type, dialect: str) -> None:
        """Print a type inside the syntax of ``dialect``: the dialect's own types lose their ``!dialect.``
        prefix.
        """
        self.write(self.short_type_text(type, dialect))

    def print_attribute(self, attribute: Attribute) -> None:
        """Print an attribute with its type, or its alias."""
        self.write(self.attribute_text(attribute))

    def print_attribute_without_type(self, attribute: Attribute) -> None:
        """Print a number, string or dense attribute without ``: type``; other attributes in full, or their
        alias.
        """
        self.write(self.untyped_text(attribute))

    def print_functional_type(self, inputs: Iterable[Type], results: Iterable[Type]) -> None:
        """Print a function type: ``(inputs) -> results``."""
        self.write(self.functional_type_text(tuple(inputs), tuple(results)))

    def print_string(self, text: str) -> None:
        """Print `text` as a string literal."""
        self.write(literals.quoted(text))

    def print_keyword_or_string(self, name: str) -> None:
        """Print a name, quoted if it is not a bare identifier."""
        self.write(literals.keyword_or_string(name))

    def print_symbol_name(self, name: str) -> None:
        """Print a symbol name: ``@name``."""
        self.write(literals.symbol(name))

    def print_dimension_list(self, shape: Iterable[int]) -> None:
        """Print every extent followed by an ``x``: ``4x?x``. The element type is printed after it."""
        self.write(dimensions(tuple(shape)))

    def attribute_text(self, attribute: Attribute) -> str:
        """Return the text of a type, attribute or location, or its alias."""
        text = self._texts.get(attribute)
        if text is None:
            text = self._aliases.get(attribute)
            if text is None:
                text = self.definition_text(attribute)
            self._texts[attribute] = text
        return text

    def definition_text(self, attribute: Attribute) -> str:
        """Return the text of an attribute in full, even if it has an alias; aliases may be used inside it."""
        spell = _SPELLINGS.get(type(attribute))
        if spell is not None:
            return spell(self, attribute)
        if isinstance(attribute, MemRefLayout):
            return attribute.spelling
        text = self.capture(attribute)
        return f"loc({text})" if isinstance(attribute, Location) else text

    def capture(self, attribute: Attribute) -> str:
        """Return the text of an attribute or type of a dialect.

        If its parameters begin with a word, they are in brackets together with the mnemonic: ``#gpu<dim x>``.
        """
        outer, self._chunks = self._chunks, []
        sigil = "!" if isinstance(attribute, Type) else "#"
        attribute.print_parameters(self)  # pyright: ignore[reportArgumentType]  # Printer adds only operations
        parameters = "".join(self._chunks)
        self._chunks = outer
        if parameters[:1].isalnum() or parameters[:1] == "_":
            dialect, _, mnemonic = attribute.spelled_name.partition(".")
            return f"{sigil}{dialect}<{mnemonic} {parameters}>"
        return f"{sigil}{attribute.spelled_name}{parameters}"

    def short_type_text(self, type: Type, dialect: str) -> str:
        """Return the text of `type` as it is written in the syntax of ``dialect``: a type of this dialect
        loses the prefix ``!dialect.``; other types are in full.
        """
        return self.attribute_text(type).removeprefix(f"!{dialect}.")

    def element_text(self, attribute: Attribute) -> str:
        """Return the text of an attribute in a list, or its alias: with its type, except that 64-bit integers
        and decimal f64 numbers have none.
        """
        if isinstance(attribute, IntegerAttr) and attribute.type is i64:
            return literals.integer(attribute.value)
        if isinstance(attribute, FloatAttr) and attribute.type is f64:
            text = self.untyped_text(attribute)
            return self.attribute_text(attribute) if text.startswith("0x") else text
        return self.attribute_text(attribute)

    def untyped_text(self, attribute: Attribute) -> str:
        """Return the text of a number, string or dense attribute without ``: type``; other attributes are in
        full, or their alias.
        """
        match attribute:
            case IntegerAttr():
                return _integer_digits(attribute)
            case FloatAttr(type=FloatType() as type):
                return literals.float_literal(type.format, attribute.bits)
            case StringAttr():
                return literals.quoted(attribute.value)
            case DenseElementsAttr():
                return dense_body(attribute, self.options)
            case _:
                return self.attribute_text(attribute)

    def entry_text(self, name: str, attribute: Attribute) -> str:
        """Return ``name = attribute``, or the name alone for a unit attribute."""
        key = literals.keyword_or_string(name)
        return key if isinstance(attribute, UnitAttr) else f"{key} = {self.attribute_text(attribute)}"

    def dictionary_text(self, entries: Iterable[tuple[str, Attribute]]) -> str:
        """Return the text of a dictionary, ``{a = 1 : i32, b}``. The entries must be sorted by name."""
        return f"{{{', '.join([self.entry_text(name, value) for name, value in entries])}}}"

    def functional_type_text(self, inputs: tuple[Type, ...], results: tuple[Type, ...]) -> str:
        """Return ``(inputs) -> results``. A single result has no parentheses unless it is a function type; no
        results are ``()``.
        """
        text = self.attribute_text
        if len(results) == 1 and not isinstance(results[0], FunctionType):
            right = text(results[0])
        else:
            right = f"({', '.join(map(text, results))})"
        return f"({', '.join(map(text, inputs))}) -> {right}"

    def location_text(self, location: Location) -> str:
        """Return the text of a location as it is printed inside ``loc(...)`` or another location: its alias
        if it has one.
        """
        alias = self._aliases.get(location)
        if alias is not None:
            return alias
        return self.inline_location_text(location)

    def inline_location_text(self, location: Location) -> str:
        """Return the text of a location as it is printed inside ``loc(...)``, even if it has an alias;
        locations in it may use theirs.
        """
        match location:
            case UnknownLocation():
                return "unknown"
            case FileLineColLocation():
                return f"{literals.quoted(location.file)}:{location.line}:{location.column}"
            case NameLocation():
                child = "" if location.child is UNKNOWN else f"({self.location_text(location.child)})"
                return literals.quoted(location.label) + child
            case CallSiteLocation():
                return self._call_chain_text(location)
            case FusedLocation():
                metadata = "" if location.metadata is None else f"<{self.attribute_text(location.metadata)}>"
                return f"fused{metadata}[{', '.join(map(self.location_text, location.locations))}]"
            case _:
                return self.capture(location)

    def _call_chain_text(self, location: Location) -> str:
        """Return the text of `location`, written out even if it has an alias. The call sites in its chain of
        callers are written out, too, up to the first with an alias, which is written as the alias. Recursion
        may have made thousands of call sites.
        """
        parts: list[str] = []
        while isinstance(location, CallSiteLocation) and (not parts or location not in self._aliases):
            parts.append(f"callsite({self.location_text(location.callee)} at ")
            location = location.caller
        return "".join(parts) + self.location_text(location) + ")" * len(parts)


def dimensions(shape: tuple[int, ...]) -> str:
    """Return the dimensions of a shape as text: ``4x?x``."""
    return "".join(["?x" if extent == DYNAMIC else f"{extent}x" for extent in shape])


def _integer_digits(attribute: IntegerAttr) -> str:
    if attribute.type is i1:
        return "true" if attribute.value else "false"
    return literals.integer(attribute.value)


def _integer_attribute(printer: AttributePrinter, attribute: IntegerAttr) -> str:
    if attribute.type is i1:
        return "true" if attribute.value else "false"
    return f"{literals.integer(attribute.value)} : {printer.attribute_text(attribute.type)}"


def _typed(printer: AttributePrinter, attribute: Any) -> str:
    return f"{printer.untyped_text(attribute)} : {printer.attribute_text(attribute.type)}"


def _string(printer: AttributePrinter, attribute: StringAttr) -> str:
    text = literals.quoted(attribute.value)
    return text if attribute.type is None else f"{text} : {printer.attribute_text(attribute.type)}"


def _array(printer: AttributePrinter, attribute: ArrayAttr) -> str:
    return f"[{', '.join(map(printer.element_text, attribute.elements))}]"


def _symbol_ref(printer: AttributePrinter, attribute: SymbolRefAttr) -> str:
    return "::".join(map(literals.symbol, (attribute.root, *attribute.nested)))


def _dense_array(printer: AttributePrinter, attribute: DenseArrayAttr) -> str:
    kind = attribute.element_type
    values = ", ".join([element_text(kind, value) for value in attribute.values])
    return f"array<{printer.attribute_text(kind)}{': ' if values else ''}{values}>"


def _opaque(sigil: str) -> Callable[[AttributePrinter, Any], str]:
    def spell(printer: AttributePrinter, opaque: Any) -> str:
        if is_pretty(opaque.text):
            return f"{sigil}{opaque.dialect}.{opaque.text}"
        return f"{sigil}{opaque.dialect}<{opaque.text}>"

    return spell


def _vector(printer: AttributePrinter, vector: VectorType) -> str:
    scalable = vector.scalable or (False,) * len(vector.shape)
    extents = [f"[{n}]x" if marked else f"{n}x" for n, marked in zip(vector.shape, scalable, strict=True)]
    return f"vector<{''.join(extents)}{printer.attribute_text(vector.element_type)}>"


def _extras(printer: AttributePrinter, *extras: Attribute | None) -> str:
    return "".join([f", {printer.element_text(extra)}" for extra in extras if extra is not None])


def _tensor(printer: AttributePrinter, tensor: RankedTensorType) -> str:
    encoding = "" if tensor.encoding is None else f", {printer.attribute_text(tensor.encoding)}"
    return f"tensor<{dimensions(tensor.shape)}{printer.attribute_text(tensor.element_type)}{encoding}>"


def _memref(printer: AttributePrinter, memref: MemRefType) -> str:
    extras = _extras(printer, memref.layout, memref.memory_space)
    return f"memref<{dimensions(memref.shape)}{printer.attribute_text(memref.element_type)}{extras}>"


def _unranked_memref(printer: AttributePrinter, memref: UnrankedMemRefType) -> str:
    return f"memref<*x{printer.attribute_text(memref.element_type)}{_extras(printer, memref.memory_space)}>"


def _tuple(printer: AttributePrinter, type: TupleType) -> str:
    return f"tuple<{', '.join(map(printer.attribute_text, type.elements))}>"


def _location(printer: AttributePrinter, location: Location) -> str:
    return f"loc({printer.inline_location_text(location)})"


_SPELLINGS: dict[type, Callable[[AttributePrinter, Any], str]] = {
    IntegerType: lambda _, type: type.spelling,
    FloatType: lambda _, type: type.spelling,
    IndexType: lambda _, type: "index",
    NoneType: lambda _, type: "none",
    FunctionType: lambda printer, type: printer.functional_type_text(type.inputs, type.results),
    TupleType: _tuple,
    ComplexType: lambda printer, type: f"complex<{printer.attribute_text(type.element_type)}>",
    VectorType: _vector,
    RankedTensorType: _tensor,
    UnrankedTensorType: lambda printer, type: f"tensor<*x{printer.attribute_text(type.element_type)}>",
    MemRefType: _memref,
    UnrankedMemRefType: _unranked_memref,
    OpaqueType: _opaque("!"),
    UnitAttr: lambda _, attribute: "unit",
    IntegerAttr: _integer_attribute,
    FloatAttr: _typed,
    StringAttr: _string,
    ArrayAttr: _array,
    DictionaryAttr: lambda printer, attribute: printer.dictionary_text(attribute.entries),
    TypeAttr: lambda printer, attribute: printer.attribute_text(attribute.type),
    SymbolRefAttr: _symbol_ref,
    OpaqueAttr: _opaque("#"),
    DenseArrayAttr: _dense_array,
    DenseElementsAttr: _typed,
    UnknownLocation: _location,
    FileLineColLocation: _location,
    NameLocation: _location,
    CallSiteLocation: _location,
    FusedLocation: _location,
}
