"""Diagnostic codes of passes and pipelines (TW06xx)."""

from __future__ import annotations

from tilewright.ir.codes import code

PIPELINE_SYNTAX = code(
    601,
    "pipeline text does not parse",
    "A textual pipeline is a list of passes separated by commas, each with options in braces, nested under the "
    "operation it runs on: `builtin.module(canonicalize,func.func(cse{option=1}))`.",
)
UNKNOWN_PASS = code(
    602,
    "unknown pass",
    "No pass of this name is registered. `tilewright opt --help-passes` lists all passes with their options.",
)
BAD_OPTION = code(
    603,
    "bad pass option",
    "The pass has no option of this name, or the value is not of the option's type.",
)
WRONG_ANCHOR = code(
    604,
    "pass on the wrong operation",
    "A pass that runs on one kind of operation was put into a pipeline anchored on another. Nest it under the "
    "operation it works on.",
)
PASS_FAILED = code(
    605,
    "pass failed",
    "A pass gave up. The diagnostics before this one say why; the module is as it was before the pass.",
)
PASS_CRASHED = code(
    606,
    "pass crashed",
    "A pass raised an exception: a bug in the compiler. Please report it with the reproducer; "
    "`--mlir-pass-pipeline-crash-reproducer=FILE` writes one.",
)
INVALID_AFTER_PASS = code(
    607,
    "pass produced invalid IR",
    "The verifier rejected the module after a pass: a bug in the pass. The first broken rule is in the note.",
)
