"""Diagnostic codes of loading and launching (TW05xx)."""

from __future__ import annotations

from tilewright.ir.codes import code

UNKNOWN_TARGET = code(
    501,
    "unknown target",
    "The target is not one that this installation knows. `tilewright doctor` lists the targets and what each needs.",
)
UNKNOWN_CHECK = code(
    502,
    "unknown check",
    "The name is not one of the run-time checks. Known checks: memcheck (accesses outside buffers), initcheck "
    "(use of undefined values), racecheck (conflicting accesses of tile blocks), fpcheck (origins of NaN and "
    "infinity), promises (broken `assume`, overflow and in-bounds promises).",
)
UNREADABLE = code(
    503,
    "input cannot be read",
    "The file does not exist, may not be read, or is neither Tile IR bytecode nor MLIR text.",
)
UNKNOWN_ENTRY = code(
    504,
    "no such kernel",
    "The module has no entry of this name; the message lists the entries it has.",
)
BAD_GRID = code(
    505,
    "illegal grid",
    "A grid has one to three extents, each from 1 to 2^24 - 1, and at most 2^62 tile blocks in all.",
)
MISSING_DEPENDENCY = code(
    506,
    "an optional package is missing",
    "The command needs a package that the base installation does not bring. Install the extra named in the hint.",
)
WRONG_ORDER = code(
    507,
    "registration out of order",
    "A registration step ran before one that it depends on. Start-up runs options, type ids, dialects (each after "
    "those it depends on), passes, patterns and target hooks, in this order.",
)
NAME_TAKEN = code(
    508,
    "name registered twice",
    "Two different things were registered under one name: a bug of whoever registers them. Registering the same thing "
    "again is harmless.",
)
UNKNOWN_STAGE = code(
    509,
    "no such stage",
    "A compilation has no stage of this name, or this version of tilewright does not produce it. The message says which "
    "of the two it is, and the hint which stages there are.",
)
NOT_A_MODULE = code(
    510,
    "not a module",
    "What was given to be compiled is neither bytecode nor text, nor the path of a file with either, nor a module in "
    "memory. A cuTile kernel has a module for each signature: compile it to bytecode for its arguments first. A text "
    "whose only operation is a function has no module, either: put `module { ... }` around it.",
)
CANNOT_CHECK = code(
    513,
    "checks cannot become part of a module",
    "Run-time checks are about what a program in Tile IR means; they are inserted before it is lowered. A module that was "
    "given in a lower stage has lost what they need.",
)
BAD_EXTENSION = code(
    515,
    "an extension cannot be loaded",
    "`--load-module` names a Python module, or a file `*.py`, whose constant `EXTENSION` says which dialects, passes and "
    "targets it brings. The module could not be imported, or has no such constant.",
)
UNKNOWN_OPTION = code(
    514,
    "unknown option of a target",
    "`CompileOptions` takes, besides its own fields, the options of targets as keywords: of the CPU `cpu` and `isolate`. "
    "The name or value is none of those that a target declares; the message says which, the hint what there is.",
)
