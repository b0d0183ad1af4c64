"""Queues: regions of a program that run concurrently pass tuples to each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.nv_tileaa.constraints import COUNT, I32, QUEUE, TileDialectOp
from tilewright.dialects.nv_tileaa.types import QueueType
from tilewright.ir import block as ir_block, builtin_attributes
from tilewright.ir.attribute import Type
from tilewright.ir.declaration import fields, traits as ir_traits
from tilewright.ir.declaration.attribute_kind import DictionaryKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

QUEUE_DOC = "The queue."
POSITION = "The number of the tuple, counted from 0."


def tuple_types(queue: Type) -> tuple[Type, ...]:
    """Return the types of the tuples that a queue holds."""
    assert isinstance(queue, QueueType), "the operand constraint holds"
    return queue.element_types


def check_tuple(words: str, found: Sequence[Type], queue: Type) -> None:
    """Raise `VerifyError` unless `found` are the types of the tuples in a queue; `words` names them in the
    message.
    """
    wanted = tuple_types(queue)
    if tuple(found) != wanted:
        listed = ", ".join(map(str, wanted))
        raise ir_traits.VerifyError(f"expects {words} of the types of the queue ({listed})")


class CreateQueueOp(TileDialectOp, name="nv_tileaa.create_queue"):
    """Creates an empty queue for ``depth`` tuples, at least one."""

    depth: int = fields.attr_def(COUNT, "How many tuples it holds at most.")
    result: Value = fields.result_def(QUEUE, QUEUE_DOC)
    verifies_locally = True

    def verify_(self) -> None:
        if self.depth < 1:
            raise ir_traits.VerifyError("expects a queue of at least one tuple")


class QueueGetOp(TileDialectOp, name="nv_tileaa.queue.get"):
    """Waits for the tuple with the number `position`, counted from 0, and removes it from the queue. Unused
    results may be dropped, with their members of the tuple.
    """

    queue: Value = fields.operand_def(QUEUE, QUEUE_DOC)
    position: Value = fields.operand_def(I32, POSITION)
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, "The tuple.")
    verifies_locally = True

    def verify_(self) -> None:
        check_tuple("results", self.result_types, self.queue.type)


class QueuePutOp(TileDialectOp, name="nv_tileaa.queue.put"):
    """Waits for a free slot of the queue, and stores the tuple that the region yields; `position` is its
    number, counted from 0.
    """

    queue: Value = fields.operand_def(QUEUE, QUEUE_DOC)
    position: Value = fields.operand_def(I32, POSITION)
    body: ir_block.Region = fields.region_def("Computes the tuple.")
    traits = (ir_traits.SingleBlock(), ir_traits.ImplicitTerminator("nv_tileaa.queue.yield"))

    def verify_regions_(self) -> None:
        last = self.body.blocks[0].last
        check_tuple("a region that yields values", last.operand_types if last else (), self.queue.type)


class QueueYieldOp(TileDialectOp, name="nv_tileaa.queue.yield"):
    """Ends the region that computes a tuple."""

    operands_: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The tuple.", default=())
    traits = (ir_traits.HasParent("nv_tileaa.queue.put"), ir_traits.Terminator())


class ExecuteOp(TileDialectOp, name="nv_tileaa.execute"):
    """Runs its regions concurrently. Each region takes the operands as arguments; the regions communicate
    through queues only. The results are the values that they yield, region by region.
    """

    operands_: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The values passed to the regions.", default=()
    )
    resources: builtin_attributes.DictionaryAttr | None = fields.optional_attr_def(
        DictionaryKind(), "The resources of the regions: registers, memory, barriers.", default=None
    )
    results_: tuple[Value, ...] = fields.variadic_result_def(
        ANY_TYPE, "The values that the regions yield, in their order."
    )
    parts: Any = fields.variadic_region_def("The parts of the program.", default=())
    traits = (
        ir_traits.RecursiveMemoryEffects(),
        ir_traits.SingleBlock(),
        ir_traits.ImplicitTerminator("nv_tileaa.yield"),
    )

    def verify_(self) -> None:
        if not self.regions:
            raise ir_traits.VerifyError("expects at least one region")

    def verify_regions_(self) -> None:
        yielded: list[Type] = []
        for region in self.regions:
            entry = region.blocks[0]
            if tuple(argument.type for argument in entry.arguments) != self.operand_types:
                raise ir_traits.VerifyError("expects regions that take the operands")
            yielded += entry.last.operand_types if entry.last is not None else ()
        if tuple(yielded) != self.result_types:
            raise ir_traits.VerifyError("expects results of the types that the regions yield")


class MarkForReuseOp(TileDialectOp, name="nv_tileaa.mark_for_reuse"):
    """States that only one of several queues holds tuples at a time, so that they may share memory."""

    queues: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The queues.", default=())
    verifies_locally = True

    def verify_(self) -> None:
        if not all(isinstance(type, QueueType) for type in self.operand_types):
            raise ir_traits.VerifyError("expect operands with queue types")


OPERATIONS: tuple[type[Operation], ...] = (
    CreateQueueOp,
    QueueGetOp,
    QueuePutOp,
    QueueYieldOp,
    ExecuteOp,
    MarkForReuseOp,
)
