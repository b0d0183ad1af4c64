"""Diagnostic codes of the lowering cascade (TW0800 to TW0849)."""

from __future__ import annotations

from tilewright.ir.codes import code

BAD_COMPUTE_CAPABILITY = code(
    800,
    "compute capability missing or malformed",
    "`convert-cuda-tile-to-tileaa` has to know what code is made for: `compute-capability=sm_100` (or another GPU) or "
    "`compute-capability=host`, which is the default.",
)
NO_ENCLOSING_MODULE = code(
    801,
    "a Tile IR module with nothing around it",
    "The conversion puts the kernels of a `cuda_tile.module` into the module around it. Run the pass on a "
    "`builtin.module` that holds the Tile IR module; `tilewright opt` and `tilewright compile` make one.",
)
NOT_LOWERED_FOR_TARGET = code(
    802,
    "an operation of Tile IR has no lowering for the target",
    "The operation makes sense on the hardware only and this version does not lower it for the chip that was asked "
    "for. On the host it has a meaning; the interpreter runs it, too.",
)
NESTED_TOO_DEEP = code(
    803,
    "loops and branches are nested too deep",
    "Lowering follows the nesting of loops and branches, up to 100 levels. What follows a branch with an exit (`break`, "
    "`continue`, `return`) from its middle goes into that branch, so each such branch counts as a level for the rest of "
    "its block. The interpreter has no such limit.",
)

NO_TARGET_SPEC = code(
    820,
    "a module does not name its chip",
    "Between the tile dialects the module says what code is made for: `nv_tileaa.compute_capability` (a number) and "
    '`nv_tileaa.target_spec` (a chip, or "host") go together. `convert-tileaa-to-tileas{compute-capability=sm_100}` '
    "writes both; a module without either is for the host.",
)
UNSUPPORTED_PLUGIN = code(
    823,
    "a plugin asks for what this version does not have",
    "`nv_tileaa.plugin` may name features and layouts. This version carries plugins that ask for nothing.",
)
NO_COMPUTE_CAPABILITY = code(
    824,
    "the body conversion does not know what code is made for",
    "`convert-nv-tileas-to-llvm` reads `nv_tileaa.target_spec` of the module, which `convert-tileaa-to-tileas` writes. "
    "Run that pass before, or write the attribute.",
)
KERNEL_RETURNS = code(
    825,
    "a kernel returns values",
    "Kernels have no one to return to: store the values to memory instead.",
)
WRONG_BACK_END = code(
    826,
    "the back end at hand does not make code for the target of a module",
    "The module names its chip (`nv_tileaa.target_spec`), and the back end of the body conversion "
    "makes code for another one. Convert the module for the target that is wanted from the start.",
)
LEFT_BEHIND = code(
    827,
    "an operation was left over after the lowering to LLVM",
    "After the last phase a module holds operations of `llvm` only. This one belongs to no phase of the back end: if it "
    "is in a function that is no kernel, inline the function; else please report it with the stage `tileas`.",
)
NOT_TILEAS_FORM = code(
    828,
    "an operation was not converted to TileAS form",
    "The conversion of bodies to LLVM takes TileAS form: operations of `nv_tileas`, and operations of "
    "`nv_tileaa` on the bridge, which have no counterpart (see the concept page of the cascade). "
    "`convert-tileaa-to-tileas` makes it of `nv_tileaa`; `tilewright compile` runs that pass, "
    "`tilewright opt` runs the passes that are named.",
)
BROKEN_SLICES = code(
    829,
    "large tiles were not sliced as later passes need it",
    "`nv-tileas-slice-tiles` makes arrays of tiles that are too large for registers, which are overwritten in place. After it "
    "no operation that it has a rule for has such a tile in registers, and nothing reads an array that was overwritten. This is "
    "a mistake in the compiler: please report it with the stage `tileas`.",
)
BROKEN_TRANSFER = code(
    831,
    "a conversion of a layout does not bring elements to their threads",
    "`nv-tileas-materialise-conversions` decides for each conversion whether registers are renamed, "
    "lanes exchange words, or the tile goes through shared memory. The decision in the module does not "
    "move the elements to the threads that need them. In a module from the compiler this is a mistake "
    "in the compiler: please report it with the stage `layouts`.",
)
HINT_NOT_USED = code(
    832,
    "a hint that the code does not follow",
    "`num_cta_in_cga` asks that several blocks of a cluster run one tile block together. Code for GPUs gives each tile block one "
    "block of threads, so that the kernel is right and runs without a cluster. Leave the hint out, or set it to 1 for the chip.",
)
CHECK_NOT_COMPILED = code(
    830,
    "a check that is not compiled",
    "`insert-checks` makes `fpcheck`, `initcheck` and `promises` part of a kernel. There is no check of that name, or "
    "it asks about something that no operation of Tile IR tells, which the message names. The interpreter makes every "
    'check: `target="interp"`.',
)

TRITON_UNSUPPORTED = code(
    840,
    "an operation of Triton has no meaning in Tile IR",
    "Tile IR has tiles, but no threads, registers and memories of a chip. Inline assembly, layouts of "
    "`ttg` and other forms that name them cannot be converted; the message names the replacement.",
)
TRITON_TYPE = code(
    841,
    "a type of Triton has no form in Tile IR",
    "Tiles have extents that are powers of two, at most 2^24 elements, and the element types i1, i8, i16, i32, i64, f16, "
    "bf16, f32, f64, f8E4M3FN and f8E5M2. Convert the numbers to one of these.",
)
TRITON_JUMPS_BACK = code(
    842,
    "the blocks of a function cannot be structured",
    "`convert-triton-to-cuda-tile` makes branches of the jumps that early returns leave. A jump to an earlier block "
    "is a loop, which Triton writes as `for` or `while`.",
)
TRITON_CALL = code(
    843,
    "a call cannot be inlined",
    "Kernels of Tile IR call nothing, so that functions take the place of their calls. One that calls itself, or has no body "
    "in the module, cannot.",
)
