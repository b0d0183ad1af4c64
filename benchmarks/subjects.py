"""What is compared: tilewright, xDSL, and MLIR's C++ through its Python bindings.

Every subject does the same work on the same text with its library's ordinary means.  A peer that is not installed is
left out of the tables.
"""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

DIALECTS = ("builtin", "ub", "arith", "func", "memref", "scf", "math")


class Subject(ABC):
    """One library; a module is whatever object the library has for it."""

    name: str
    import_line: str
    """The import that a user of the library starts with."""
    in_python: bool = True
    """Whether the IR lives in Python objects, so that their memory can be compared."""

    @abstractmethod
    def parse(self, text: str, file_name: str = "bench.mlir") -> Any:
        """The module that a text holds."""

    @abstractmethod
    def print(self, module: Any) -> str:
        """Generic text."""

    @abstractmethod
    def print_custom(self, module: Any) -> str:
        """Text in which operations have the syntax of their own."""

    @abstractmethod
    def verify(self, module: Any) -> None:
        """Raise or assert unless the module is valid."""

    @abstractmethod
    def clone(self, module: Any) -> Any:
        """A deep copy."""

    @abstractmethod
    def walk(self, module: Any) -> int:
        """The number of operations, counted one by one in Python."""

    @abstractmethod
    def build(self, count: int) -> Any:
        """A block with a chain of ``count`` constants and additions, through the op classes' constructors."""


class Tilewright(Subject):
    """This project."""

    name = "tilewright"
    import_line = "import tilewright.ir.text.parser, tilewright.dialects.arith.dialect"

    def __init__(self) -> None:
        from tilewright.dialects.arith.ops_integer import AddIOp, ConstantOp
        from tilewright.driver.startup import dialect_object
        from tilewright.ir.block import Block
        from tilewright.ir.builtin_attributes import IntegerAttr
        from tilewright.ir.builtin_types import i32
        from tilewright.ir.context import Context
        from tilewright.ir.text.hooks import PrintOptions
        from tilewright.ir.text.parser import parse_module
        from tilewright.ir.verifier import verify_or_raise

        self.context = Context([dialect_object(name) for name in DIALECTS])
        self.generic = PrintOptions(generic=True)
        self.parse_module, self.verify_or_raise = parse_module, verify_or_raise
        self.block, self.add, self.constant = Block, AddIOp, ConstantOp
        self.attributes = [IntegerAttr(i32, value) for value in range(100)]

    def parse(self, text: str, file_name: str = "bench.mlir") -> Any:
        return self.parse_module(self.context, text, file_name)

    def print(self, module: Any) -> str:
        return module.print(self.generic)

    def print_custom(self, module: Any) -> str:
        return module.print()

    def verify(self, module: Any) -> None:
        self.verify_or_raise(module)

    def clone(self, module: Any) -> Any:
        return module.clone()

    def walk(self, module: Any) -> int:
        count = 0
        for _ in module.walk():
            count += 1
        return count

    def build(self, count: int) -> Any:
        block, add, constant, values = self.block(), self.add, self.constant, self.attributes
        append = block.append
        last = append(constant(values[0]))
        for number in range(1, count, 2):
            right = append(constant(values[number % 100]))
            last = append(add(last.results[0], right.results[0]))
        return block


class Xdsl(Subject):
    """xDSL."""

    name = "xDSL"
    import_line = "import xdsl.parser, xdsl.dialects.arith"

    def __init__(self) -> None:
        from xdsl.context import Context
        from xdsl.dialects import arith, builtin, func, math, memref, scf
        from xdsl.ir import Block
        from xdsl.parser import Parser
        from xdsl.printer import Printer

        self.context = Context()
        for dialect in (builtin.Builtin, arith.Arith, func.Func, scf.Scf, memref.MemRef, math.Math):
            self.context.load_dialect(dialect)
        self.parser, self.printer, self.block = Parser, Printer, Block
        self.add, self.constant = arith.AddiOp, arith.ConstantOp
        self.attributes = [builtin.IntegerAttr(value, builtin.i32) for value in range(100)]

    def parse(self, text: str, file_name: str = "bench.mlir") -> Any:
        return self.parser(self.context, text, file_name).parse_module()

    def print(self, module: Any) -> str:
        stream = io.StringIO()
        self.printer(stream, print_generic_format=True).print_op(module)
        return stream.getvalue()

    def print_custom(self, module: Any) -> str:
        stream = io.StringIO()
        self.printer(stream).print_op(module)
        return stream.getvalue()

    def verify(self, module: Any) -> None:
        module.verify()

    def clone(self, module: Any) -> Any:
        return module.clone()

    def walk(self, module: Any) -> int:
        count = 0
        for _ in module.walk():
            count += 1
        return count

    def build(self, count: int) -> Any:
        block, add, constant, values = self.block(), self.add, self.constant, self.attributes
        last = constant(values[0])
        block.add_op(last)
        for number in range(1, count, 2):
            right = constant(values[number % 100])
            block.add_op(right)
            last = add(last.results[0], right.results[0])
            block.add_op(last)
        return block


class Mlir(Subject):
    """MLIR's C++ through its Python bindings; parsing verifies, too."""

    name = "MLIR C++"
    import_line = "import mlir.ir, mlir.dialects.arith"
    in_python = False

    def __init__(self) -> None:
        from mlir import ir
        from mlir.dialects import arith

        self.ir, self.arith = ir, arith
        self.context = ir.Context()
        with self.context, ir.Location.unknown():
            self.i32 = ir.IntegerType.get_signless(32)
            self.attributes = [ir.IntegerAttr.get(self.i32, value) for value in range(100)]

    def parse(self, text: str, file_name: str = "bench.mlir") -> Any:
        return self.ir.Module.parse(text, self.context).operation

    def print(self, module: Any) -> str:
        return module.get_asm(print_generic_op_form=True, assume_verified=True)

    def print_custom(self, module: Any) -> str:
        return module.get_asm(assume_verified=True)

    def verify(self, module: Any) -> None:
        assert module.verify()

    def clone(self, module: Any) -> Any:
        return module.clone()

    def walk(self, module: Any) -> int:
        count = 0
        advance = self.ir.WalkResult.ADVANCE

        def visit(_: Any) -> Any:
            nonlocal count
            count += 1
            return advance

        module.walk(visit)
        return count

    def build(self, count: int) -> Any:
        ir, add, constant, values, i32 = (
            self.ir,
            self.arith.addi,
            self.arith.constant,
            self.attributes,
            self.i32,
        )
        with self.context, ir.Location.unknown():
            module = ir.Module.create()
            with ir.InsertionPoint(module.body):
                last = constant(i32, values[0])
                for number in range(1, count, 2):
                    last = add(last, constant(i32, values[number % 100]))
        return module


SUBJECTS: tuple[Callable[[], Subject], ...] = (Tilewright, Xdsl, Mlir)


def available() -> list[Subject]:
    """The subjects whose libraries are installed, this project first."""
    found: list[Subject] = []
    for make in SUBJECTS:
        try:
            found.append(make())
        except ImportError as missing:  # not installed, or only half of it (the tools without the bindings)
            if (missing.name or "").partition(".")[0] == "tilewright":
                raise
    return found
