"""Builds Tile IR for tests from short spellings, legal or not.

Types are strings: ``"4x8xf32"`` is ``tile<4x8xf32>``, ``"f32"`` a rank-0 tile, ``"4xptr<f32>"`` a tile of pointers,
``"ptr<f32,multicast>"`` one pointer with an attribute, ``"token"`` a token.  An operand given as such a string is a
value of that type that comes from nowhere (an argument of the block around everything).
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.enums import PtrAttr
from tilewright.dialects.cuda_tile.types import ELEMENTS, TOKEN, PointerType, TileType
from tilewright.ir.attribute import Location, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import FloatType, IntegerType
from tilewright.ir.declaration.attribute_kind import EnumKind
from tilewright.ir.declaration.fields import Arity, AttributeField, OperandField, RegionField
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.diagnostic import Diagnostic
from tilewright.ir.location import FileLineColLocation
from tilewright.ir.operation import Operation, UnregisteredOp
from tilewright.ir.value import Value
from tilewright.ir.verifier import verify

OPS: dict[str, type[Operation]] = {op.op_kind.mnemonic: op for op in CUDA_TILE.operations}
_TILE = re.compile(r"((?:-?\d+x)*)(ptr<.*>|\w+)$")


def _spelling(element: Type) -> str:
    assert isinstance(element, IntegerType | FloatType)
    return element.spelling


SCALARS = {_spelling(element): element for element in ELEMENTS}


def element(name: str) -> Type:
    """A scalar type or ``ptr<pointee[,attribute]>``."""
    if not name.startswith("ptr<"):
        return SCALARS[name]
    pointee, _, attribute = name[4:-1].partition(",")
    return PointerType(SCALARS[pointee], PtrAttr[attribute.upper()] if attribute else None)


def type_of(spec: str | Type) -> Type:
    """The type of a spelling."""
    if isinstance(spec, Type):
        return spec
    if spec == "token":
        return TOKEN
    match = _TILE.match(spec)
    assert match is not None, spec
    return TileType(tuple(int(extent) for extent in match[1].split("x")[:-1]), element(match[2]))


Body = Callable[..., None]
RegionSpec = tuple[Sequence[Any], Body] | None
"""Argument types and a body that gets the scratch and the arguments; None is a region without blocks."""


class Scratch:
    """A block with operations in it; `op` makes one more, and bodies of regions fill blocks of their own."""

    def __init__(self) -> None:
        self.block = self.outermost = Block()
        kind = OperationKind("test.around", UnregisteredOp, registered=False)
        self.root = Operation.from_parts(kind, regions=[Region([self.block])])
        self.made: list[Operation] = []

    def value(self, spec: Any) -> Value:
        """An operand: a value as it is, or one of the spelt type."""
        if isinstance(spec, Value):
            return spec
        if isinstance(spec, Operation):
            return spec.results[0]
        return self.outermost.add_argument(type_of(spec))

    def op(
        self,
        mnemonic: str,
        results: Sequence[Any] | None = None,
        regions: Sequence[RegionSpec] = (),
        location: Location | None = None,
        **given: Any,
    ) -> Any:
        """One operation; without ``results`` their types are inferred."""
        op_class = OPS[mnemonic]
        arguments = {name: self._convert(op_class, name, value) for name, value in given.items()}
        names = [f.python_name for f in op_class.declared_fields if isinstance(f, RegionField)]
        arguments.update(zip(names, [self._region(spec) for spec in regions], strict=False))
        types = None if results is None else [type_of(spec) for spec in results]
        place = location or FileLineColLocation.at("kernel.py", len(self.made) + 1, 1)
        made: Any = op_class(**arguments, result_types=types, location=place)
        self.made.append(made)
        return self.block.append(made)

    def _convert(self, op_class: type[Operation], name: str, value: Any) -> Any:
        field = next(f for f in op_class.declared_fields if f.python_name == name)
        if isinstance(field, OperandField):
            if field.arity is Arity.VARIADIC:
                return [self.value(spec) for spec in value]
            return None if value is None else self.value(value)
        if isinstance(field, AttributeField) and isinstance(field.kind, EnumKind) and isinstance(value, str):
            members: Mapping[str, enum.Enum] = field.kind.attribute_class.enumeration.__members__
            return members[value.upper()]
        return value

    def _region(self, spec: RegionSpec) -> Region:
        if spec is None:
            return Region()
        types, body = spec
        outer, self.block = self.block, Block([type_of(t) for t in types])
        inner = self.block
        body(self, *inner.arguments)
        self.block = outer
        return Region([inner])

    def last(self, mnemonic: str) -> Operation:
        """The operation of a kind that was made last."""
        return next(op for op in reversed(self.made) if op.kind.mnemonic == mnemonic)

    def verify(self) -> list[Diagnostic]:
        """What is wrong with all of it."""
        return verify(self.root)


def end(mnemonic: str, *values: Any) -> Body:
    """A body that only ends, with the given operands."""
    return lambda scratch, *_: scratch.op(mnemonic, operands_=values)


Build = Callable[[Scratch], Any]


@dataclass(frozen=True)
class Broken:
    """Something that breaks one rule: ``message`` is the whole text of the one diagnostic, at operation ``at``."""

    op: str
    name: str
    message: str
    build: Build = field(repr=False)
    at: str = ""

    @property
    def id(self) -> str:
        """The name of the test."""
        return f"{self.op}-{self.name}"

    def check(self) -> None:
        """Build and verify; the diagnostic must be the expected one at the expected place."""
        scratch = Scratch()
        self.build(scratch)
        found = scratch.verify()
        assert [diagnostic.message for diagnostic in found][:1] == [self.message]
        assert found[0].location is scratch.last(self.at or self.op).location


def broken(op: str, name: str, message: str, /, **given: Any) -> Broken:
    """One operation by itself breaks a rule; the message goes without ``'cuda_tile.op' op ``."""
    return Broken(op, name, f"'cuda_tile.{op}' op {message}", lambda scratch: scratch.op(op, **given))


def built(op: str, name: str, message: str, build: Build, at: str = "", *, whole: bool = False) -> Broken:
    """As `broken`, with a body; ``at`` is the operation at fault, ``whole`` says that the message has no prefix."""
    text = message if whole else f"'cuda_tile.{at or op}' op {message}"
    return Broken(op, name, text, build, at)


@dataclass(frozen=True)
class Legal:
    """Something that the verifier accepts."""

    op: str
    name: str
    build: Build = field(repr=False)

    @property
    def id(self) -> str:
        """The name of the test."""
        return f"{self.op}-{self.name}"

    def check(self) -> None:
        """Build and verify."""
        scratch = Scratch()
        self.build(scratch)
        assert [diagnostic.message for diagnostic in scratch.verify()] == []


def legal(op: str, name: str, /, **given: Any) -> Legal:
    """One operation by itself is fine."""
    return Legal(op, name, lambda scratch: scratch.op(op, **given))


def ids(rows: Sequence[Broken | Legal]) -> Iterator[str]:
    """The names of the tests."""
    return (row.id for row in rows)
