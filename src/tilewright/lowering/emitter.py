"""A builder with methods for the LLVM operations that conversions emit often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.llvm import enums as llvm_enums, types as llvm_types
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate
from tilewright.dialects.llvm.ops.arithmetic import AddOp, MulOp
from tilewright.dialects.llvm.ops.control import CallOp
from tilewright.dialects.llvm.ops.conversion import PtrToIntOp
from tilewright.dialects.llvm.ops.memory import AllocaOp, GEPOp, LoadOp, StoreOp
from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import index
from tilewright.ir.location import LazyLocation
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.inserting import RewritingInserter
from tilewright.rewrite.rewriter import Rewriter


class LlvmEmitter(RewritingInserter[Rewriter]):
    """Inserts operations of `llvm` through a rewriter, all at one location. ``index_type`` is the LLVM
    integer type that `index` converts to.
    """

    __slots__ = ("index_type",)

    def __init__(self, rewriter: Rewriter, location: Location | LazyLocation, index_type: Type) -> None:
        super().__init__(rewriter, location)
        self.index_type = index_type

    # --- constants

    def constant(self, value: Attribute, type: Type) -> Value:
        """Insert ``llvm.mlir.constant`` and return its value."""
        return self(llvm_aggregate.ConstantOp, value, type=type)

    def index(self, value: int, type: Type | None = None) -> Value:
        """Insert a constant of ``type``, by default the LLVM integer type that `index` converts to, and
        return its value.
        """
        return self.constant(IntegerAttr(index, value), type or self.index_type)

    def integer(self, value: int, type: Type) -> Value:
        """Insert an integer constant and return its value."""
        return self.constant(IntegerAttr(type, value), type)

    def poison(self, type: Type) -> Value:
        """Return a poison value of `type`, into which the members of an aggregate are inserted."""
        return self(llvm_aggregate.PoisonOp, type=type)

    # --- aggregates

    def extract(self, container: Value, *position: int) -> Value:
        """Insert ``llvm.extractvalue`` and return the member of a struct or array at `position`, a path
        through nested aggregates.
        """
        return self(llvm_aggregate.ExtractValueOp, container, position)

    def insert_into(self, container: Value, value: Value, *position: int) -> Value:
        """Insert ``llvm.insertvalue`` and return `container` with the member at `position`, a path through
        nested aggregates, replaced by `value`.
        """
        return self(llvm_aggregate.InsertValueOp, container, value, position)

    def pack(self, type: Type, values: Sequence[Value]) -> Value:
        """Return a struct of type `type` whose members are `values`, in order."""
        packed = self.poison(type)
        for position, value in enumerate(values):
            packed = self.insert_into(packed, value, position)
        return packed

    # --- arithmetic

    def add(self, left: Value, right: Value, **named: Any) -> Value:
        """Insert ``llvm.add`` and return the sum of two integers. ``named`` are attributes, such as
        ``overflowFlags``.
        """
        return self(AddOp, left, right, **named)

    def multiply(self, left: Value, right: Value, **named: Any) -> Value:
        """Insert ``llvm.mul`` and return the product of two integers. ``named`` are attributes, such as
        ``overflowFlags``.
        """
        return self(MulOp, left, right, **named)

    # --- memory

    def address(
        self,
        base: Value,
        positions: Sequence[Value | int],
        element_type: Type,
        flags: llvm_enums.PointerWrapFlags = llvm_enums.PointerWrapFlags.NONE,
    ) -> Value:
        """Insert ``llvm.getelementptr`` from `base`, with the indices `positions` and the element type
        `element_type`, and return the address. `flags` are the assumptions about the arithmetic, such as that
        it does not wrap around; by default there are none.
        """
        raw = [at if isinstance(at, int) else llvm_types.DYNAMIC_POSITION for at in positions]
        dynamic = [at for at in positions if isinstance(at, Value)]
        return self(
            GEPOp,
            base=base,
            rawConstantIndices=raw,
            elem_type=element_type,
            dynamicIndices=dynamic,
            noWrapFlags=flags,
            type=base.type,
        )

    def load(self, address: Value, type: Type, **named: Any) -> Value:
        """Insert a load of `type` from `address` and return its value. ``named`` are attributes, such as
        ``alignment`` in bytes.
        """
        return self(LoadOp, addr=address, type=type, **named)

    def store(self, value: Value, address: Value, **named: Any) -> None:
        """Insert a store of `value` to `address`. ``named`` are attributes such as ``alignment``, which is in
        bytes.
        """
        self.insert(StoreOp, value=value, addr=address, **named)

    def stack_slot(
        self, type: Type, count: Value | None = None, space: int = 0, alignment: int | None = None
    ) -> Value:
        """Insert ``llvm.alloca`` for ``count`` values of a type (one unless given), and return the address,
        which is in the LLVM address space ``space``. ``alignment`` is in bytes.
        """
        count = count if count is not None else self.index(1)
        pointer = llvm_types.LLVMPointerType(space)
        return self(AllocaOp, arraySize=count, elem_type=type, alignment=alignment, type=pointer)

    def size_of(self, type: Type, count: Value | None = None) -> Value:
        """Return the size in bytes of ``count`` consecutive values of a type (one unless given), as the
        address of element ``count`` from null.
        """
        null = self(llvm_aggregate.ZeroOp, type=llvm_types.LLVMPointerType(0))
        end = self.address(null, [1 if count is None else count], type)
        return self(PtrToIntOp, end, type=self.index_type)

    def call(self, callee: str, operands: Sequence[Value], results: Sequence[Type] = ()) -> Operation:
        """Insert a call of the function named `callee`, with the result types `results`, and return the
        operation.
        """
        return self.insert(
            CallOp, op_bundle_sizes=(), callee_operands=operands, callee=callee, result_types=list(results)
        )
