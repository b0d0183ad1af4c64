"""A builder of `llvm` operations, block by block, for the rules of back ends.

Indices and extents are `Index`: a Python number if it is known, otherwise a 64-bit value. Arithmetic on
numbers emits no code. Constants are in the entry block, without duplicates. A pure operation is emitted once
in each block, and before the loops that do not change its operands.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from tilewright.dialects.llvm.enums import IntegerPredicate, PointerWrapFlags
from tilewright.dialects.llvm.loop_attributes import LoopAnnotationAttr, LoopUnrollAttr, LoopVectorizeAttr
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, arithmetic, control
from tilewright.dialects.llvm.ops.conversion import SExtOp, TruncOp, ZExtOp
from tilewright.dialects.llvm.ops.memory import AllocaOp, GEPOp, LoadOp, StoreOp
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types, location as ir_location
from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.declaration import kind as declaration_kind, traits as ir_traits
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.arithmetic import PositionArithmetic

Index = Value | int
"""An index, extent or distance: a Python number if it is known, otherwise a 64-bit value."""
POINTER = LLVMPointerType(0)
DYNAMIC = -(1 << 31)
"""The marker of an operand among the constant indices of ``llvm.getelementptr``."""
WRITTEN_OUT = LoopAnnotationAttr(
    vectorize=LoopVectorizeAttr(disable=True), unroll=LoopUnrollAttr(disable=True), mustProgress=True
)
"""The annotation of generated loops: they are vectorised and unrolled already."""


INBOUNDS = PointerWrapFlags.INBOUNDS
ALIGNMENTS: dict[int, Any] = {
    1 << bits: builtin_attributes.IntegerAttr(builtin_types.i64, 1 << bits) for bits in range(13)
}
"""Alignments in bytes, as attributes that operations share."""


@dataclass(frozen=True, slots=True)
class LoopBody:
    """The inside of a loop: the index, and the values that the previous iteration carried. `before` is the
    branch into the loop: loop-invariant code can be emitted before it. It is None if the loop has a single
    iteration, which needs no branch.
    """

    index: Index
    carried: tuple[Value, ...]
    before: Operation | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """Makes ``getelementptr`` operations that share their attributes: these operations are frequent, and few
    attributes differ.
    """

    attributes: Mapping[str, Attribute]
    op_kind: ClassVar[declaration_kind.OperationKind] = GEPOp.op_kind

    def __call__(self, *operands: Value, location: Location | ir_location.LazyLocation) -> Operation:
        types = (operands[0].type,)
        return Operation.from_parts(self.op_kind, operands, types, self.attributes, location=location)


class LlvmBuilder(PositionArithmetic[Value]):
    """Emits operations of `llvm` in a function, at the end of the current block, which is the last in text
    order.
    """

    one_nan: ClassVar[frozenset[builtin_types.FloatType]] = frozenset()
    """Formats in which instructions of the target have a single NaN result. Memory may hold this NaN, and not the
    canonical NaN of the interpreter.
    """

    def __init__(self, region: ir_block.Region) -> None:
        self.region = region
        self.entry = region.blocks[0]
        self.block = self.entry
        self.depth = 0
        """The number of open loops that contain the insertion point; it is smaller in code before a loop."""
        self.location: Location | ir_location.LazyLocation = ir_location.UNKNOWN
        self._steps: dict[tuple[int, Type], _Step] = {}
        self._constants: dict[tuple[Attribute, Type], Value] = {}
        self._last_constant: Operation | None = None
        self.even: set[Value] = set()
        """Loop indices that are even in every iteration."""
        self._written: dict[Hashable, Value] = {}
        """Results of pure operations, for reuse, by the operation's class, operands and block."""
        self._fronts: list[Operation] = []
        """The branches into the open loops, outermost first."""
        self._depths: dict[Value, int] = {}
        """The number of loops around each value; 0 for other values."""

    # --- operations

    def insert(self, op: Operation) -> Operation:
        """Append `op`, with the current location, to the current block, or inside of `in_front_of` before
        that loop. Return `op`.
        """
        op.lazy_location = self.location
        return self._place(op, self.depth)

    def _place(self, op: Operation, depth: int) -> Operation:
        """Insert `op` as code inside of `depth` open loops: at the end of the current block, or before the
        next inner loop that is open. Record the depth of its results, and return it.
        """
        self._note(op.results, depth)
        if depth == len(self._fronts):
            return self.block.append(op)
        return self._home(depth).insert_before(self._fronts[depth], op)

    def _home(self, depth: int) -> ir_block.Block:
        """Return the current block of code inside `depth` open loops."""
        home = self.block if depth == len(self._fronts) else self._fronts[depth].parent
        assert home is not None
        return home

    def _note(self, values: Sequence[Value], depth: int) -> None:
        if depth:
            self._depths.update(dict.fromkeys(values, depth))

    @contextmanager
    def inside(self, before: Operation) -> Generator[None]:
        """Treat the code that is emitted inside of the ``with`` block as the inside of a loop; `before` is
        the branch that enters the loop.
        """
        self._fronts.append(before)
        self.depth += 1
        yield
        self._fronts.pop()
        self.depth -= 1

    @contextmanager
    def in_front_of(self, anchor: Operation | None) -> Generator[None]:
        """Emit the code of the ``with`` block before the open loop that the branch `anchor` enters; `None`:
        at the current position.
        """
        kept = self.depth
        if anchor is not None:
            self.depth = self._fronts.index(anchor)
        yield
        self.depth = kept

    def __call__(self, op_class: Any, *arguments: Any, type: Type | None = None, **named: Any) -> Value:
        """Emit an operation and return its first result, of `type` unless the operands determine it. A pure
        operation is emitted before the loops that do not change its operands, and only if there is no equal
        operation in that block.
        """
        if type is not None:
            named["result_types"] = (type,)
        if ir_traits.Pure not in op_class.op_kind.trait_classes:
            return self._place(op_class(*arguments, location=self.location, **named), self.depth).results[0]
        parts = (*arguments, *named.values()) if named else arguments
        depth = self._changing(parts) if self.depth else 0
        key = (self._home(depth), op_class, *named, parts)
        known = self._written.get(key)
        if known is None:
            made = op_class(*arguments, location=self.location, **named)
            known = self._written[key] = self._place(made, depth).results[0]
        return known

    def _changing(self, parts: Sequence[Any]) -> int:
        """Return how many open loops contain the definition of some of the values: code with these operands
        cannot be emitted before the innermost of these loops.

        Members of ``parts`` that are no values count 0; tuples are searched.
        """
        depths, found = self._depths, 0
        for part in parts:
            is_nested = type(part) is tuple
            depth = self._changing(cast("tuple[Any, ...]", part)) if is_nested else depths.get(part, 0)
            if depth > found:
                found = depth
        return min(found, self.depth)

    def is_in_front(self, value: Value) -> bool:
        """Return whether a value is defined before the innermost open loop; false without an open loop."""
        return self._depths.get(value, 0) < self.depth

    def effect(self, op_class: Any, *arguments: Any, **named: Any) -> Operation:
        """Emit an operation, such as a store or a branch, and return the operation; it is never merged with
        an equal one.
        """
        return self._place(op_class(*arguments, location=self.location, **named), self.depth)

    # --- constants

    def constant(self, value: Attribute, type: Type) -> Value:
        """Return the constant `value` of the type `type`, defined in the entry block; equal constants are one
        value.
        """
        known = self._constants.get((value, type))
        if known is None:
            op = llvm_aggregate.ConstantOp(value, result_types=[type])
            if self._last_constant is None:
                self.entry.prepend(op)
            else:
                self.entry.insert_after(self._last_constant, op)
            self._last_constant = op
            known = self._constants[value, type] = op.results[0]
        return known

    def integer(self, value: int, type: Type = builtin_types.i64) -> Value:
        """Return the integer constant `value` of the type `type`; for a vector type, `value` is in each lane."""
        if isinstance(type, builtin_types.VectorType):
            return self.constant(builtin_attributes.splat(type, value), type)
        return self.constant(builtin_attributes.IntegerAttr(type, value), type)

    def float(self, value: float, type: Type) -> Value:
        """Return the floating-point constant `value`, rounded to the type `type`; for a vector type, `value`
        is in each lane.
        """
        if isinstance(type, builtin_types.VectorType):
            return self.constant(builtin_attributes.splat(type, value), type)
        assert isinstance(type, builtin_types.FloatType)
        return self.constant(builtin_attributes.float_attribute(value, type), type)

    def numbers(self, values: Sequence[float], element: Type) -> Value:
        """Return a constant vector with `values` as lanes, of type `element`."""
        type = builtin_types.VectorType((len(values),), element)
        return self.constant(builtin_attributes.dense(type, values), type)

    def true(self) -> Value:
        """Return the i1 constant 1."""
        return self.integer(1, builtin_types.i1)

    def value(self, index: Index) -> Value:
        """Return an index as a 64-bit value."""
        return self.integer(index) if isinstance(index, int) else index

    # --- indices

    def combine(self, operation: type[Operation], left: Index, right: Index) -> Value:
        """Return the result of the integer operation `operation`, such as `llvm.add`, on two indices; at
        least one of them is a value.
        """
        return self(operation, self.value(left), self.value(right))

    def compare(self, relation: str, left: Index, right: Index) -> Value:
        """Return the i1 result of a comparison of two indices; `relation` is the name of an
        `IntegerPredicate` in lower or upper case, such as ``slt``.
        """
        return self(
            arithmetic.ICmpOp, IntegerPredicate[relation.upper()], self.value(left), self.value(right)
        )

    def compare_integers(self, relation: str, left: Value, right: Value) -> Value:
        """Return the i1 result of a comparison of integers of equal type; `relation` is the name of an
        `IntegerPredicate` in lower or upper case, such as ``ult``.
        """
        return self(arithmetic.ICmpOp, IntegerPredicate[relation.upper()], left, right)

    def sum(self, left: Value, right: Value) -> Value:
        """Return the sum of integers of equal type."""
        return self(arithmetic.AddOp, left, right)

    def both(self, conditions: Sequence[Value]) -> Value:
        """Return the conjunction of conditions; true for an empty sequence."""
        if not conditions:
            return self.true()
        result = conditions[0]
        for condition in conditions[1:]:
            result = self(arithmetic.AndOp, result, condition)
        return result

    def index(self, value: Value, *, signed: bool = True) -> Value:
        """Return an integer as a 64-bit index. A narrower integer is sign-extended, or zero-extended unless
        `signed`; a wider one is truncated. A value that is no integer is returned unchanged.
        """
        width = value.type.width if isinstance(value.type, builtin_types.IntegerType) else 64
        if width == 64:
            return value
        extension = (SExtOp if signed else ZExtOp) if width < 64 else TruncOp
        return self(extension, value, type=builtin_types.i64)

    # --- vectors

    def poison(self, type: Type) -> Value:
        """Return a poison value, for a value without uses of its contents."""
        return self(llvm_aggregate.PoisonOp, type=type)

    def broadcast(self, value: Value, lanes: int) -> Value:
        """Return a vector of `lanes` lanes, each the scalar `value`. A constant gives a constant."""
        type = builtin_types.VectorType((lanes,), value.type)
        defined = value.owner
        if isinstance(defined, llvm_aggregate.ConstantOp) and isinstance(
            value.type, builtin_types.IntegerType | builtin_types.FloatType
        ):
            held: Any = defined.value
            bits = held.bits if isinstance(value.type, builtin_types.FloatType) else held.value
            return self._splat_bits(type, bits)
        first = self(llvm_aggregate.InsertElementOp, self.poison(type), value, self.integer(0), type=type)
        return self.shuffle(first, first, [0] * lanes)

    def _splat_bits(self, type: builtin_types.VectorType, bits: int) -> Value:
        element: Any = type.element_type
        size = max(1, (element.width + 7) // 8)
        data = (bits & ((1 << element.width) - 1)).to_bytes(size, "little")
        return self.constant(builtin_attributes.DenseElementsAttr(type, data), type)

    def shuffle(self, first: Value, second: Value, mask: Sequence[int]) -> Value:
        """Return a vector of the elements that `mask` selects from the vectors `first` and `second` by
        constant indices: the elements of `second` are numbered after all elements of `first`, and -1 is an
        arbitrary element.
        """
        element: Any = first.type
        return self(
            llvm_aggregate.ShuffleVectorOp,
            first,
            second,
            tuple(mask),
            type=builtin_types.VectorType((len(mask),), element.element_type),
        )

    def steps(self, lanes: int, element: Type = builtin_types.i64, stride: int = 1) -> Value:
        """Return a constant vector of `lanes` lanes of the type `element`: the lane numbers times `stride`,
        ``0, stride, 2 * stride, ...``.
        """
        return self.numbers([lane * stride for lane in range(lanes)], element)

    # --- memory

    def address(self, base: Value, offset: Index, element: Type = builtin_types.i8) -> Value:
        """Return the pointer `offset` elements of type `element` (by default bytes) after `base`."""
        if isinstance(offset, int) and offset == 0:
            return base
        if isinstance(offset, int) and abs(offset) < 1 << 31:
            return self._address((base,), offset, element)
        return self._address((base, self.value(offset)), DYNAMIC, element)

    def element(self, base: Value, at: Sequence[Index], strides: Sequence[Index], type: Type) -> Value:
        """Return the address of the element of `type` with the indices `at`, for `strides` in elements, from
        `base` on. The offsets that vary in inner loops are added last.
        """
        offsets: dict[int, Index] = {}
        for coordinate, stride in zip(at, strides, strict=True):
            depth = self._changing((coordinate, stride))
            offsets[depth] = self.add(offsets.get(depth, 0), self.multiply(coordinate, stride))
        for depth in sorted(offsets):
            base = self.address(base, offsets[depth], type)
        return base

    def _address(self, operands: tuple[Value, ...], position: int, element: Type) -> Value:
        step = self._steps.get((position, element))
        if step is None:
            indices: Any = builtin_attributes.dense_integers(
                (position,)
            )  # an attribute, so that all such operations share theirs
            sample = GEPOp(operands[0], indices, element, operands[1:], INBOUNDS, result_types=[POINTER])
            step = self._steps[position, element] = _Step(sample.held_attributes)
            sample.erase()
        return self(step, *operands)

    def load(self, address: Value, type: Type, alignment: int, **named: Any) -> Value:
        """Load a value from `address`. `alignment` is in bytes, a power of two; `named` are further arguments
        of `llvm.load`.
        """
        return self(LoadOp, address, alignment=ALIGNMENTS[alignment], type=type, **named)

    def store(self, value: Value, address: Value, alignment: int, **named: Any) -> None:
        """Store `value` to `address`. `alignment` is in bytes, a power of two; `named` are further arguments
        of `llvm.store`.
        """
        self.effect(StoreOp, value, address, alignment=ALIGNMENTS[alignment], **named)

    def stack(self, count: int, element: Type, alignment: int) -> Value:
        """Allocate stack memory for `count` elements, for the lifetime of the function, and return its
        address, a multiple of `alignment` bytes. The allocation is in the entry block.
        """
        size = self.integer(count)
        op = AllocaOp(size, element, alignment=alignment, result_types=[POINTER])
        assert self._last_constant is not None
        self.entry.insert_after(self._last_constant, op)
        return op.results[0]

    # --- control

    def new_block(self, types: Sequence[Type] = ()) -> ir_block.Block:
        """Return a block with arguments of `types`, which is not yet in the function."""
        return ir_block.Block(list(types))

    def enter(self, block: ir_block.Block) -> None:
        """Append `block` to the function and continue in it."""
        self.region.append(block)
        self.block = block
        self._note(block.arguments, self.depth)

    def jump(
        self, block: ir_block.Block, values: Sequence[Value] = (), advice: LoopAnnotationAttr | None = None
    ) -> Operation:
        """End the current block with a branch to `block` with `values` as its arguments, and return the
        branch. `advice` is the annotation of the loop that the branch closes.
        """
        return self.effect(control.BrOp, tuple(values), loop_annotation=advice, dest=block)

    def fork(
        self,
        condition: Value,
        yes: ir_block.Block,
        no: ir_block.Block,
        yes_values: Sequence[Value] = (),
        no_values: Sequence[Value] = (),
        advice: LoopAnnotationAttr | None = None,
    ) -> Operation:
        """End the current block with a conditional branch to `yes` or `no`, with the values of their
        arguments, and return the branch. `advice` is the annotation of the loop that the branch closes.
        """
        return self.effect(
            control.CondBrOp,
            condition,
            tuple(yes_values),
            tuple(no_values),
            loop_annotation=advice,
            trueDest=yes,
            falseDest=no,
        )

    def loop(
        self,
        start: Index,
        stop: Index,
        step: int,
        carried: Sequence[Value],
        body: Callable[[LoopBody], Sequence[Value]],
        *,
        may_be_empty: bool = False,
    ) -> tuple[Value, ...]:
        """Emit a loop from `start` to `stop`, exclusive. `body` emits an iteration and returns the values
        that it carries to the next. Returns the last carried values, or `carried` without an iteration.
        Unless `may_be_empty`, `start` must be less than `stop` if one of them is a value.
        """
        if isinstance(start, int) and isinstance(stop, int):
            if start >= stop:
                return tuple(carried)
            if start + step >= stop:
                return tuple(body(LoopBody(start, tuple(carried))))
            may_be_empty = False
        types = [value.type for value in carried]
        head, done = self.new_block([builtin_types.i64, *types]), self.new_block(types)
        first = self.value(start)
        if may_be_empty:
            before = self.fork(self.compare("slt", start, stop), head, done, [first, *carried], carried)
        else:
            before = self.jump(head, [first, *carried])
        with self.inside(before):
            self.enter(head)
            position, *held = head.arguments
            if step % 2 == 0 and isinstance(start, int) and start % 2 == 0:
                self.even.add(position)
            left = body(LoopBody(position, tuple(held), before))
            following = self.value(self.add(position, step))
            again = self.compare("slt", following, stop)
            self.fork(again, head, done, [following, *left], left, WRITTEN_OUT)
        self.enter(done)
        return tuple(done.arguments)

    def each(self, stop: int, step: int, body: Callable[[Index], None]) -> None:
        """Emit a loop from 0 to `stop`, exclusive, in steps of `step`, without carried values; `body` gets
        the index.
        """

        def round(loop: LoopBody) -> Sequence[Value]:
            body(loop.index)
            return ()

        self.loop(0, stop, step, (), round)

    def until(self, first: Value, round: Callable[[Value], tuple[Value, Value]]) -> Value:
        """Emit a loop that repeats `round` until its second result, an i1, is true, and return its first
        result of the last iteration. `round` emits an iteration: it gets ``first`` in the first iteration,
        and then the first result of the iteration before.
        """
        again, done = self.new_block([first.type]), self.new_block()
        self.jump(again, [first])
        self.enter(again)
        found, is_done = round(again.arguments[0])
        self.fork(is_done, done, again, [], [found])
        self.enter(done)
        return found

    def either(
        self,
        condition: Value,
        yes: Callable[[], Sequence[Value]],
        no: Callable[[], Sequence[Value]],
        types: Sequence[Type] = (),
    ) -> tuple[Value, ...]:
        """Emit a conditional with two branches; `yes` and `no` emit their code, and return values of `types`
        (by default none). Return the values of the branch that is executed.
        """
        first, second, done = self.new_block(), self.new_block(), self.new_block(types)
        self.fork(condition, first, second)
        self.enter(first)
        self.jump(done, yes())
        self.enter(second)
        self.jump(done, no())
        self.enter(done)
        return tuple(done.arguments)
