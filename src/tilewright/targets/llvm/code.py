"""Appends operations of the `llvm` dialect, block by block: what the rules of the CPU back end write code with.

Positions and extents are `Index`: a Python number as long as it is known, a 64-bit value otherwise.  Arithmetic on
numbers makes no code.  Constants stand in the entry block, once each.  What is pure is computed once in each block, and
in front of the loops that do not change it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from tilewright.dialects.llvm.enums import IntegerPredicate, PointerWrapFlags
from tilewright.dialects.llvm.loop_attributes import LoopAnnotationAttr, LoopUnrollAttr, LoopVectorizeAttr
from tilewright.dialects.llvm.ops import arithmetic, control
from tilewright.dialects.llvm.ops.aggregate import ConstantOp, InsertElementOp, PoisonOp, ShuffleVectorOp
from tilewright.dialects.llvm.ops.conversion import SExtOp, TruncOp, ZExtOp
from tilewright.dialects.llvm.ops.memory import AllocaOp, GEPOp, LoadOp, StoreOp
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import (
    DenseElementsAttr,
    IntegerAttr,
    dense,
    dense_integers,
    float_attribute,
    splat,
)
from tilewright.ir.builtin_types import FloatType, IntegerType, VectorType, i1, i8, i64
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.location import UNKNOWN, LazyLocation
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.arithmetic import Arithmetic

Index = Value | int
"""A position, extent or distance: known now, or a 64-bit value."""
POINTER = LLVMPointerType(0)
DYNAMIC = -(1 << 31)
"""Stands for an operand among the constant positions of ``llvm.getelementptr``."""
WRITTEN_OUT = LoopAnnotationAttr(
    vectorize=LoopVectorizeAttr(disable=True), unroll=LoopUnrollAttr(disable=True), mustProgress=True
)
"""Advice on our loops: they are vectorised and unrolled as they should be."""


INBOUNDS = PointerWrapFlags.INBOUNDS
ALIGNMENTS: dict[int, Any] = {1 << bits: IntegerAttr(i64, 1 << bits) for bits in range(13)}
"""Alignments in bytes, as attributes: operations with equal attributes share them."""


@dataclass(frozen=True, slots=True)
class Loop:
    """The inside of a loop: the position, and the values that the last iteration left.

    ``before`` is the jump into it: what does not change with the position can stand in front of that.
    """

    index: Index
    carried: tuple[Value, ...]
    before: Operation | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """Makes ``getelementptr`` from attributes that stand already: there are many, and few different ones."""

    attributes: Mapping[str, Attribute]
    op_kind: ClassVar[OperationKind] = GEPOp.op_kind

    def __call__(self, *operands: Value, location: Location | LazyLocation) -> Operation:
        types = (operands[0].type,)
        return Operation.from_parts(self.op_kind, operands, types, self.attributes, location=location)


class Code(Arithmetic[Value]):
    """Where code is written: a function's blocks, the current one last in text."""

    one_nan: ClassVar[frozenset[FloatType]] = frozenset()
    """Formats to which the target converts any NaN as one and the same."""

    def __init__(self, region: Region) -> None:
        self.region = region
        self.entry = region.blocks[0]
        self.block = self.entry
        self.depth = 0
        """In how many of the loops that are being written code comes; less than all of them: in front of one."""
        self.location: Location | LazyLocation = UNKNOWN
        self._steps: dict[tuple[int, Type], _Step] = {}
        self._constants: dict[tuple[Attribute, Type], Value] = {}
        self._last_constant: Operation | None = None
        self.even: set[Value] = set()
        """Positions of loops that are even in every iteration."""
        self._written: dict[Hashable, Value] = {}
        """Pure results, by what they are the result of and in which block."""
        self._fronts: list[Operation] = []
        """The jumps into the loops that are being written, outermost first."""
        self._depths: dict[Value, int] = {}
        """In how many loops values stand; in none unless it is said here."""

    # --- operations

    def insert(self, op: Operation) -> Operation:
        """Put an operation at the end of the current block."""
        op.lazy_location = self.location
        return self._place(op, self.depth)

    def _place(self, op: Operation, depth: int) -> Operation:
        """Put an operation where code in so many loops comes."""
        self._note(op.results, depth)
        if depth == len(self._fronts):
            return self.block.append(op)
        return self._home(depth).insert_before(self._fronts[depth], op)

    def _home(self, depth: int) -> Block:
        """The block in which code in so many loops is written now."""
        home = self.block if depth == len(self._fronts) else self._fronts[depth].parent
        assert home is not None
        return home

    def _note(self, values: Sequence[Value], depth: int) -> None:
        if depth:
            self._depths.update(dict.fromkeys(values, depth))

    @contextmanager
    def inside(self, before: Operation) -> Generator[None]:
        """Emit a loop; its preheader's branch is its only entry."""
        self._fronts.append(before)
        self.depth += 1
        yield
        self._fronts.pop()
        self.depth -= 1

    @contextmanager
    def in_front_of(self, anchor: Operation | None) -> Generator[None]:
        """Emit in front of a loop, given by its preheader's branch, for a while; None keeps the insertion point."""
        kept = self.depth
        if anchor is not None:
            self.depth = self._fronts.index(anchor)
        yield
        self.depth = kept

    def __call__(self, op_class: Any, *arguments: Any, type: Type | None = None, **named: Any) -> Value:
        """The result of an operation, of ``type`` unless that follows from the operands.

        A pure one is only written if its like does not stand there already.
        """
        if type is not None:
            named["result_types"] = (type,)
        if Pure not in op_class.op_kind.trait_classes:
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
        """The loops around up to the innermost one that changes any of some values; what is no value stays the same."""
        depths, found = self._depths, 0
        for part in parts:
            is_nested = type(part) is tuple
            depth = self._changing(cast("tuple[Any, ...]", part)) if is_nested else depths.get(part, 0)
            if depth > found:
                found = depth
        return min(found, self.depth)

    def is_in_front(self, value: Value) -> bool:
        """Whether a value stands in front of the innermost loop that is being written."""
        return self._depths.get(value, 0) < self.depth

    def effect(self, op_class: Any, *arguments: Any, **named: Any) -> Operation:
        """Append an operation that has no result."""
        return self._place(op_class(*arguments, location=self.location, **named), self.depth)

    # --- constants

    def constant(self, value: Attribute, type: Type) -> Value:
        """A constant, which stands in the entry block."""
        known = self._constants.get((value, type))
        if known is None:
            op = ConstantOp(value, result_types=[type])
            if self._last_constant is None:
                self.entry.prepend(op)
            else:
                self.entry.insert_after(self._last_constant, op)
            self._last_constant = op
            known = self._constants[value, type] = op.results[0]
        return known

    def integer(self, value: int, type: Type = i64) -> Value:
        """An integer, or a vector of it."""
        if isinstance(type, VectorType):
            return self.constant(splat(type, value), type)
        return self.constant(IntegerAttr(type, value), type)

    def float(self, value: float, type: Type) -> Value:
        """A floating-point number, or a vector of it."""
        if isinstance(type, VectorType):
            return self.constant(splat(type, value), type)
        assert isinstance(type, FloatType)
        return self.constant(float_attribute(value, type), type)

    def numbers(self, values: Sequence[float], element: Type) -> Value:
        """A vector of known numbers."""
        type = VectorType((len(values),), element)
        return self.constant(dense(type, values), type)

    def true(self) -> Value:
        """The bit 1."""
        return self.integer(1, i1)

    def value(self, index: Index) -> Value:
        """A position as a 64-bit value."""
        return self.integer(index) if isinstance(index, int) else index

    # --- positions

    def combine(self, operation: type[Operation], left: Index, right: Index) -> Value:
        """A sum, product, minimum or maximum of positions of which not both are numbers."""
        return self(operation, self.value(left), self.value(right))

    def compare(self, relation: str, left: Index, right: Index) -> Value:
        """A comparison of signed positions by the name of an `IntegerPredicate`."""
        return self(
            arithmetic.ICmpOp, IntegerPredicate[relation.upper()], self.value(left), self.value(right)
        )

    def compare_integers(self, relation: str, left: Value, right: Value) -> Value:
        """A comparison of integers of one type by the name of an `IntegerPredicate`."""
        return self(arithmetic.ICmpOp, IntegerPredicate[relation.upper()], left, right)

    def sum(self, left: Value, right: Value) -> Value:
        """The sum of integers of one type."""
        return self(arithmetic.AddOp, left, right)

    def both(self, conditions: Sequence[Value]) -> Value:
        """Whether all conditions hold; true if there are none."""
        if not conditions:
            return self.true()
        result = conditions[0]
        for condition in conditions[1:]:
            result = self(arithmetic.AndOp, result, condition)
        return result

    def index(self, value: Value, *, signed: bool = True) -> Value:
        """An integer of any width as a position."""
        width = value.type.width if isinstance(value.type, IntegerType) else 64
        if width == 64:
            return value
        extension = (SExtOp if signed else ZExtOp) if width < 64 else TruncOp
        return self(extension, value, type=i64)

    # --- vectors

    def poison(self, type: Type) -> Value:
        """A value that is nowhere used as it is."""
        return self(PoisonOp, type=type)

    def broadcast(self, value: Value, lanes: int) -> Value:
        """A vector of one value."""
        type = VectorType((lanes,), value.type)
        defined = value.owner
        if isinstance(defined, ConstantOp) and isinstance(value.type, IntegerType | FloatType):
            held: Any = defined.value
            bits = held.bits if isinstance(value.type, FloatType) else held.value
            return self._splat_bits(type, bits)
        first = self(InsertElementOp, self.poison(type), value, self.integer(0), type=type)
        return self.shuffle(first, first, [0] * lanes)

    def _splat_bits(self, type: VectorType, bits: int) -> Value:
        element: Any = type.element_type
        size = max(1, (element.width + 7) // 8)
        data = (bits & ((1 << element.width) - 1)).to_bytes(size, "little")
        return self.constant(DenseElementsAttr(type, data), type)

    def shuffle(self, first: Value, second: Value, mask: Sequence[int]) -> Value:
        """Elements of two vectors by constant position; -1 for any."""
        element: Any = first.type
        return self(
            ShuffleVectorOp, first, second, tuple(mask), type=VectorType((len(mask),), element.element_type)
        )

    def steps(self, lanes: int, element: Type = i64, stride: int = 1) -> Value:
        """The vector 0, 1, 2, ... times a stride."""
        return self.numbers([lane * stride for lane in range(lanes)], element)

    # --- memory

    def address(self, base: Value, offset: Index, element: Type = i8) -> Value:
        """The place ``offset`` elements behind a pointer."""
        if isinstance(offset, int) and offset == 0:
            return base
        if isinstance(offset, int) and abs(offset) < 1 << 31:
            return self._address((base,), offset, element)
        return self._address((base, self.value(offset)), DYNAMIC, element)

    def element(self, base: Value, at: Sequence[Index], strides: Sequence[Index], type: Type) -> Value:
        """The place of an element by its coordinates; the steps that loops change come last."""
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
            indices: Any = dense_integers(
                (position,)
            )  # an attribute, so that all such operations share theirs
            sample = GEPOp(operands[0], indices, element, operands[1:], INBOUNDS, result_types=[POINTER])
            step = self._steps[position, element] = _Step(sample.held_attributes)
            sample.erase()
        return self(step, *operands)

    def load(self, address: Value, type: Type, alignment: int, **named: Any) -> Value:
        """Read a value."""
        return self(LoadOp, address, alignment=ALIGNMENTS[alignment], type=type, **named)

    def store(self, value: Value, address: Value, alignment: int, **named: Any) -> None:
        """Write a value."""
        self.effect(StoreOp, value, address, alignment=ALIGNMENTS[alignment], **named)

    def stack(self, count: int, element: Type, alignment: int) -> Value:
        """Memory on the stack of the function, for all its life."""
        size = self.integer(count)
        op = AllocaOp(size, element, alignment=alignment, result_types=[POINTER])
        assert self._last_constant is not None
        self.entry.insert_after(self._last_constant, op)
        return op.results[0]

    # --- control

    def new_block(self, types: Sequence[Type] = ()) -> Block:
        """A block with arguments, not yet in the function."""
        return Block(list(types))

    def enter(self, block: Block) -> None:
        """Go on writing in a block, which comes next in the function."""
        self.region.append(block)
        self.block = block
        self._note(block.arguments, self.depth)

    def jump(
        self, block: Block, values: Sequence[Value] = (), advice: LoopAnnotationAttr | None = None
    ) -> Operation:
        """End the current block by going to another."""
        return self.effect(control.BrOp, tuple(values), loop_annotation=advice, dest=block)

    def fork(
        self,
        condition: Value,
        yes: Block,
        no: Block,
        yes_values: Sequence[Value] = (),
        no_values: Sequence[Value] = (),
        advice: LoopAnnotationAttr | None = None,
    ) -> Operation:
        """End the current block by going to one of two others."""
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
        body: Callable[[Loop], Sequence[Value]],
        *,
        may_be_empty: bool = False,
    ) -> tuple[Value, ...]:
        """Iterations from ``start`` up to ``stop``; returns the last carried values (``carried`` if there was no iteration).

        Without ``may_be_empty`` there is at least one iteration.  One iteration of known position makes no loop.
        """
        if isinstance(start, int) and isinstance(stop, int):
            if start >= stop:
                return tuple(carried)
            if start + step >= stop:
                return tuple(body(Loop(start, tuple(carried))))
            may_be_empty = False
        types = [value.type for value in carried]
        head, done = self.new_block([i64, *types]), self.new_block(types)
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
            left = body(Loop(position, tuple(held), before))
            following = self.value(self.add(position, step))
            again = self.compare("slt", following, stop)
            self.fork(again, head, done, [following, *left], left, WRITTEN_OUT)
        self.enter(done)
        return tuple(done.arguments)

    def each(self, stop: int, step: int, body: Callable[[Index], None]) -> None:
        """Iterations from 0 up to ``stop`` that leave nothing."""

        def round(loop: Loop) -> Sequence[Value]:
            body(loop.index)
            return ()

        self.loop(0, stop, step, (), round)

    def until(self, first: Value, round: Callable[[Value], tuple[Value, Value]]) -> Value:
        """Rounds that end when the second answer of one is true; the first answer goes to the next round, and is the result."""
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
        """Run one of two pieces of code; answers what it left."""
        first, second, done = self.new_block(), self.new_block(), self.new_block(types)
        self.fork(condition, first, second)
        self.enter(first)
        self.jump(done, yes())
        self.enter(second)
        self.jump(done, no())
        self.enter(done)
        return tuple(done.arguments)
