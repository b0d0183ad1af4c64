"""Fields of op classes with several bases: each is there once, and optional attributes go by name."""

from __future__ import annotations

import pytest

from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import StringAttr
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration.attribute_kind import NameKind, StringKind
from tilewright.ir.declaration.fields import attr_def, flag_def, operand_def, optional_attr_def
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class NotedOp(Operation):
    """An operation with a note."""

    note: str | None = optional_attr_def(StringKind(), "A note.", default=None)
    way: str = attr_def(StringKind(), "How it is done.", default="slowly", kw_only=True)


class MarkedOp(NotedOp):
    """An operation with a mark, too."""

    marked: bool = flag_def("There is a mark.", default=False)


class HurriedOp(NotedOp):
    """An operation that is done in another way unless it says so."""

    way: str = attr_def(StringKind(), "How it is done.", default="quickly", kw_only=True)


class BothOp(HurriedOp, MarkedOp, name="fields.both"):
    """An operation with two bases that have a base in common."""

    source: Value = operand_def(doc="A value.")


def test_a_field_that_comes_twice_is_one() -> None:
    names = [field.name for field in BothOp.op_kind.attributes]
    assert names == ["note", "way", "marked"]


def test_a_field_that_is_declared_again_replaces_the_other() -> None:
    (value,) = Block([i32]).arguments
    assert BothOp(value).way == "quickly"
    assert BothOp(value, way="slowly", note="n", marked=True).marked


def test_optional_attributes_go_by_name() -> None:
    (value,) = Block([i32]).arguments
    with pytest.raises(TypeError, match="positional"):
        BothOp(value, "n")  # pyright: ignore[reportCallIssue]


def test_names_of_a_list() -> None:
    kind = NameKind("red", "green")
    assert kind.description == "one of red, green"
    assert kind.accepts(StringAttr("red"))
    assert not kind.accepts(StringAttr("blue"))


def test_a_field_cannot_take_the_place_of_what_every_operation_has() -> None:
    with pytest.raises(TypeError, match=r"Parented\.parent: every operation has a 'parent' of its own"):

        class Parented(Operation):  # pyright: ignore[reportUnusedClass]
            parent: str = attr_def(StringKind(), "A word.")


def test_an_attribute_may_be_called_order() -> None:
    class Ordered(Operation, name="test.ordered"):
        order: str = attr_def(StringKind(), "A word.")

    op = Ordered("last")
    Block().append(op)
    assert op.order == "last"
