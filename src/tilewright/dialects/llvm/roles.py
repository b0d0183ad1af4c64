"""What rules know of the other operations of the dialect: a base class for each operation that a rule asks for.

Rules stand below the operations, which call them.
"""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp


class AddressableRole(StandardOp):
    """A symbol that has an address."""


class FunctionRole(AddressableRole):
    """`llvm.func`."""


class AliasRole(AddressableRole):
    """`llvm.mlir.alias`."""


class GlobalRole(AddressableRole):
    """`llvm.mlir.global`."""


class IFuncRole(AddressableRole):
    """`llvm.mlir.ifunc`."""


class ComdatSelectorRole(StandardOp):
    """`llvm.comdat_selector`."""


class ExceptionRole(StandardOp):
    """An operation that makes or takes an exception."""


class LandingPadRole(ExceptionRole):
    """`llvm.landingpad`."""


class BitcastRole(StandardOp):
    """`llvm.bitcast`."""


class ZeroRole(StandardOp):
    """`llvm.mlir.zero`."""


class AddressOfRole(StandardOp):
    """`llvm.mlir.addressof`."""
