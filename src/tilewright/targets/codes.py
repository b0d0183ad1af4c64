"""Diagnostic codes of the back ends (TW09xx, below 950)."""

from __future__ import annotations

from tilewright.ir.codes import code

NO_LLVM_FORM = code(
    900,
    "an operation has no form in LLVM IR",
    "Only operations of the dialect `llvm` in a module are translated to LLVM IR. Lower the rest first; "
    "`tilewright opt --mlir-print-ir-after-all` shows the pass that left it.",
)
NO_LLVM_TYPE = code(
    901,
    "a type does not exist in LLVM IR",
    "LLVM IR has integers, half, bfloat, float, double, x86_fp80, fp128, pointers, vectors of rank 1, arrays and "
    "structs. Other types have to be converted before, by the LLVM type converter of the lowering.",
)
NO_LLVM_CONSTANT = code(
    902,
    "a constant cannot be written in LLVM IR",
    "The value of a constant or global has to fit its type: a number for a scalar, dense elements for vectors and "
    "arrays, a string for an array of bytes, an array of parts for a struct.",
)
NO_CPU_FORM = code(
    903,
    "an operation has no form on the CPU",
    "The CPU back end has a rule for every operation that kernels come with, but for those that only make sense on a "
    "GPU or that the coverage matrix lists as missing. The interpreter runs every operation of Tile IR.",
)
UNKNOWN_PROCESSOR = code(
    930,
    "unknown processor",
    "Code for the CPU is made for the processor of this machine (`host`) or for a processor of a list. The message "
    "names the processor that is not in the list, and the environment variable if it comes from there; the hint names "
    "processors of the list.",
)
NOT_FOR_PROCESSOR = code(
    931,
    "an instruction that the processor does not have",
    "The code asks for an instruction of one family of processors, and the target is of another family, or not known "
    "to have it. LLVM would end the whole process there, so the module is refused before. This is a mistake in the "
    "module, which the CPU back end made in most cases: please report it with the kernel.",
)
LLVM_REFUSED = code(
    932,
    "LLVM refuses a module",
    "LLVM's own parser or verifier found something wrong. In a module that was given as LLVM IR, the mistake is in that "
    "text. In code that was generated it is a mistake of tilewright: please report it with the text of the stage `llvm`.",
)
LLVM_ENDED = code(
    933,
    "LLVM ended its process",
    "LLVM ran in a process of its own, as requested, and ended it without code for the module. The message has the output "
    "of LLVM. This is a mistake of tilewright, or of LLVM: please report it with the text of the stage `llvm`.",
)
OTHER_TRIPLE = code(
    935,
    "LLVM IR for another processor",
    "LLVM IR is made for one system, and lays out its data for it. It can only be compiled for that one.",
)
NO_KERNELS = code(
    936,
    "LLVM IR without a description of its kernels",
    "The stage `llvm` describes its kernels in the constant `@tilewright.kernels`: names, parameters, scratch memory. "
    "LLVM IR without it can be compiled, but there is nothing in it that could be launched.",
)
NO_PLAN = code(
    937,
    "a text is not the plan of a kernel",
    "The stage `plan-json` has the plans of a module in full, which can be read again beside that module: operations and "
    "values are numbers in it. The plan of another module, or of a changed one, does not fit.",
)
