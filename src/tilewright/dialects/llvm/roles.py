"""Base classes of the dialect's operations, by which rules recognise them. Rules stand below the operations, which
call them.
"""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp


class AddressableRole(StandardOp):
    """A symbol that has an address."""


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
    """An operation that throws, passes on or receives an exception."""


class LandingPadRole(ExceptionRole):
    """The base class of `llvm.landingpad`, by which rules recognise it."""


class BitcastRole(StandardOp):
    """The base class of `llvm.bitcast`, by which rules recognise it."""


class ZeroRole(StandardOp):
    """The base class of `llvm.mlir.zero`, by which rules recognise it."""


class AddressOfRole(StandardOp):
    """The base class of `llvm.mlir.addressof`, by which rules recognise it."""
