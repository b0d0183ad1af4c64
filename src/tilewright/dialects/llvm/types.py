"""The types of LLVM IR that are not builtin types: pointers, structs, arrays, functions, and special types
such as tokens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from tilewright.ir import builtin_types, uniquer
from tilewright.ir.attribute import Attribute, Type

if TYPE_CHECKING:
    from tilewright.ir.text.parser import AttributeParser
    from tilewright.ir.text.printer import Printer

FLOATS = (builtin_types.f16, builtin_types.bf16, builtin_types.f32, builtin_types.f64)
"""The builtin floating-point types that LLVM IR has, too."""


class LLVMPointerType(Type):
    """An opaque pointer into an address space, a number from 0 (by default) to 2^32 - 1: ``!llvm.ptr``,
    ``!llvm.ptr<3>``.
    """

    name: ClassVar[str] = "llvm.ptr"
    address_space: int = 0

    def verify_parameters(self) -> None:
        if not 0 <= self.address_space < 1 << 32:
            raise uniquer.InvalidParameters(f"invalid address space {self.address_space}")

    def print_parameters(self, printer: Printer) -> None:
        if self.address_space:
            printer.write(f"<{self.address_space}>")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        if not parser.accept("<"):
            return cls(0)
        address_space = parser.parse_integer()
        parser.expect(">")
        return cls(address_space)


class LLVMArrayType(Type):
    """An array of fixed length: ``!llvm.array<4 x f32>``. ``count``, the length in elements, is at least 0.
    Elements are of any type of LLVM IR but void, labels, metadata, functions and tokens.
    """

    name: ClassVar[str] = "llvm.array"
    element_type: Type
    count: int

    def verify_parameters(self) -> None:
        if not is_element_type(self.element_type):
            raise uniquer.InvalidParameters(f"invalid array element type: {self.element_type}")
        if self.count < 0:
            raise uniquer.InvalidParameters(f"negative array size {self.count}")

    def print_parameters(self, printer: Printer) -> None:
        printer.write(f"<{self.count} x ")
        printer.print_type_short(self.element_type, "llvm")
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        shape = parser.parse_dimension_list()
        if len(shape) != 1 or shape[0] < 0:
            raise parser.error("expected one fixed array size")
        element_type = parser.parse_type_short("llvm")
        parser.expect(">")
        return cls(element_type, shape[0])


class LLVMStructType(Type):
    """``!llvm.struct<(i32, ptr)>``, ``!llvm.struct<packed (i8, i32)>``, ``!llvm.struct<"list", (i32, ptr)>``.

    A literal struct has no ``identifier``. ``body`` None means an opaque struct, or, inside the body of the
    struct of that identifier, the struct itself (``is_reference``). Structs are immutable: an identified
    struct is distinguished by identifier and body, and the context does not check that equal identifiers have
    equal bodies.
    """

    name: ClassVar[str] = "llvm.struct"
    body: tuple[Type, ...] | None
    packed: bool = False
    identifier: str | None = None
    is_reference: bool = False

    def verify_parameters(self) -> None:
        if self.body is None and self.identifier is None:
            raise uniquer.InvalidParameters("a literal struct needs a body")
        if self.is_reference and self.body is not None:
            raise uniquer.InvalidParameters("a reference to an enclosing struct has no body")
        for element in self.body or ():
            if not is_element_type(element):
                raise uniquer.InvalidParameters(f"invalid LLVM structure element type: {element}")

    @property
    def is_opaque(self) -> bool:
        """Return whether the members of the struct are unknown; False for a reference to an enclosing struct."""
        return self.body is None and not self.is_reference

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<")
        if self.identifier is not None:
            printer.print_string(self.identifier)
            if self.is_reference:
                printer.write(">")
                return
            printer.write(", ")
        if self.body is None:
            printer.write("opaque>")
            return
        printer.write("packed (" if self.packed else "(")
        for position, element in enumerate(self.body):
            printer.write(", " if position else "")
            printer.print_type_short(element, "llvm")
        printer.write(")>")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        identifier = parser.optional_string()
        if identifier is not None and parser.accept(">"):
            return cls(None, False, identifier, True)
        if identifier is not None:
            parser.expect(",")
            if parser.accept_keyword("opaque"):
                parser.expect(">")
                return cls(None, False, identifier)
        packed = parser.accept_keyword("packed")
        parser.expect("(")
        body = parse_short_types(parser, ")")
        parser.expect(">")
        return cls(tuple(body), packed, identifier)


def parse_short_types(parser: AttributeParser, closing: str) -> list[Type]:
    """Parse a list of types that may be spelled without ``!llvm.``, up to and including ``closing``."""
    types: list[Type] = []
    while not parser.accept(closing):
        if types:
            parser.expect(",")
        types.append(parser.parse_type_short("llvm"))
    return types


class LLVMFunctionType(Type):
    """A function type with one result type, parameter types, and ``...`` for variable arguments:
    ``!llvm.func<i32 (ptr, ...)>``. A function without a result has the result type ``void``.
    """

    name: ClassVar[str] = "llvm.func"
    result: Type
    arguments: tuple[Type, ...] = ()
    variadic: bool = False

    def verify_parameters(self) -> None:
        if not is_compatible(self.result) or isinstance(self.result, LLVMFunctionType | LLVMMetadataType):
            raise uniquer.InvalidParameters(f"invalid function result type: {self.result}")
        for parameter in self.arguments:
            if not is_compatible(parameter) or isinstance(parameter, LLVMVoidType | LLVMFunctionType):
                raise uniquer.InvalidParameters(f"invalid function argument type: {parameter}")

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<")
        printer.print_type_short(self.result, "llvm")
        printer.write(" (")
        for position, parameter in enumerate(self.arguments):
            printer.write(", " if position else "")
            printer.print_type_short(parameter, "llvm")
        if self.variadic:
            printer.write(", ..." if self.arguments else "...")
        printer.write(")>")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        result = parser.parse_type_short("llvm")
        parser.expect("(")
        parameters: list[Type] = []
        variadic = False
        while not parser.accept(")"):
            if variadic or parameters:
                parser.expect(",")
            if parser.accept("."):
                parser.expect(".")
                parser.expect(".")
                variadic = True
                parser.expect(")")
                break
            parameters.append(parser.parse_type_short("llvm"))
        parser.expect(">")
        return cls(result, tuple(parameters), variadic)


class LLVMVoidType(Type):
    """The result type of functions without a result: ``!llvm.void``."""

    name: ClassVar[str] = "llvm.void"


class LLVMTokenType(Type):
    """A token, which ties operations together, and must not be stored or passed as a block argument:
    ``!llvm.token``.
    """

    name: ClassVar[str] = "llvm.token"


class LLVMLabelType(Type):
    """The type of code labels: ``!llvm.label``."""

    name: ClassVar[str] = "llvm.label"


class LLVMMetadataType(Type):
    """The type of metadata that is used as a value: ``!llvm.metadata``."""

    name: ClassVar[str] = "llvm.metadata"


class LLVMX86AMXType(Type):
    """The type of an AMX tile register of x86: ``!llvm.x86_amx``."""

    name: ClassVar[str] = "llvm.x86_amx"


class LLVMPPCFP128Type(Type):
    """A 128-bit float made of two doubles, as PowerPC has it: ``!llvm.ppc_fp128``."""

    name: ClassVar[str] = "llvm.ppc_fp128"
    width: ClassVar[int] = 128


class LLVMTargetExtType(Type):
    """A type that only one target has: ``!llvm.target<"spirv.Image", i32, 0>``. Types and then integers,
    whose meaning the target defines, may follow the name `extension`.
    """

    name: ClassVar[str] = "llvm.target"
    extension: str
    type_parameters: tuple[Type, ...] = ()
    integer_parameters: tuple[int, ...] = ()

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<")
        printer.print_string(self.extension)
        for type in self.type_parameters:
            printer.write(", ")
            printer.print_type_short(type, "llvm")
        for number in self.integer_parameters:
            printer.write(f", {number}")
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        extension = parser.parse_string()
        types: list[Type] = []
        numbers: list[int] = []
        while parser.accept(","):
            number = parser.optional_integer()
            if number is not None:
                numbers.append(number)
            elif numbers:
                raise parser.error("types stand before numbers in the parameters of a target type")
            else:
                types.append(parser.parse_type_short("llvm"))
        parser.expect(">")
        return cls(extension, tuple(types), tuple(numbers))


TYPES: tuple[type[Type], ...] = (
    LLVMPointerType,
    LLVMArrayType,
    LLVMStructType,
    LLVMFunctionType,
    LLVMVoidType,
    LLVMTokenType,
    LLVMLabelType,
    LLVMMetadataType,
    LLVMX86AMXType,
    LLVMPPCFP128Type,
    LLVMTargetExtType,
)
"""All types of the dialect."""

VOID = LLVMVoidType()
TOKEN = LLVMTokenType()
POINTER = LLVMPointerType(0)
_NO_ELEMENTS = (LLVMVoidType, LLVMLabelType, LLVMMetadataType, LLVMFunctionType, LLVMTokenType)


def is_float(type: Attribute) -> bool:
    """Return whether a type is f16, bf16, f32, f64 or `LLVMPPCFP128Type`, the floating-point types of LLVM
    IR.
    """
    return type in FLOATS or isinstance(type, LLVMPPCFP128Type)


def is_integer(type: Attribute) -> bool:
    """Return whether a type is an integer type of LLVM IR: any signless one."""
    return isinstance(type, builtin_types.IntegerType) and type.signedness == "signless"


def is_vector(type: Attribute) -> bool:
    """Return whether a type is a vector type of LLVM IR: rank 1, fixed or scalable, over integers, floats or
    pointers of LLVM IR.
    """
    if not isinstance(type, builtin_types.VectorType) or len(type.shape) != 1:
        return False
    element = type.element_type
    return is_integer(element) or is_float(element) or isinstance(element, LLVMPointerType)


def is_compatible(type: Attribute) -> bool:
    """Return whether LLVM IR has a type of this class; element types are not examined."""
    return isinstance(type, TYPES) or is_integer(type) or is_float(type) or is_vector(type)


def is_element_type(type: Attribute) -> bool:
    """Return whether a type may be an element of an array or struct: every type of LLVM IR but void, labels,
    metadata, functions and tokens.
    """
    return is_compatible(type) and not isinstance(type, _NO_ELEMENTS)


def is_loadable(type: Attribute) -> bool:
    """Return whether values of a type have a size, so that memory can hold them. Void, labels, metadata,
    functions, tokens, AMX tiles and opaque structs have none. The members of a struct are not examined.
    """
    if isinstance(type, LLVMStructType):
        return not type.is_opaque
    return is_compatible(type) and not isinstance(type, (*_NO_ELEMENTS, LLVMX86AMXType))


def same_shape_of(element_type: Type, model: Any) -> Type:
    """Return ``element_type``, or a vector of it with the shape of ``model`` if that is a vector."""
    if isinstance(model, builtin_types.VectorType):
        return builtin_types.VectorType(model.shape, element_type, model.scalable)
    return element_type


def is_scalable(type: Type) -> bool:
    """Return whether a type is a scalable vector, whose length is a multiple of ``vscale``."""
    return isinstance(type, builtin_types.VectorType) and bool(type.scalable)


DYNAMIC_POSITION = -(1 << 31)
"""The number that stands for an operand among the constant positions of `llvm.getelementptr`."""
