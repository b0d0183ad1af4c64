"""Diagnostic codes of programs written for GPUs (TW13xx)."""

from __future__ import annotations

from tilewright.ir.codes import code

NO_ANSWER = code(
    1300,
    "the call needs a GPU",
    "The program asked PyTorch or CuPy for something that only a GPU can answer. `tilewright run` and `TILEWRIGHT=cpu` "
    "answer for tensors, streams, events, graphs of launches and the properties of the device; they do not invent "
    "figures such as memory statistics, and they cannot run code made for a GPU by another compiler. Guard the call, or "
    "leave it out where `TILEWRIGHT` is set in the environment.",
)
BAD_SETTING = code(
    1301,
    "unknown GPU",
    "The GPU whose properties a program is to see is named by its architecture, such as sm_90. It decides what the "
    "device properties and the compute capability say, and nothing else: kernels run on the CPU.",
)
CAPTURED = code(
    1302,
    "not possible while a graph is captured",
    "Between the beginning and the end of the capture of a CUDA graph nothing runs, so nothing can be read back: values "
    "of tensors, and copies to the host, are only there after the graph has been replayed. A GPU refuses it, too.",
)
NOT_A_SCRIPT = code(
    1303,
    "the script cannot be run",
    "The file that is to be run as a Python program does not exist or may not be read.",
)
HOST_TENSOR = code(
    1304,
    "a tensor of the host is passed to a kernel",
    "A kernel on a GPU reads and writes memory of the GPU. A tensor that PyTorch made on the CPU is elsewhere, so a GPU "
    "refuses the launch or reads what is not there; here the launch is refused.  Make the tensor with device='cuda', or "
    "move it.  Pinned memory can be reached from a GPU, and NumPy arrays are taken as they are.",
)
BAD_ARGUMENTS = code(
    1305,
    "arguments of a launch that do not fit the kernel",
    "The program passes another number of arguments than the kernel has parameters, or an argument with fewer bytes than "
    "its parameter. CuPy does not notice it: a GPU reads what happens to be in memory. Numbers of Python are passed as "
    "`long long` and `double`; scalars of NumPy have the type that they say.",
)
