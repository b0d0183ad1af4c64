"""The spelling of attributes of functions, parameters and results in LLVM IR."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tilewright.dialects.llvm.attributes import MemoryEffectsAttr
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.ir import builtin_attributes
from tilewright.ir.attribute import Attribute
from tilewright.targets.llvm.identifiers import escaped
from tilewright.targets.llvm.type_spelling import TypeSpelling

PARAMETER_WORDS = {
    "llvm.noalias": "noalias",
    "llvm.nonnull": "nonnull",
    "llvm.noundef": "noundef",
    "llvm.readonly": "readonly",
    "llvm.readnone": "readnone",
    "llvm.writeonly": "writeonly",
    "llvm.nocapture": "captures(none)",
    "llvm.nofree": "nofree",
    "llvm.returned": "returned",
    "llvm.signext": "signext",
    "llvm.zeroext": "zeroext",
    "llvm.inreg": "inreg",
    "llvm.nest": "nest",
    "llvm.swiftself": "swiftself",
    "llvm.swifterror": "swifterror",
    "llvm.immarg": "immarg",
}
"""Attributes of parameters without a value, with their keywords."""
PARAMETER_NUMBERS = {
    "llvm.align": "align {}",
    "llvm.alignstack": "alignstack({})",
    "llvm.dereferenceable": "dereferenceable({})",
    "llvm.dereferenceable_or_null": "dereferenceable_or_null({})",
}
PARAMETER_TYPES = {
    "llvm.byval": "byval({})",
    "llvm.byref": "byref({})",
    "llvm.sret": "sret({})",
    "llvm.inalloca": "inalloca({})",
    "llvm.preallocated": "preallocated({})",
    "llvm.elementtype": "elementtype({})",
}


def parameter_attributes(dictionary: builtin_attributes.DictionaryAttr | None, spell: TypeSpelling) -> str:
    """Return the attributes of a parameter or result, each followed by a blank; empty for None. Attributes
    that LLVM IR does not have are left out.
    """
    if dictionary is None:
        return ""
    texts = (_parameter_attribute(name, value, spell) for name, value in dictionary.entries)
    return "".join(f"{text} " for text in texts if text)


def _parameter_attribute(name: str, value: Attribute, spell: TypeSpelling) -> str:
    if isinstance(value, builtin_attributes.UnitAttr):
        return PARAMETER_WORDS.get(name, "")
    if isinstance(value, builtin_attributes.IntegerAttr):
        return PARAMETER_NUMBERS.get(name, "").format(value.value)
    if name in PARAMETER_TYPES and isinstance(value, builtin_attributes.TypeAttr):
        return PARAMETER_TYPES[name].format(spell(value.type))
    return ""


FUNCTION_FLAGS = (
    ("convergent", "convergent"),
    ("no_inline", "noinline"),
    ("always_inline", "alwaysinline"),
    ("inline_hint", "inlinehint"),
    ("no_unwind", "nounwind"),
    ("will_return", "willreturn"),
    ("optimize_none", "optnone"),
)
FUNCTION_STRINGS: tuple[tuple[str, str], ...] = (
    ("target_cpu", "target-cpu"),
    ("tune_cpu", "tune-cpu"),
    ("prefer_vector_width", "prefer-vector-width"),
    ("reciprocal_estimates", "reciprocal-estimates"),
    ("denormal_fp_math", "denormal-fp-math"),
    ("denormal_fp_math_f32", "denormal-fp-math-f32"),
    ("fp_contract", "fp-contract"),
    ("instrument_function_entry", "instrument-function-entry"),
    ("instrument_function_exit", "instrument-function-exit"),
    ("no_infs_fp_math", "no-infs-fp-math"),
    ("no_nans_fp_math", "no-nans-fp-math"),
    ("no_signed_zeros_fp_math", "no-signed-zeros-fp-math"),
)
"""Attributes of functions with a quoted name in LLVM IR."""
MEMORY_KINDS = (
    ("other", ""),
    ("argMem", "argmem"),
    ("inaccessibleMem", "inaccessiblemem"),
    ("errnoMem", "errnomem"),
)
ENUM_WORDS = frozenset(
    [
        "alwaysinline",
        "cold",
        "convergent",
        "hot",
        "inlinehint",
        "minsize",
        "mustprogress",
        "naked",
        "nocallback",
        "nofree",
        "noinline",
        "norecurse",
        "noreturn",
        "nosync",
        "nounwind",
        "nonlazybind",
        "noredzone",
        "optnone",
        "optsize",
        "returns_twice",
        "speculatable",
        "ssp",
        "sspreq",
        "sspstrong",
        "strictfp",
        "uwtable",
        "willreturn",
    ]
)
"""Attributes without a value that LLVM IR writes as a keyword."""


def function_attributes(op: LLVMFuncOp) -> str:
    """Return the attributes of a function, each preceded by a blank."""
    found = [word for name, word in FUNCTION_FLAGS if getattr(op, name)]
    found += memory_effects(op.memory_effects)
    found += [
        f'"{word}"="{_text(value)}"'
        for name, word in FUNCTION_STRINGS
        if (value := getattr(op, name)) is not None
    ]
    if op.target_features is not None:
        found.append(f'"target-features"="{escaped(",".join(op.target_features.features))}"')
    if op.frame_pointer is not None:
        found.append(f'"frame-pointer"="{op.frame_pointer.name.lower().replace("_", "-")}"')
    found += passthrough(op.passthrough or ())
    return "".join(f" {text}" for text in found)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else escaped(value)


def memory_effects(effects: MemoryEffectsAttr | None) -> list[str]:
    """Return the attribute ``memory(...)`` of a function in a list, such as ``["memory(argmem: read)"]``.

    Return an empty list without effects. Kinds of memory with the effect of all other memory are left out.
    """
    if effects is None:
        return []
    rest = effects.other.name.lower()
    kinds = [(word, getattr(effects, name).name.lower()) for name, word in MEMORY_KINDS]
    parts = [f"{word}: {how}" if word else how for word, how in kinds if not word or how != rest]
    parts = parts[1:] if len(parts) > 1 and rest == "none" else parts
    return [f"memory({', '.join(parts)})"]


def passthrough(attributes: Iterable[Attribute]) -> list[str]:
    """Return the texts of attributes that MLIR passes to LLVM unchanged: ``name``, or ``"name"="value"``."""
    return [PASSTHROUGH[attribute.__class__](attribute) for attribute in attributes]


def _pair(attribute: builtin_attributes.ArrayAttr) -> str:
    name, value = attribute
    assert isinstance(name, builtin_attributes.StringAttr)
    assert isinstance(value, builtin_attributes.StringAttr)
    return f'"{escaped(name.value)}"="{escaped(value.value)}"'


def _word(attribute: builtin_attributes.StringAttr) -> str:
    return attribute.value if attribute.value in ENUM_WORDS else f'"{escaped(attribute.value)}"'


PASSTHROUGH: dict[type[Attribute], Callable[[Any], str]] = {
    builtin_attributes.StringAttr: _word,
    builtin_attributes.ArrayAttr: _pair,
}
