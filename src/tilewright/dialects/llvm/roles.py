"""Base classes of the dialect's operations, by which rules recognise them. Rules stand below the operations, which
call them.
"""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp


class AddressableRole(StandardOp):
    """The base class of symbols that have an address: functions, globals, aliases and ifuncs."""


class FunctionRole(AddressableRole):
    """The base class of `llvm.func`, by which rules recognise it."""


class AliasRole(AddressableRole):
    """The base class of `llvm.mlir.alias`, by which rules recognise it."""


class LlvmGlobalRole(AddressableRole):
    """The base class of `llvm.mlir.global`, by which rules recognise it."""


class IFuncRole(AddressableRole):
    """The base class of `llvm.mlir.ifunc`, by which rules recognise it."""


class ComdatSelectorRole(StandardOp):
    """The base class of `llvm.comdat_selector`, by which rules recognise it."""


class ExceptionRole(StandardOp):
    """The base class of `llvm.resume` and `llvm.landingpad`, which pass on or receive an exception."""


class LandingPadRole(ExceptionRole):
    """The base class of `llvm.landingpad`, by which rules recognise it."""


class BitcastRole(StandardOp):
    """The base class of `llvm.bitcast`, by which rules recognise it."""


class ZeroRole(StandardOp):
    """The base class of `llvm.mlir.zero`, by which rules recognise it."""


class AddressOfRole(StandardOp):
    """The base class of `llvm.mlir.addressof`, by which rules recognise it."""
