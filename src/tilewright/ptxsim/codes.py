"""Diagnostic codes of the PTX simulator (TW125x)."""

from __future__ import annotations

from tilewright.ir.codes import code

BAD_LAUNCH = code(
    1250,
    "PTX launch is not possible",
    "The module has no kernel of that name, or grid and block are not three extents each that a GPU takes (at most 1024 "
    "threads in a block), or the block is not the one that `.reqntid` asks for.",
)
BAD_ARGUMENT = code(
    1251,
    "argument does not fit the PTX parameter",
    "A kernel takes one value per parameter, in order: a NumPy array for a pointer, a number or ctypes scalar for a "
    "number, bytes or an array of bytes for a parameter that is an array. The message names the parameter.",
)
NOT_SIMULATED = code(
    1252,
    "PTX instruction is not simulated",
    "The instruction is PTX, but the simulator has no meaning for it yet, so it stops instead of guessing. "
    "`tilewright sim --instructions` lists the instructions that it knows.",
)
POISON = code(
    1253,
    "undefined PTX value is used",
    "A register or a byte of shared or local memory that was never written reaches an address, a branch or global "
    "memory. Write it first; for shared memory, put a barrier between the write and the read.",
)
OUT_OF_BOUNDS = code(
    1254,
    "PTX access outside of memory",
    "The address belongs to no array argument, variable or shared memory of the launch, or it lies in another state space "
    "than the instruction names. The message names the first thread and its address.",
)
MISALIGNED = code(
    1255,
    "misaligned PTX access",
    "An address must be a multiple of the size of the access; for a vector access, of the size of the whole vector.",
)
DEADLOCK = code(
    1256,
    "PTX threads wait forever",
    "All threads that have not ended wait: at a barrier for threads that ended or wait elsewhere, or at a `.sync` "
    "instruction for members of its mask. The notes name the places.",
)
STEP_LIMIT = code(
    1257,
    "too many PTX steps",
    "The launch executed more instructions than its limit. The message names the one it stopped at; most likely a loop "
    "waits for something that no thread does.",
)
STOPPED = code(
    1258,
    "PTX kernel stopped itself",
    "The kernel executed `trap` or `brkpt`, which programs do when an assertion fails.",
)
BAD_BARRIER = code(
    1259,
    "PTX barrier is used wrongly",
    "The count of a barrier is no multiple of 32, differs between its threads, or more threads arrive than it names; or a "
    "thread executes a `.sync` instruction whose mask leaves it out.",
)
IN_FLIGHT = code(
    1260,
    "PTX accesses data that an asynchronous operation still uses",
    "A store or copy meets bytes that an asynchronous operation still writes or reads, or that are an mbarrier; a register "
    "of a `wgmma` product is written before the wait, or behind the last `wgmma.fence`; or a block ends while copies still "
    "use its shared memory. Wait for the operation's group or mbarrier first.",
)
NOT_ALIGNED = code(
    1261,
    "PTX instruction of a whole warp",
    "An `.aligned` instruction is executed by some threads of a warp only. All 32 must execute it, with the same operands "
    "where the ISA says so; a `wgmma` instruction is executed by four warps of which the first has a number divisible by 4.",
)
BAD_MBARRIER = code(
    1262,
    "mbarrier is used wrongly",
    "Memory without mbarrier.init is used as an mbarrier, or initialised twice; a count is outside of 1 to 1048575; more "
    "threads arrive than the phase expects, or more bytes than a phase can count; or a wait names a phase that is neither "
    "the current one nor the one before.",
)
BAD_COPY = code(
    1263,
    "bulk copy is not possible",
    "The size of a bulk copy is a multiple of 16 bytes, as are its addresses; a tensor map has extents, strides and a box "
    "within the limits of the ISA, and a swizzle that its inner box fits. The message names the rule.",
)
BAD_DESCRIPTOR = code(
    1264,
    "matrix descriptor is wrong",
    "The descriptor of a matrix in shared memory has an undefined swizzle, or leads outside of shared memory.",
)
RACE = code(
    1265,
    "data race in PTX memory",
    "Two threads access the same bytes, one of them writes, and nothing orders the two accesses. Put a barrier between "
    "them. An asynchronous copy or `wgmma` sees stores of threads only behind `fence.proxy.async` and a barrier, and a tensor "
    "map that a kernel wrote only behind the two fences of its proxy.",
)
TWO_VALUES = code(
    1268,
    "PTX threads write different values to one place",
    "Threads write different values to the same bytes by one plain store, and nothing says which of them stays. The message "
    "names two of the threads. Give each thread a place of its own, let only one of them store, or use an atomic operation.",
)
ASSERTION = code(
    1267,
    "assertion failed in PTX",
    "The kernel called `__assertfail`: a condition that its source asserts does not hold. The message has the text and the "
    "place in the source.",
)
BAD_TENSOR_MEMORY = code(
    1266,
    "tensor memory is used wrongly",
    "Tensor memory is allocated in powers of two from 32 to 512 columns, before `relinquish_alloc_permit`, and freed before "
    "the block ends; a warp uses the 32 lanes of its number modulo 4, and no thread uses columns that are not allocated.",
)
EARLY_TENSOR_LOADS = "early-tensor-loads"
UNFENCED_TENSOR_ADDRESS = "unfenced-tensor-address"
UNFENCED_TENSOR_MEMORY = "no-tensor-fences"
PERMITS = {
    EARLY_TENSOR_LOADS: "registers of tcgen05.ld are used before tcgen05.wait::ld",
    UNFENCED_TENSOR_ADDRESS: "the word that tcgen05.alloc wrote is used by the async proxy without a proxy fence",
    UNFENCED_TENSOR_MEMORY: "threads synchronise on tensor memory without the fences of tcgen05",
}
"""Findings that a launch may let pass by name, since compilers make such code and GPUs run it."""
