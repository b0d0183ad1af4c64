"""The one converter of types to LLVM that every ``convert-*-to-llvm`` pass shares.

It defines the run-time form of values, so it is an ABI: two passes with different converters would disagree about the
form of a function argument. Rules of the tile dialects come first, then the rules of MLIR's builtin types, then LLVM's
own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.cuda_tile import types as tile
from tilewright.dialects.cute import layout_types, types as cute
from tilewright.dialects.cute_nvgpu import types as cute_nvgpu
from tilewright.dialects.cutlass import types as cutlass
from tilewright.dialects.llvm import types as llvm_types
from tilewright.dialects.nv_tileaa import types as aa
from tilewright.dialects.nv_tileas import types as as_
from tilewright.ir import builtin_types, context as ir_context, location as ir_location
from tilewright.ir.arithmetic.strided_layout import strides_and_offset
from tilewright.ir.attribute import Location, Type
from tilewright.ir.diagnostic import failure
from tilewright.ir.value import Value
from tilewright.lowering.emitter import LlvmEmitter
from tilewright.lowering.llvm_types import element_forms, memref_descriptor, tile_types as forms
from tilewright.lowering.llvm_types.address_spaces import (
    OF_CUTE,
    OF_RESIDENCY,
    LlvmAddressSpace,
    memory_space_number,
    require_same_space,
)
from tilewright.rewrite import codes, rewriter as rewrite_rewriter
from tilewright.rewrite.conversion.bridges import cast_materialization
from tilewright.rewrite.conversion.type_converter import (
    REFUSED,
    Converted,
    SignatureConversion,
    TypeConverter,
    claim,
)

SIGNATURE_FAILURE = "failed to convert function signature type for: "
"""The beginning of the message before the type. Tools search for this text, including the blank at the end.
"""

RankedMemRef = builtin_types.MemRefType | aa.TileMemRefType


@dataclass(frozen=True)
class LLVMOptions:
    """The variable parts of the ABI.

    ``index_width`` is the width of ``index`` in bits, 0 for the default of 64; fields of memref descriptors
    always have 64 bits. With ``bare_pointers`` a memref argument is its aligned pointer; sizes and strides
    must then be known from its type. ``elements`` are the forms of elements and pointers of the tile
    dialects, which depend on the target. With ``fragments`` vectors of rank 2 are fragments of matrices, and
    become the registers of a thread.
    """

    index_width: int = 64
    bare_pointers: bool = False
    elements: element_forms.ElementForms = element_forms.TYPED
    fragments: bool = False


@dataclass(frozen=True)
class LLVMSignature:
    """A converted function signature: the function type, and the types that replace each argument."""

    type: llvm_types.LLVMFunctionType
    arguments: SignatureConversion


class LLVMTypeConverter(TypeConverter):
    """Converts types of all dialects to LLVM types. ``options`` choose the variable parts, such as the width
    of `index`; None means `LLVMOptions()`. A pass may create only one type converter: a second one is an
    error.
    """

    def __init__(self, context: ir_context.Context, options: LLVMOptions | None = None) -> None:
        super().__init__()
        claim(self)
        self.context = context
        self.options = options or LLVMOptions()
        self.elements = self.options.elements
        self.index_type = builtin_types.IntegerType(self.options.index_width or 64)
        self._cast = cast_materialization(context)
        self._add_tile_rules()
        self._add_cute_rules()
        self._add_builtin_rules()
        self.add_source_materialization(self._source_bridge)
        self.add_target_materialization(self._target_bridge)

    # --- rules

    def _add_tile_rules(self) -> None:
        """Add the conversions of the five kinds of tile types that a subclass can replace, and of the other
        types of the tile dialects.
        """
        self.add_conversion(tile.TileType, self.convert_tile_type)
        for token in TOKENS:
            self.add_conversion(token, self.convert_token_type)
        self.add_conversion(as_.PipelineIteratorType, self.convert_pipeline_iterator_type)
        for view in (tile.TensorViewType, aa.TiledViewType, as_.TiledViewType):
            self.add_conversion(view, self.convert_tensor_view_type)
        self.add_conversion(tile.PartitionViewType, self.convert_partition_view_type)
        for pointer in (tile.PointerType, aa.PtrType):
            self.add_conversion(pointer, self.elements.form)
        self.add_conversion(aa.ProgramIdType, lambda _: builtin_types.i32)
        self.add_conversion(aa.TileMemRefType, self._memref)
        self.add_conversion(as_.TmaDescType, lambda _: self._pointer(LlvmAddressSpace.GENERIC))

    def _add_cute_rules(self) -> None:
        self.add_conversion(cute.PtrType, lambda type: self._pointer(OF_CUTE[type.space]))
        self.add_conversion(cute.MemRefType, self._cute_memref)
        self.add_conversion(layout_types.LayoutType, lambda type: forms.layout_form(type.shape, type.stride))
        self.add_conversion(layout_types.ComposedLayoutType, forms.composed_layout_form)
        self.add_conversion(layout_types.SwizzleType, lambda _: forms.SWIZZLE)
        self.add_conversion(layout_types.TileType, forms.tiler_form)
        self.add_conversion(layout_types.IntTupleType, lambda type: forms.int_tuple_form(type.tree))
        self.add_conversion(cute.TupleType, lambda type: self._struct(type.element_types))
        self.add_conversion(cute_nvgpu.ConstrainedIntType, lambda type: builtin_types.IntegerType(type.width))
        self.add_conversion(cute_nvgpu.SmemDescType, lambda _: builtin_types.i64)
        for tiled in (cute.TiledCopyType, cute.TiledMmaType):
            self.add_conversion(tiled, lambda type: self.convert_type(type.atom))
        for state in CUTLASS_STATES:
            self.add_conversion(
                state,
                lambda type: llvm_types.LLVMStructType((builtin_types.i32,) * CUTLASS_STATES[type.__class__]),
            )
        self.add_conversion(
            Type, lambda type: forms.atom_form(type.__class__) if forms.is_atom(type) else None
        )

    def _add_builtin_rules(self) -> None:
        self.add_conversion(builtin_types.IntegerType, self.elements.form)
        self.add_conversion(builtin_types.IndexType, lambda _: self.index_type)
        self.add_conversion(builtin_types.FloatType, self.elements.form)
        self.add_conversion(builtin_types.ComplexType, lambda type: self._struct([type.element_type] * 2))
        if self.options.fragments:
            self.add_conversion(builtin_types.VectorType, forms.fragment_registers)
        self.add_conversion(builtin_types.VectorType, self._vector)
        self.add_conversion(builtin_types.FunctionType, self._function_value)
        self.add_conversion(builtin_types.MemRefType, self._memref)
        self.add_conversion(builtin_types.UnrankedMemRefType, self._unranked_memref)
        self.add_conversion(builtin_types.TupleType, lambda type: self._struct(type.elements))
        self.add_conversion(builtin_types.NoneType, lambda _: forms.EMPTY)
        for own in llvm_types.TYPES:
            self.add_conversion(own, lambda type: type)

    # --- the five hooks of the tile dialects

    def convert_tile_type(self, type: tile.TileType) -> Converted:
        """Return the type of a tile by value: a struct of its elements. Return `REFUSED` if its element type
        has no LLVM type.
        """
        element = self.convert_type(type.element_type)
        return forms.tile_payload(type.shape, element) if element is not None else REFUSED

    def convert_token_type(self, type: Type) -> Converted:
        """Convert memory, async and pipeline tokens to i32. The i32 of a pipeline token holds the slot in its
        upper bits and the parity that waits use in its lowest bit.
        """
        return forms.TOKEN

    def convert_pipeline_iterator_type(self, type: as_.PipelineIteratorType) -> Converted:
        """Convert a pipeline iterator to a struct of stage and phase."""
        return forms.PIPELINE_ITERATOR

    def convert_tensor_view_type(self, type: Any) -> Converted:
        """Convert a view of a tensor to the struct of `tiled_view_descriptor`, which begins with the base
        address. Return `REFUSED` if the type does not tell the address space.
        """
        space = self._space_of_view(type)
        return forms.tiled_view_descriptor(self.elements.space(space)) if space is not None else REFUSED

    def convert_partition_view_type(self, type: tile.PartitionViewType) -> Converted:
        """Convert a partition view to a struct of the view's descriptor and the number of tiles in each
        dimension.
        """
        return forms.partition_descriptor(self.elements.space(LlvmAddressSpace.GLOBAL.value), len(type.tile))

    def _space_of_view(self, type: Any) -> int | None:
        if isinstance(type, tile.TensorViewType):
            return LlvmAddressSpace.GLOBAL.value
        if isinstance(type, as_.TiledViewType):
            return OF_RESIDENCY[type.residency].value
        source = type.source
        return source.address_space if isinstance(source, aa.TileMemRefType) else None

    # --- builtin types

    def _struct(self, types: Sequence[Type]) -> Converted:
        members = [self.convert_value_type(type) for type in types]
        if not all(member is not None and llvm_types.is_element_type(member) for member in members):
            return REFUSED
        return llvm_types.LLVMStructType(tuple(member for member in members if member is not None))

    def _vector(self, type: builtin_types.VectorType) -> Converted:
        """Convert a vector to nested arrays of one-dimensional vectors; a vector of rank 0 becomes a vector
        of one element. Refused: structs as elements, and scalable dimensions before the last.
        """
        element = self.convert_type(type.element_type)
        if element is None or isinstance(element, llvm_types.LLVMStructType) or any(type.scalable[:-1]):
            return REFUSED
        last = type.shape[-1:] or (1,)
        form: Type = builtin_types.VectorType(last, element, type.scalable[-1:])
        for extent in reversed(type.shape[:-1]):
            form = llvm_types.LLVMArrayType(form, extent)
        return form

    def _function_value(self, type: builtin_types.FunctionType) -> Converted:
        """Convert a function type as the type of a value: to a pointer, or `REFUSED` if a part of the type
        has no conversion. `convert_function_type` converts the type of the code itself.
        """
        return llvm_types.LLVMPointerType(0) if self.convert_function_type(type) is not None else REFUSED

    def _memref(self, type: RankedMemRef) -> Converted:
        element, space = self.convert_type(type.element_type), self.memory_space(type)
        if (
            element is None
            or space is None
            or not llvm_types.is_element_type(element)
            or not has_strides(type)
        ):
            return REFUSED
        return llvm_types.LLVMStructType(memref_descriptor.descriptor_fields(space, type.rank))

    def _unranked_memref(self, type: builtin_types.UnrankedMemRefType) -> Converted:
        space = memory_space_number(type.memory_space)
        if space is None or self.convert_type(type.element_type) is None:
            return REFUSED
        return llvm_types.LLVMStructType((builtin_types.i64, llvm_types.LLVMPointerType(space)))

    def _cute_memref(self, type: cute.MemRefType) -> Converted:
        """Convert a `cute` memref to a struct of its address and its layout."""
        return llvm_types.LLVMStructType((self._pointer(OF_CUTE[type.space]), self._form(type.layout)))

    def _form(self, type: Type) -> Type:
        form = self.convert_type(type)
        assert form is not None, f"{type} has a form"
        return form

    def memory_space(self, type: Any) -> int | None:
        """Return the LLVM address space of a memref of any dialect; None if its attribute is not a memory
        space.
        """
        if isinstance(type, aa.TileMemRefType):
            return self.elements.space(type.address_space)
        return memory_space_number(type.memory_space)

    def _pointer(self, space: LlvmAddressSpace) -> llvm_types.LLVMPointerType:
        return llvm_types.LLVMPointerType(self.elements.space(space.value))

    # --- functions

    def convert_type(self, type: Type) -> Type | None:
        """Return the LLVM form of a type; a function type becomes LLVM's function type. Return None if there
        is no conversion to exactly one type.

        MLIR's own converter returns a pointer for function types, because it has one function for types and
        for values. Here `convert_value_type` converts the type of a value.
        """
        return (
            self.convert_function_type(type)
            if isinstance(type, builtin_types.FunctionType)
            else super().convert_type(type)
        )

    def convert_value_type(self, type: Type) -> Type | None:
        """Return the LLVM type of a value of type `type`: a pointer for a function type. None if there is no
        conversion.
        """
        return super().convert_type(type)

    def convert_function_type(self, type: builtin_types.FunctionType) -> llvm_types.LLVMFunctionType | None:
        """Return the LLVM function type of a function type; None if a part has no conversion."""
        arguments = self.convert_signature(type.inputs)
        result = self.pack_results(type.results)
        return llvm_types.LLVMFunctionType(result, tuple(arguments.types)) if arguments and result else None

    def convert_function_signature(
        self,
        type: builtin_types.FunctionType,
        location: Location = ir_location.UNKNOWN,
        *,
        bare_pointers: bool | None = None,
    ) -> LLVMSignature:
        """Return the signature of a function under the calling convention.

        A memref argument becomes the fields of its descriptor, or its aligned pointer with ``bare_pointers`` (by
        default as the options say).  Raises `DiagnosticError` (TW0704) when a type has no conversion.
        """
        bare = self.options.bare_pointers if bare_pointers is None else bare_pointers
        parts = [self._argument(argument, bare) for argument in type.inputs]
        result = self.pack_results(type.results, bare_pointers=bare)
        if result is None or None in parts:
            raise self._signature_failure(type, parts, bare, location)
        conversion = SignatureConversion(tuple(part for part in parts if part is not None))
        return LLVMSignature(llvm_types.LLVMFunctionType(result, tuple(conversion.types)), conversion)

    def _signature_failure(
        self,
        type: builtin_types.FunctionType,
        parts: Sequence[tuple[Type, ...] | None],
        bare: bool,
        location: Location,
    ) -> Exception:
        offending = [old for old, new in zip(type.inputs, parts, strict=True) if new is None]
        offending += [old for old in type.results if self._result(old, bare) is None]
        hint = "add a rule for the type to the converter, or convert the type before the function"
        if isinstance(
            offending[0], builtin_types.MemRefType | builtin_types.UnrankedMemRefType
        ) and self.convert_type(offending[0]):
            hint = "bare pointers need sizes, strides and offset in the type; pass the descriptor, or numbers beside it"
        return failure(codes.SIGNATURE_CONVERSION, f"{SIGNATURE_FAILURE}{offending[0]}", location, hint=hint)

    def convert_arguments(self, type: Type) -> tuple[Type, ...]:
        """Return the types of the arguments that replace an argument of type `type`: the fields of the
        descriptor for a memref. Empty if the type has no conversion.
        """
        return self._argument(type, False) or ()

    def _argument(self, type: Type, bare: bool) -> tuple[Type, ...] | None:
        """Return the types of the arguments that replace an argument of type `type`; with `bare` a memref is
        one pointer. None if the type has no conversion.
        """
        if bare and isinstance(type, MEMREFS):
            pointer = self.bare_pointer(type)
            return (pointer,) if pointer is not None else None
        found = self.converted(type)
        if found is None or not isinstance(type, MEMREFS):
            return found
        return flat_fields(found[0])

    def _result(self, type: Type, bare: bool) -> Type | None:
        return (
            self.bare_pointer(type) if bare and isinstance(type, MEMREFS) else self.convert_value_type(type)
        )

    def pack_results(self, types: Sequence[Type], *, bare_pointers: bool = False) -> Type | None:
        """Return the type of a call's result: void for no results, the type of a single result, a struct for
        several. None if a type has no conversion, or one of several cannot be a member of a struct. With
        ``bare_pointers`` the type of a memref is a pointer.
        """
        results = [self._result(type, bare_pointers) for type in types]
        if len(results) == 1:
            return results[0]
        if not results:
            return llvm_types.VOID
        if not all(type is not None and llvm_types.is_element_type(type) for type in results):
            return None
        return llvm_types.LLVMStructType(tuple(type for type in results if type is not None))

    def bare_pointer(self, type: Type) -> llvm_types.LLVMPointerType | None:
        """Return the type of the pointer as which a memref with a static layout is passed or returned; None
        for other memrefs.
        """
        descriptor = self.convert_type(type)
        if not isinstance(type, RankedMemRef) or not isinstance(descriptor, llvm_types.LLVMStructType):
            return None
        layout = static_layout(type)
        pointer = (descriptor.body or (None,))[0]
        return pointer if layout is not None and isinstance(pointer, llvm_types.LLVMPointerType) else None

    def convert_call_signature(
        self,
        operands: Sequence[Value],
        types: Sequence[Type],
        emit: LlvmEmitter,
        *,
        bare_pointers: bool | None = None,
    ) -> list[Value]:
        """Return the operands of a converted call: memrefs are unpacked into the arguments that
        `convert_function_signature` gives the callee, the fields of the descriptor or, with
        ``bare_pointers``, the aligned pointer. ``operands`` have converted types, ``types`` are the types
        before conversion. ``bare_pointers`` is by default as the options say.
        """
        bare = self.options.bare_pointers if bare_pointers is None else bare_pointers
        values: list[Value] = []
        for value, type in zip(operands, types, strict=True):
            if not isinstance(type, MEMREFS):
                values.append(value)
            elif bare and isinstance(type, RankedMemRef):
                values.append(emit.extract(value, 1))
            else:
                values += unpacked(emit, value)
        return values

    # --- bridges

    def _source_bridge(
        self, rewriter: rewrite_rewriter.Rewriter, type: Type, inputs: tuple[Value, ...], location: Location
    ) -> Value | None:
        form = self.convert_value_type(type)
        if form is not None:
            packed = self._pack(rewriter, form, inputs, location, type)
            inputs = (packed,) if packed is not None else inputs
            require_same_space([value.type for value in inputs], form, location)
        return self._cast(rewriter, type, inputs, location)

    def _target_bridge(
        self, rewriter: rewrite_rewriter.Rewriter, type: Type, inputs: tuple[Value, ...], location: Location
    ) -> Value | None:
        require_same_space([self.convert_value_type(v.type) or v.type for v in inputs], type, location)
        return self._pack(rewriter, type, inputs, location, None) or self._cast(
            rewriter, type, inputs, location
        )

    def _pack(
        self,
        rewriter: rewrite_rewriter.Rewriter,
        form: Type,
        inputs: tuple[Value, ...],
        location: Location,
        memref: Type | None,
    ) -> Value | None:
        """Return a descriptor of type `form`, built from its fields; or, if `memref` is the original type,
        from a single bare pointer. None if `inputs` do not fit.
        """
        given = tuple(value.type for value in inputs)
        emit = LlvmEmitter(rewriter, location, self.index_type)
        if len(given) > 1 and isinstance(form, llvm_types.LLVMStructType) and flat_fields(form) == given:
            return memref_descriptor.pack_fields(emit, form, inputs)
        is_pointer = len(given) == 1 and isinstance(given[0], llvm_types.LLVMPointerType)
        if is_pointer and isinstance(form, llvm_types.LLVMStructType) and isinstance(memref, RankedMemRef):
            layout = static_layout(memref)
            require_same_space(given, form, location)
            return (
                memref_descriptor.bare_descriptor(emit, form, inputs[0], memref.shape, *layout)
                if layout
                else None
            )
        return None


MEMREFS = (builtin_types.MemRefType, builtin_types.UnrankedMemRefType, aa.TileMemRefType)
"""The types that are passed as the fields of their descriptors at function boundaries."""

TOKENS: tuple[type[Type], ...] = (
    tile.TokenType,
    aa.MemTokenType,
    as_.AsyncTokenType,
    as_.ProducerTokenType,
    as_.ConsumerTokenType,
)
"""The token types that are converted to i32."""

CUTLASS_STATES: dict[type[Type], int] = {cutlass.PipelineStateType: 3, cutlass.SeqBarStateType: 2}
"""The number of 32-bit fields of a state: index, phase and count of a pipeline; slot and phase of a sequence
barrier.
"""


def has_strides(type: RankedMemRef) -> bool:
    """Return whether strides and an offset, known or not, describe the layout of a memref, so that it has a
    descriptor.
    """
    return isinstance(type, aa.TileMemRefType) or strides_and_offset(type) is not None


def layout_of(type: RankedMemRef) -> tuple[tuple[int, ...], int]:
    """Return the strides and the offset of a memref with a strided layout, in elements; `DYNAMIC` stands for
    unknown numbers. A memref of `nv_tileaa` has the offset 0. Other layouts are a mistake of the caller.
    """
    if isinstance(type, aa.TileMemRefType):
        return type.strides, 0
    found = strides_and_offset(type)
    assert found is not None, f"{type} has strides"
    return found


def static_layout(type: RankedMemRef) -> tuple[tuple[int, ...], int] | None:
    """Return the strides and the offset of a memref in elements, if these and the shape are static; None
    otherwise, also if the layout is not strided.
    """
    if not has_strides(type):
        return None
    strides, offset = layout_of(type)
    return None if builtin_types.DYNAMIC in (*type.shape, *strides, offset) else (strides, offset)


def flat_fields(form: Type) -> tuple[Type, ...]:
    """Return the types of the fields of a descriptor in order; an array counts as its elements. A type that
    is no struct is its only field.
    """
    fields: list[Type] = []
    for field in (form.body or ()) if isinstance(form, llvm_types.LLVMStructType) else (form,):
        is_array = isinstance(field, llvm_types.LLVMArrayType)
        fields += [field.element_type] * field.count if is_array else [field]
    return tuple(fields)


def unpacked(emit: LlvmEmitter, descriptor: Value) -> list[Value]:
    """Return the values of the fields of a descriptor in order; an array counts as its elements."""
    values: list[Value] = []
    form = descriptor.type
    assert isinstance(form, llvm_types.LLVMStructType)
    for position, field in enumerate(form.body or ()):
        if isinstance(field, llvm_types.LLVMArrayType):
            values += [emit.extract(descriptor, position, at) for at in range(field.count)]
        else:
            values.append(emit.extract(descriptor, position))
    return values
