"""The attributes that the conversions around `nv_tileas` read from a module: the chip, and each kernel's resources.

| attribute of the module | meaning |
|---|---|
| `nv_tileaa.target_spec` | a chip, `#nv_tileaa.target_spec<"sm_100a">`, or the string "host" |
| `nv_tileaa.compute_capability` | of a GPU: `major * 10 + minor` |
| `tt.num_warps`, `tt.num_ctas`, `tt.cluster_dim` | defaults for kernels marked `cute.kernel` only |
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

from tilewright.dialects.nv_tileaa import attributes as tileaa_attributes
from tilewright.dialects.nv_tileaa.discardable import COMPUTE_CAPABILITY, TARGET_SPEC
from tilewright.dialects.nv_tileaa.ops.program import FuncOp
from tilewright.ir import diagnostic, walker
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import ArrayAttr, DenseArrayAttr, IntegerAttr, StringAttr
from tilewright.ir.operation import Operation
from tilewright.lowering import codes
from tilewright.lowering.capability import HOST, HOST_NAME, Capability, parse_capability

KERNEL = "cute.kernel"
"""The attribute that marks a function as a kernel if it has no kernel specification."""
NO_SPEC = "failed to get the target spec"
"""The text is an interface: tools search for it."""
HINTS = {"tt.num_warps": "num_warps", "tt.num_ctas": "num_ctas", "tt.cluster_dim": "cluster_dim"}
"""For each attribute of the module, the field of a kernel specification that it fills."""


def target_of(module: Operation) -> Capability | None:
    """Return the target that a module's attributes name; None if it has neither a target nor a compute
    capability. Raises `DiagnosticError` if there is a compute capability without a target, if they disagree,
    or if the chip does not exist.
    """
    spec = module.held_attributes.get(TARGET_SPEC)
    number = _capability_number(module.held_attributes.get(COMPUTE_CAPABILITY))
    if spec is None and number is None:
        return None
    if isinstance(spec, StringAttr | tileaa_attributes.TargetSpecAttr):
        found = parse_capability(spec.value if isinstance(spec, StringAttr) else spec.chip)
        if number is None or number == found.number:
            return found
    raise diagnostic.failure(
        codes.NO_TARGET_SPEC,
        NO_SPEC,
        module.location,
        hint=f"'{TARGET_SPEC}' is {spec or 'missing'}; '{COMPUTE_CAPABILITY}' is {number or 'missing'}",
    )


def _capability_number(attribute: Attribute | None) -> int | None:
    match attribute:
        case tileaa_attributes.ComputeCapabilityAttr():
            return attribute.number
        case IntegerAttr():
            return attribute.value
        case _:
            return None


def attach_target(module: Operation, option: str) -> Capability:
    """Set the target attributes of a module and return the target: ``option``, a name such as ``sm_100``; if
    it is empty, the target in the module's attributes, else the host. Raises `DiagnosticError` for an unknown
    name, and, with an empty ``option``, for attributes that are incomplete or disagree.
    """
    target = parse_capability(option) if option else target_of(module) or HOST
    if target.is_host:
        module.attributes[TARGET_SPEC] = StringAttr(HOST_NAME)
        module.attributes.pop(COMPUTE_CAPABILITY, None)
    else:
        module.attributes[TARGET_SPEC] = tileaa_attributes.TargetSpecAttr(target.chip)
        module.attributes[COMPUTE_CAPABILITY] = tileaa_attributes.ComputeCapabilityAttr(target.number)
    return target


@contextmanager
def restored_on_failure(module: Operation) -> Generator[None]:
    """Restore the attributes of the module and of its functions of tiles, in place, if the ``with`` block
    raises; the exception is passed on.
    """
    saved = [(op, dict(op.held_attributes)) for op in (module, *functions(module))]
    try:
        yield
    except BaseException:
        for op, attributes in saved:
            op.held_attributes = attributes
        raise


def attach_kernel_specs(module: Operation) -> None:
    """Add the specification of `default_spec` to every kernel that is only marked as a kernel by `KERNEL`,
    and remove the mark.
    """
    for function in functions(module):
        if function.kernel_spec is None and KERNEL in function.held_attributes:
            function.kernel_spec = default_spec(module)
            function.attributes.pop(KERNEL)


def is_kernel(function: Operation | None) -> bool:
    """Return whether a function is a kernel, which is launched from outside the module: it has a kernel
    specification or the mark `KERNEL`. Return False for None.
    """
    if function is None:
        return False
    return getattr(function, "kernel_spec", None) is not None or KERNEL in function.held_attributes


def functions(module: Operation) -> Iterator[FuncOp]:
    """Yield the functions of a module that compute with tiles: its `nv_tileaa.func` operations."""
    return (op for op in module.walk() if isinstance(op, FuncOp))


def default_spec(module: Operation) -> tileaa_attributes.KernelSpecAttr:
    """Return the kernel specification for kernels that have none: from the attributes `HINTS` of the module,
    with the defaults of a specification where they are missing.
    """
    parts: dict[str, Any] = {}
    for name, part in HINTS.items():
        found = _numbers(module.held_attributes.get(name))
        if found is not None:
            parts[part] = found
    return tileaa_attributes.KernelSpecAttr(**parts)


def _numbers(attribute: Attribute | None) -> int | tuple[int, ...] | None:
    match attribute:
        case IntegerAttr():
            return attribute.value
        case DenseArrayAttr():
            return tuple(int(value) for value in attribute.values)
        case ArrayAttr():
            return tuple(item.value for item in attribute.elements if isinstance(item, IntegerAttr))
        case _:
            return None


def kernel_around(op: Operation) -> FuncOp:
    """Return the innermost `nv_tileaa.func` around an operation of tiles, kernel or not. An operation outside
    of functions is a mistake of the caller.
    """
    found = walker.innermost_ancestor(op, _is_kernel)
    assert isinstance(found, FuncOp), "operations on tiles are in kernels"
    return found


def _is_kernel(op: Operation) -> bool:
    return isinstance(op, FuncOp)
