"""The four functions of Triton that are replaced once our back end is selected. Every launch calls three of
them, and every compilation of a kernel the fourth, which makes the first IR.

Each replacement calls Triton's own function, and so works for other back ends in the same process, too.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tilewright.triton import arrays as triton_arrays, mistakes as triton_mistakes
from tilewright.triton.refusals import explaining, grid_obstacle, is_ours


def replace() -> None:
    """Replace the four functions of Triton, unless they are replaced already: kernels take NumPy arrays,
    launches explain their errors, mistakes in kernels become diagnostics, and the preparation for hooks is
    skipped if there are no hooks.
    """
    jit: Any = import_module("triton.runtime.jit")
    compiler: Any = import_module("triton.compiler.compiler")
    compiled, source = compiler.CompiledKernel, compiler.ASTSource
    knobs: Any = import_module("triton.knobs")
    if not _is_ours(jit.native_specialize_impl):
        jit.native_specialize_impl = _ours(triton_arrays.accepting(jit.native_specialize_impl, is_ours))
    if not _is_ours(jit.KernelInterface.__getitem__):
        jit.KernelInterface.__getitem__ = _ours(explaining(jit.KernelInterface.__getitem__, is_ours))
    if not _is_ours(source.make_ir):
        source.make_ir = _ours(triton_mistakes.telling(source.make_ir, is_ours))
    if not _is_ours(compiled.launch_metadata):
        compiled.launch_metadata = _ours(for_hooks(compiled.launch_metadata, knobs.runtime, knobs.HookChain))


def for_hooks(launch_metadata: Any, runtime: Any, chain: type) -> Any:
    """Return a replacement of Triton's function that prepares the metadata of a launch for hooks.

    It returns None if there are no hooks, and raises the error for a grid of more than three axes if our
    driver is active. ``runtime`` has the hooks: by default empty chains, of the class `chain`.
    """

    def needed(kernel: Any, grid: Any, stream: Any, *arguments: Any) -> Any:
        if len(grid) > 3 and is_ours():  # Triton drops further axes silently
            raise grid_obstacle(grid, {}) or AssertionError("a grid has at most three axes")
        enter, leave = runtime.launch_enter_hook, runtime.launch_exit_hook
        if type(enter) is chain is type(leave) and not enter.calls and not leave.calls:
            return None
        return launch_metadata(kernel, grid, stream, *arguments)

    return needed


_MARK = "tilewright_replacement"


def _ours(function: Any) -> Any:
    setattr(function, _MARK, True)
    return function


def _is_ours(function: Any) -> bool:
    return hasattr(function, _MARK)
