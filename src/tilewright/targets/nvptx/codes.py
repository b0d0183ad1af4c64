"""Diagnostic codes of assembling PTX, of reading machine code (TW0910-TW0919), and of writing PTX."""

from __future__ import annotations

from tilewright.ir.codes import code

NO_ASSEMBLER = code(
    910,
    "no assembler for PTX is installed",
    "Machine code for NVIDIA's GPUs is made by `ptxas` or nvJitLink. They are looked for in PyPI packages "
    "(`nvidia-cuda-nvcc`, `triton`, `nvidia-nvjitlink`), in the CUDA toolkit that `CUDA_HOME` or `CUDA_PATH` names, in "
    "`/usr/local/cuda` and on `PATH`. Checking PTX and simulating it need none of them.",
)
PTX_REFUSED = code(
    911,
    "the assembler refuses PTX",
    "The assembler says that the text is not PTX, asks for something that the GPU does not have, or needs more than a "
    "GPU has. The place is the line that it names. `tilewright ptx FILE` often says more about a mistake in the text.",
)
ASSEMBLER_WARNS = code(
    912,
    "the assembler warns about PTX",
    "There is machine code, but the assembler could not do all that the text asks for: it made products wait for each "
    "other, say, or ignored a directive. The message is the assembler's.",
)
ASSEMBLER_ENDED = code(
    913,
    "the assembler ended without machine code",
    "The assembler crashed, was killed, or reported success without machine code. It runs in a process of "
    "its own, so nothing else is lost. Try another version of it, or a lower optimization level, and report the PTX to "
    "the maker of the assembler.",
)
ASSEMBLER_SLOW = code(
    914,
    "the assembler takes too long",
    "The assembler was ended at the time limit. Long straight code takes it longest; a higher limit or a lower "
    "optimization level helps, and so do loops that are not unrolled.",
)
UNKNOWN_GPU = code(
    915,
    "not the name of a GPU",
    "Machine code is made for one architecture, whose name is `sm_` and a number, with `a` behind it for features of that "
    "architecture alone or `f` for those of its family: `sm_80`, `sm_90a`, `sm_100f`.",
)
NO_DISASSEMBLER = code(
    916,
    "no disassembler for machine code of GPUs is installed",
    "Instructions are shown by `nvdisasm`, which is looked for in PyPI packages (`nvidia-cuda-nvdisasm`, `triton`), in the "
    "CUDA toolkit and on `PATH`. Without it the sections of a cubin still tell registers, stack, shared memory and "
    "parameters.",
)
DISASSEMBLER_FAILED = code(
    917,
    "the disassembler ended without a listing",
    "The disassembler crashed, was killed, took too long, or does not support the architecture of the cubin. A newer "
    "version supports more architectures. The data of the cubin's sections are shown in any case.",
)
NO_PTX_FORM = code(
    918,
    "an operation has no form in PTX",
    "PTX is written from operations of the dialects `llvm` and `nvvm`. Either the operation is of another dialect and has to "
    "be lowered first, or PTX has no instruction for it. The message names the operation, and the hint says how to replace "
    "it.",
)
NOT_ON_CHIP = code(
    919,
    "the GPU lacks an instruction",
    "An operation needs an instruction that the GPU does not have: it came with a later architecture, or is only in the "
    "variant of an architecture with `a` or `f` behind its name. Ask for another GPU, or lower the operation to others "
    "that this one has.",
)
NO_DEVICE = code(
    920,
    "code for a GPU cannot be run here",
    "The target `cuda` runs kernels on the GPU of this machine: it needs one, and NVIDIA's driver. Code for a GPU that is named, "
    "such as `sm_80`, is written as PTX and machine code and not run. The simulator of PTX runs it everywhere: compile for "
    "the target `sim:` with the name of the GPU behind it, such as `sim:sm_80`.",
)
BAD_ARGUMENT = code(
    921,
    "an argument does not fit a kernel for a GPU",
    "A kernel that runs in the simulator takes a NumPy array for each pointer and a number for each scalar, as many as it has "
    "parameters.",
)
NO_GPU_FORM = code(
    922,
    "an operation on tiles has no form on GPUs",
    "Code for GPUs is made from TileAS by patterns, and there is none for this operation yet. The processor and the interpreter "
    "run every operation: compile for the target `cpu`, or leave the operation out of kernels for GPUs.",
)
TOO_MUCH_SHARED_MEMORY = code(
    923,
    "an operation or a kernel needs more shared memory than there is",
    "Elements that change threads go through shared memory. A block has 64 to 227 KiB of it, by the chip. Smaller tiles "
    "need less, and other chips have more.",
)
SHARED_HAZARD = code(
    924,
    "threads of a block may get in each other's way in shared memory",
    "Two accesses to shared memory may touch the same byte, at least one of them writes, and no barrier separates them; or a "
    "buffer is overwritten before it was read. This is a mistake in the compiler, or in code for GPUs that was written by "
    "hand: put a barrier between the two accesses that the message names, or buffers apart.",
)
BAD_LIMIT = code(
    926,
    "limit of instructions is no number",
    "`max_instructions`, the option of `sim:` targets, is the number of instructions of blocks after which the simulator "
    "gives up a launch: a number from 1 on.",
)
DEVICE_FAILED = code(
    925,
    "the driver of the GPU reports a failure",
    "A function of NVIDIA's driver failed; the message names it, and the error that it returned. Either the driver does not load the code, "
    "because it is older than the PTX, or the GPU has too little memory, or the kernel did something illegal: the target `sim:` "
    "with the name of the GPU behind it runs the same code with checks, and reports the error and its place.",
)
