"""Diagnostic codes of loading and launching (TW05xx)."""

from __future__ import annotations

from tilewright.ir.codes import code

UNKNOWN_TARGET = code(
    501,
    "unknown target",
    "This installation has no target of the name. `tilewright doctor` lists the targets and what each needs.",
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
    "Two different things were registered under one name: a bug in the code that registers them. Registering the same thing "
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
    "The given object is neither bytecode nor text, nor the path of a file with either, nor a module "
    "in memory. A cuTile kernel has a module for each signature: compile it to bytecode for its "
    "arguments first. A text whose only operation is a function has no module, either: put `module { "
    "... }` around it.",
)
CANNOT_CHECK = code(
    513,
    "checks cannot become part of a module",
    "Run-time checks concern the meaning of a program in Tile IR; they are inserted before it is "
    "lowered. A module in a lower stage has lost the facts that they need.",
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
UNKNOWN_NAME_IN_KERNEL = code(
    520,
    "a kernel uses a name that there is not",
    "The frontend found no variable, function or attribute of this name while it compiled the kernel. Check the spelling; "
    "the hint names the nearest known name. A variable has to be assigned on every path that leads to its use.",
)
SHAPES_IN_KERNEL = code(
    521,
    "shapes in a kernel do not fit",
    "The frontend refused a shape, an index or an axis. Extents of tiles are constants and powers of two; a tile has as many "
    "axes as the array that it is loaded from or stored to, and an index has one number for each; tiles of one expression "
    "have equal extents, or extents of 1.",
)
TYPES_IN_KERNEL = code(
    522,
    "types in a kernel do not fit",
    "The frontend refused an operation for the types of its operands, or a variable that has one type on one path and another "
    "on another path. Convert explicitly (`ct.astype(tile, dtype)` in cuTile, `tile.to(dtype)` in Triton).",
)
CALL_IN_KERNEL = code(
    523,
    "a call in a kernel has wrong arguments",
    "The frontend found that a function is called with too few or too many arguments, with an unknown keyword, or with a value "
    "that the function does not take.",
)
PYTHON_IN_KERNEL = code(
    524,
    "a kernel uses Python that the frontend does not compile",
    "Kernels are written in a part of Python: assignments, arithmetic, `if`, `for` over `range`, `while`, and calls of the "
    "frontend's functions and of functions written in the same part. Classes, exceptions, comprehensions, imports and calls of "
    "other libraries run before the launch, outside of the kernel.",
)
CONSTANT_IN_KERNEL = code(
    525,
    "a kernel needs a constant",
    "The frontend has to know the value when it compiles the kernel: shapes, axes, and conditions of static assertions. Write "
    "a literal, or declare the parameter as a constant (`ct.Constant[int]` in cuTile, `tl.constexpr` in Triton).",
)
ASSERTION_IN_KERNEL = code(
    526,
    "a static assertion of a kernel failed",
    "The kernel asserts something about its constants (`ct.static_assert`, `tl.static_assert`) that does not hold for the "
    "arguments of this launch. The message is the kernel's own.",
)
KERNEL_REFUSED = code(
    527,
    "the frontend refused a kernel",
    "The frontend could not compile the kernel; the message is its own. `tilewright run --traceback`, or "
    "`TILEWRIGHT_TRACEBACK=1` in the environment, shows where in the frontend it happened.",
)
NO_SOURCE = code(
    528,
    "the source of a kernel cannot be read",
    "Frontends compile kernels from the text of their functions, which Python finds for files and for cells of notebooks, "
    "and does not keep for functions that are typed at the prompt or made by `exec`.",
)
BAD_SETTINGS = code(
    540,
    "settings of the project are wrong",
    "The table `[tool.tilewright]` of `pyproject.toml` has defaults for options. The file is no TOML, or the table has a key "
    "that is no option, or a value that the option does not take; the message names it, the hint what there is. "
    "`TILEWRIGHT_PROJECT=` in the environment lets commands run without the file.",
)
DOES_NOT_FAIL = code(
    541,
    "there is no failure to keep",
    "`tilewright reduce` makes a failing input smaller while it fails in the same way. The given input does not fail: the "
    "command ended with status 0, or the named code was not among the diagnostics. Check the command on the input first; the "
    "name of the file takes the place of `{}`, or comes last.",
)
