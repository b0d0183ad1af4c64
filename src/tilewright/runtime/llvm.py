"""LLVM in this process: one initialisation, by whoever needs it first."""

from __future__ import annotations

import importlib
import os
from functools import cache
from typing import Any

from tilewright.ir.support.locks import fork_safe, reentrant_lock

OPTIONS_VARIABLE = "TILEWRIGHT_LLVM_OPTIONS"
"""Environment variable with options of LLVM instead of `DEFAULT_OPTIONS`, separated by blanks; may be empty."""

DEFAULT_OPTIONS = ("-disable-lsr",)
"""The default options of LLVM: no loop strength reduction.

It takes half of LLVM's time for generated loops, whose addresses are already reduced, and makes none of them
faster. LLVM has no such option for one compilation: it holds for all users of llvmlite in the process.
"""

_LOCK = reentrant_lock()


def llvm_options() -> tuple[str, ...]:
    """Return the options of LLVM in this process: the words of the environment variable `OPTIONS_VARIABLE` if
    it is set, else `DEFAULT_OPTIONS`.
    """
    given = os.environ.get(OPTIONS_VARIABLE)
    return DEFAULT_OPTIONS if given is None else tuple(given.split())


def llvm() -> Any:
    """Return ``llvmlite.binding``, initialised to make code for this machine, with the options of
    `llvm_options`. `initialise_all_targets` adds the other machines.
    """
    with _LOCK:
        return _initialised()


@cache
def _initialised() -> Any:
    binding: Any = importlib.import_module("llvmlite.binding")  # it says nothing about its types
    guard = getattr(getattr(binding.ffi.lib, "_lock", None), "_lock", None)
    if guard is not None:  # llvmlite holds it in every call of LLVM, which may last
        fork_safe(guard)
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    for option in llvm_options():
        binding.set_option("tilewright", option)
    return binding


@cache
def initialise_all_targets() -> None:
    """Initialise LLVM's targets for other machines as well."""
    binding = llvm()
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
