"""Modules: variables, functions declared before their calls, and source files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.dialects.common.chips import Chip
from tilewright.dialects.llvm.ops import control as llvm_control, symbol
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.ptx.model import File, Module, PtxFunction, PtxVariable, Statement
from tilewright.ptx.printer import print_module
from tilewright.targets.nvptx import codes, tools
from tilewright.targets.nvptx.nvvm_to_ptx.function import FunctionWriter, is_kernel
from tilewright.targets.nvptx.nvvm_to_ptx.variables import declared

ADDRESS_SIZE = 64
_UNFIT = re.compile(r"[^\w$]", re.ASCII)
SILENT = (symbol.ModuleFlagsOp, symbol.ComdatOp)
"""The operations of a module without a form in PTX that change no result."""


def translate(module: Operation, chip: Chip, *, line_info: bool = False) -> str:
    """Return the PTX of a module of the dialects `llvm` and `nvvm`, for a chip.

    ``line_info`` adds the source lines of instructions.

    Raises:
        DiagnosticError: PTX or the chip lacks an instruction or a form.
    """
    return print_module(emitted(module, chip, line_info=line_info))


def emitted(module: Operation, chip: Chip, *, line_info: bool = False) -> Module:
    """Return the PTX of a module of the dialects `llvm` and `nvvm`, for a chip, as a model. ``line_info``
    adds the source lines of instructions. Raises `DiagnosticError` if PTX or the chip lacks an instruction or
    a form.
    """
    assert isinstance(module, ModuleOp)
    return PtxModuleWriter(module, chip, line_info=line_info).module()


def fitting(symbol: str) -> str:
    """Return a symbol in characters that PTX allows: every other character becomes ``_$_``, and ``_`` is put
    before a digit at the beginning. Different symbols may become equal.
    """
    name = _UNFIT.sub("_$_", symbol)
    return f"_{name}" if name[:1].isdigit() else name


class PtxNames:
    """The PTX names of the symbols of a module in `llvm`, no two of them equal."""

    def __init__(self, module: Operation) -> None:
        self._names: dict[str, str] = {}
        self._taken: set[str] = set()
        for op in module.regions[0].block:
            if isinstance(op, symbol.LLVMFuncOp | symbol.GlobalOp):
                self.name(op.sym_name)

    def name(self, symbol: str) -> str:
        """Return the PTX name of a symbol, which no other symbol of the module has: characters that PTX does
        not allow are replaced.
        """
        known = self._names.get(symbol)
        if known is None:
            known = fitting(symbol)
            while known in self._taken:
                known += "_"
            self._names[symbol] = known
            self._taken.add(known)
        return known


class PtxModuleWriter:
    """Builds the PTX model of one module, and keeps the names of its symbols, the numbers of its source files
    and its functions.
    """

    def __init__(self, module: ModuleOp, chip: Chip, *, line_info: bool) -> None:
        self.chip = chip
        self.line_info = line_info
        self.ops = list(module.regions[0].block.ops)
        functions = (op for op in self.ops if isinstance(op, symbol.LLVMFuncOp))
        self.functions = {op.sym_name: op for op in functions}
        self.name = PtxNames(module).name
        self._files: dict[str, int] = {}
        self.version: tools.Version = tools.least_version(chip)

    # --- queries of functions

    def file(self, name: str) -> int:
        """Return the number of the source file `name`, from 1; a new file gets the next number."""
        return self._files.setdefault(name, len(self._files) + 1)

    def callee(self, symbol: str) -> symbol.LLVMFuncOp | None:
        """Return the function of the module with the name `symbol`; None if there is none."""
        return self.functions.get(symbol)

    # --- the module

    def module(self) -> Module:
        """Return the PTX module with its files, variables and functions. Its version is the minimum version
        that the chip and the instructions need. Raises `DiagnosticError` for an operation, type or constant
        without a form in PTX, or that the chip lacks.
        """
        variables = [one for op in self.ops for one in self._variables(op)]
        functions = list(self._functions())
        files = [File(number, name) for name, number in self._files.items()]
        statements: tuple[Statement, ...] = (*files, *variables, *functions)
        return Module(self.version, (self.chip.name,), ADDRESS_SIZE, statements)

    def _variables(self, op: Operation) -> Iterator[PtxVariable]:
        match op:
            case symbol.GlobalOp():
                yield declared(op, self)
            case symbol.LLVMFuncOp():
                pass
            case _ if not isinstance(op, SILENT):
                message = f"operation '{op.kind.name}' has no form in PTX at the level of a module"
                raise failure(codes.NO_PTX_FORM, message, op.location, hint="lower it to `llvm` first")
            case _:
                pass

    def _functions(self) -> Iterator[PtxFunction]:
        """Yield declarations of the functions that are called before their definition or have none, then the
        definitions in module order.
        """
        early = self._early()
        writers = {name: self._writer(op) for name, op in self.functions.items()}
        for name, writer in writers.items():
            if name in early or not writer.function.body.blocks:
                yield writer.declaration()
        for writer in writers.values():
            if writer.function.body.blocks:
                yield writer.definition()
                self.version = max(self.version, writer.version)

    def _writer(self, op: symbol.LLVMFuncOp) -> FunctionWriter:
        return FunctionWriter(self.chip, op, self, self.name(op.sym_name), line_info=self.line_info)

    def _early(self) -> set[str]:
        """Return the names of the functions, without kernels, that are called by themselves or by an earlier
        function.
        """
        found, seen = set[str](), set[str]()
        for name, function in self.functions.items():
            for op in function.walk():
                callee = op.callee if type(op) is llvm_control.CallOp else None
                if callee is not None and callee not in seen and callee in self.functions:
                    found.add(callee)
            seen.add(name)
        return {name for name in found if not is_kernel(self.functions[name])}
