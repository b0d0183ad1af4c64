"""The names by which MLIR's Python bindings call contexts, modules and pass managers.

There is no second IR behind them: a `Module` is a name for an operation, and everything in it is the one kind of
`tilewright.ir.operation.Operation`, `Block` and `Value`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from tilewright.driver.reading import encoded, file_bytes, read
from tilewright.driver.startup import startup
from tilewright.ir import context as ir_context, location as ir_location
from tilewright.ir.attribute import Location
from tilewright.ir.block import Block, Region
from tilewright.ir.operation import Operation
from tilewright.passes import manager, pipeline as passes_pipeline
from tilewright.passes.pass_ import Pass, PassState

if TYPE_CHECKING:
    from tilewright.dialects.cuda_tile.version import Version

_MODULE = "builtin.module"


class Context(ir_context.Context):
    """A context that has every dialect of this installation; each is loaded when it is first needed.

    In a ``with`` block it is the context of everything that is not given one.
    """

    def __init__(self, *, allow_unregistered: bool = False) -> None:
        available = {name: entry.load for name, entry in startup().dialects.items()}
        super().__init__(allow_unregistered=allow_unregistered, available=available)

    @property
    def allow_unregistered_dialects(self) -> bool:
        """Return whether operations of unknown dialects are accepted (MLIR's name)."""
        return self.allow_unregistered

    @allow_unregistered_dialects.setter
    def allow_unregistered_dialects(self, allow: bool) -> None:
        self.allow_unregistered = allow


def _context(given: ir_context.Context | None) -> ir_context.Context:
    """Return the context `given`; None: the context of the enclosing ``with`` block, or a new one."""
    return given or ir_context.Context.current or Context()


class Module:
    """A module: the operation at the top (`operation`), and the context it was made in."""

    __slots__ = ("context", "operation")

    def __init__(self, operation: Operation, context: ir_context.Context | None = None) -> None:
        self.operation = operation
        self.context = _context(context)

    @classmethod
    def parse(
        cls, source: str | bytes, context: ir_context.Context | None = None, *, name: str = "<string>"
    ) -> Self:
        """Return the module in MLIR text or bytecode, which messages call ``name``; verified.

        Raises `DiagnosticError` with every problem found.
        """
        known = _context(context)
        content = encoded(source, name) if isinstance(source, str) else bytes(source)
        return cls(read(content, name, known), known)

    @classmethod
    def parseFile(cls, path: str | Path, context: ir_context.Context | None = None) -> Self:
        """Return the module in a file of bytecode or text, verified. Raises `DiagnosticError` if the file
        cannot be read or has errors.
        """
        return cls.parse(file_bytes(Path(path)), context, name=str(path))

    @classmethod
    def create(cls, loc: Location | None = None, context: ir_context.Context | None = None) -> Self:
        """Return an empty ``builtin.module`` at the location `loc`, by default the location of the enclosing
        ``with`` block, or else an unknown one. Raises `ValueError` if the context lacks the dialect.
        """
        known = _context(context)
        kind = known.kind(_MODULE)
        if kind is None:
            raise ValueError(f"the context does not have '{_MODULE}'")
        place = loc or Location.current or ir_location.UNKNOWN
        return cls(Operation.from_parts(kind, regions=[Region([Block()])], location=place), known)

    @property
    def body(self) -> Block:
        """Return the block with the operations of the module."""
        return self.operation.regions[0].block

    def to_bytecode(self, version: Version | tuple[int, int] | None = None) -> bytes:
        """Return the module, which must be in Tile IR, as bytecode of `version`, by default the oldest
        version that can represent it. Raises `DiagnosticError` for a module that is invalid or that the
        version cannot hold, and `ValueError` for an unknown version.
        """
        from tilewright.bytecode.writer.module import write_bytecode

        return write_bytecode(self.operation, version)

    def dump(self) -> None:
        """Print the module to stderr."""
        import sys

        print(self, file=sys.stderr)

    def __str__(self) -> str:
        return str(self.operation)

    def __repr__(self) -> str:
        return f"<Module {self.operation!r}>"

    def _repr_html_(self) -> str:
        """Return the HTML for notebooks: the text of the operation."""
        from tilewright.pages.notebook import output, program

        return output(program(str(self), "mlir"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Module) and other.operation is self.operation

    def __hash__(self) -> int:
        return hash(self.operation)


class PassManager(manager.PassManager):
    """Runs passes on operations with the name `anchor_op`, by default on any operation. With `verify_each`,
    the verifier runs after each pass. Passes may be named by text.

    tilewright.PassManager.parse("builtin.module(canonicalize,cse)").run(module)
    """

    def __init__(
        self,
        anchor_op: str = manager.ANY_ANCHOR,
        context: ir_context.Context | None = None,
        *,
        verify_each: bool = True,
    ) -> None:
        super().__init__(_context(context), anchor_op, verify_each=verify_each)

    @classmethod
    def parse(cls, pipeline: str, context: ir_context.Context | None = None) -> Self:
        """Return the passes of a textual pipeline; one without an anchor runs on any operation.

        Raises `DiagnosticError` naming the column, the nearest known pass, or the option that does not fit.
        """
        known = _context(context)
        parsed = passes_pipeline.parse_pipeline(pipeline, known, startup().passes, anchor=manager.ANY_ANCHOR)
        made = cls(parsed.anchor, known)
        made.items = parsed.items
        return made

    def add(self, item: str | Pass | Callable[[Operation, PassState], Any]) -> manager.PassManager:
        """Append a pass, a function, or the pass with the given name and default options, and return the
        manager. Raises `DiagnosticError` for an unknown name.
        """
        if isinstance(item, str):
            item = passes_pipeline.make_pass(item, {}, startup().passes)
        return super().add(item)

    def enable_verifier(self, enable: bool) -> None:
        """Set whether the verifier runs after each pass."""
        self.verify_each = enable

    def run(self, op: Operation | Module) -> None:
        """Run the passes on an operation or module.  Raises `DiagnosticError` when one fails."""
        super().run(op.operation)
