"""The one test-only operation that the public lit suite leans on: ``cuda_tile.testing$func``.

It is a function with any parameters and results.  Builds of NVIDIA's tools without tests do not know it, and neither
does tilewright; the suite's files use it as a place for the operations under test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from tilewright.dialects.common.functions import check_function, check_returned
from tilewright.dialects.common.kinds import DICTIONARIES
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.ops.control import IfOp, LoopOp, ReturnOp
from tilewright.dialects.cuda_tile.rules.debug_info import check_body_locations, check_function_location
from tilewright.dialects.cuda_tile.syntax.control import parse_entry
from tilewright.driver.registry import DialectEntry
from tilewright.driver.startup import startup
from tilewright.ir.attribute import Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import TypeAttr
from tilewright.ir.builtin_types import FunctionType
from tilewright.ir.declaration.attribute_kind import SymbolNameKind, TypeKind
from tilewright.ir.declaration.fields import attr_def, optional_attr_def, region_def
from tilewright.ir.declaration.traits import (
    HasParent,
    ImplicitTerminator,
    IsolatedFromAbove,
    SingleBlock,
    Symbol,
    Terminator,
)
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation

_NAME = "cuda_tile.testing$func"


class FunctionOp(TileOp, name=_NAME):
    """A function of a test."""

    sym_name: str = attr_def(SymbolNameKind(), "The name of the function.")
    function_type: FunctionType = attr_def(TypeKind(FunctionType), "Argument and result types.")
    arg_attrs: Any = optional_attr_def(DICTIONARIES, "Attributes of the arguments.", default=None)
    res_attrs: Any = optional_attr_def(DICTIONARIES, "Attributes of the results.", default=None)
    body: Region = region_def("The operations under test.")
    traits = (IsolatedFromAbove(), Symbol(), SingleBlock(), ImplicitTerminator("cuda_tile.return"))

    def verify_(self) -> None:
        check_function(self)
        check_function_location(self, self.sym_name)

    def verify_regions_(self) -> None:
        check_body_locations(self)

    def spelled_argument_types(self) -> Sequence[Type] | None:
        signature = self.attributes.get("function_type")
        return signature.type.inputs if isinstance(signature, TypeAttr) else None

    def print_custom(self, printer: Any) -> None:
        """`` @f(%x: tile<i32>) -> tile<i32> { ... }``."""
        pairs = zip(self.body.block.arguments, self.function_type.inputs, strict=True)
        printer.write(" ")
        printer.print_symbol_name(self.sym_name)
        parameters = [
            f"{printer.names[value]}: {printer.short_type_text(type, 'cuda_tile')}" for value, type in pairs
        ]
        printer.write(f"({', '.join(parameters)})")
        results = [printer.short_type_text(type, "cuda_tile") for type in self.function_type.results]
        if results:
            printer.write(f" -> {results[0]}" if len(results) == 1 else f" -> ({', '.join(results)})")
        printer.write(" ")
        printer.print_region(self.body, print_entry_arguments=False)
        printer.print_attribute_dictionary(self.attributes, elided=("sym_name", "function_type"))

    @classmethod
    def parse_custom(cls, parser: Any) -> Any:
        """As a kernel's."""
        return parse_entry(cls.op_kind, parser)


class AnyReturnOp(ReturnOp, name="cuda_tile.return"):
    """`cuda_tile.return`, which may also end a function of a test, with its results."""

    traits = (
        Terminator(),
        HasParent("cuda_tile.entry", "cuda_tile.if", "cuda_tile.loop", _NAME),
    )

    def verify_(self) -> None:
        function = next((op for op in self.ancestors() if not isinstance(op, IfOp | LoopOp)), None)
        if isinstance(function, FunctionOp):
            check_returned(self, function)
        else:
            super().verify_()


def _dialect() -> Dialect:
    replaced = {ReturnOp: AnyReturnOp}
    operations: Iterable[type[Operation]] = [replaced.get(op, op) for op in CUDA_TILE.operations]
    return _changed(CUDA_TILE, (*operations, FunctionOp))


def _changed(dialect: Dialect, operations: Sequence[type[Operation]]) -> Dialect:
    """A dialect with other operations, of which nothing is known yet."""
    copy = Dialect.__new__(Dialect)
    made = {name for name, value in vars(Dialect).items() if isinstance(value, cached_property)}
    kept = {name: value for name, value in vars(dialect).items() if name not in made}
    vars(copy).update(kept | {"operations": tuple(operations)})
    return copy


@contextmanager
def testing_operations() -> Iterator[None]:
    """Within a ``with`` block, new contexts know the operation."""
    dialects: dict[str, DialectEntry] = startup().dialects
    saved = dialects["cuda_tile"]
    dialect = _dialect()
    dialects["cuda_tile"] = saved.replace(load=lambda: dialect)
    try:
        yield
    finally:
        dialects["cuda_tile"] = saved
