"""The functions of CUDA that the stand-in has, and C++ that is generated from CUDA's headers for the others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set as AbstractSet
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "runtime"
"""The folder with the C++ files of the stand-in."""
RUNTIME_HEADER, DRIVER_HEADER, VERSIONS_HEADER, NVRTC_HEADER = HEADERS = (
    "cuda_runtime_api.h",
    "cuda.h",
    "cudaTypedefs.h",
    "nvrtc.h",
)
"""The headers that are read: the runtime, the driver, the versions of the driver's functions, and NVRTC."""
_RUNTIME_DECLARED = re.compile(r"CUDARTAPI\s+(cuda[A-Z]\w*)\s*\(")
_DRIVER_DECLARED = re.compile(r"^CUresult CUDAAPI (cu[A-Z]\w*)\s*\(", re.MULTILINE)
_NVRTC_DECLARED = re.compile(r"^(?:nvrtcResult |const char ?\* ?)(nvrtc[A-Z]\w*)\s*\(", re.MULTILINE)
_RENAMED = re.compile(
    r"^#define\s+(cu[A-Z]\w*)\s+(?:__CUDA_API_PT[DS][SZ]\()?(cu[A-Z]\w*)\)?[ \t]*$", re.MULTILINE
)
"""Matches the lines of the driver's header that give a function the name of its newest version."""
_VERSIONED = re.compile(r"\(CUDAAPI \*PFN_(cu[A-Z]\w*?)_v(\d+)\)\(([^;]*)\);")
"""Matches the type of a function of the driver: its name, the version of CUDA, and its parameters."""
_PER_THREAD = re.compile(r"__CUD(?:ART|A)_API_PT(D|S)[SZ]\((cu\w+)\)")
_DEFINED = re.compile(r"^API [\w* ]+?(\w+)\(", re.MULTILINE)
_SECTION = re.compile(
    r"^// --- [^\n]*\n// (?P<text>[^\n]+)\n(?P<body>.*?)(?=^// --- |\Z)", re.MULTILINE | re.DOTALL
)
"""Matches the parts of the C++ files: a title, a description, and functions."""
_OLDER = re.compile(r"_v\d+$")


def sources() -> list[Path]:
    """Return the C++ files of the stand-in, headers included."""
    return sorted(FOLDER.iterdir())


@cache
def provided() -> frozenset[str]:
    """Return the names of the functions that the stand-in implements, as programs write them."""
    return frozenset(
        name for source in sources() for name in _DEFINED.findall(source.read_text(encoding="utf-8"))
    )


def driver_provided() -> set[str]:
    """Return the names of the driver's functions that the stand-in implements."""
    return {name for name in provided() if name.startswith("cu") and name[2].isupper()}


def driver_sections() -> Iterator[tuple[list[str], str]]:
    """Yield the driver's functions in the groups of the C++ files, with a description of each group."""
    for source in sources():
        for section in _SECTION.finditer(source.read_text(encoding="utf-8")):
            names = [name for name in _DEFINED.findall(section["body"]) if name in driver_provided()]
            if names:
                yield names, section["text"].removesuffix(".")


def declared(headers: Path) -> set[str]:
    """Return the names of the functions of the runtime that the CUDA headers in the folder ``headers``
    declare, without `cudaGetErrorString` and `cudaGetErrorName`.
    """
    return set(_RUNTIME_DECLARED.findall(_text(headers, RUNTIME_HEADER))) - {
        "cudaGetErrorString",
        "cudaGetErrorName",
    }


def driver_declared(headers: Path) -> set[str]:
    """Return the names of the driver's functions that the CUDA headers in the folder ``headers`` declare, as
    programs write them: without older versions of functions.
    """
    names = set(_DRIVER_DECLARED.findall(_text(headers, DRIVER_HEADER)))
    return {name for name in names if not (_OLDER.search(name) and _OLDER.sub("", name) in names)}


def generated(headers: Path) -> Iterator[str]:
    """Yield the C++ that completes the stand-in: a definition of each function of the runtime and the driver
    that it does not implement, which reports its name; a function of NVRTC for each that is only passed on;
    and the table of the driver's functions by name and version.
    """
    yield '#include <cstddef>\nextern "C" int tilewright_not_provided(const char*);\n'
    yield 'extern "C" int tilewright_driver_not_provided(const char*);\n'
    yield 'extern "C" void* tilewright_library_function(const char*, const char*);\n'
    known, symbols = provided(), _symbols(headers)
    for name in sorted(declared(headers) - known):
        yield _function(name, f'return tilewright_not_provided("{name}");')
    there = {symbols.get(name, name) for name in known}
    for name in sorted(driver_declared(headers)):
        if (symbol := symbols.get(name, name)) not in there:
            there.add(symbol)
            yield _function(symbol, f'return tilewright_driver_not_provided("{name}");')
    for name in sorted(set(_NVRTC_DECLARED.findall(_text(headers, NVRTC_HEADER))) - known):
        yield _passed_on("nvrtc", name)
    yield from _procedures(headers, symbols)


def per_thread_names(headers: Path) -> Iterator[str]:
    """Yield linker options that define a second name, such as ``cudaLaunchKernel_ptsz``, for each function
    that programs compiled with a default stream for each thread call by that name.
    """
    known, symbols = provided(), _symbols(headers)
    there = known | {symbols.get(name, name) for name in known}
    for header in (RUNTIME_HEADER, DRIVER_HEADER):
        for letter, name in sorted(set(_PER_THREAD.findall(_text(headers, header))) & _pairs(there)):
            suffix = "_ptds" if letter == "D" else "_ptsz"
            yield f"-Wl,--defsym={name}{suffix}={name}"


def _pairs(names: AbstractSet[str]) -> set[tuple[str, str]]:
    return {(letter, name) for letter in "DS" for name in names}


def _text(headers: Path, header: str) -> str:
    """Return the text of a header; empty if the folder lacks it."""
    path = headers / header
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


def _symbols(headers: Path) -> Mapping[str, str]:
    """Return the symbol, such as ``cuMemAlloc_v2``, for the name of each driver function whose newest version
    has another symbol than its name. The mapping is empty if the folder `headers` lacks the driver's header.
    """
    return dict(_RENAMED.findall(_text(headers, DRIVER_HEADER)))


def _procedures(headers: Path, symbols: Mapping[str, str]) -> Iterator[str]:
    """Yield the table of the driver's functions: name, first version of CUDA, and address, in the order of
    versions. Only the newest form of a function is in it. It is also the form of older versions that have the
    same parameters.
    """
    versions: dict[str, dict[int, str]] = {}
    for name, version, parameters in _VERSIONED.findall(_text(headers, VERSIONS_HEADER)):
        versions.setdefault(name, {})[int(version)] = parameters.replace("CUdevice_v1", "CUdevice")
    rows = list[str]()
    for name in sorted(driver_declared(headers) | driver_provided()):
        symbol = symbols.get(name, name)
        known = versions.get(name, {0: ""})
        first = sorted(known)
        newest = first[_form(symbol) - 1] if _form(symbol) <= len(first) else first[-1]
        at = min(version for version in first if known[version] == known[newest])
        yield f'extern "C" int {symbol}(...);\n'
        rows.append(f'{{"{name}", {at}, reinterpret_cast<void*>(&{symbol})}},\n')
    yield "struct tilewright_procedure { const char* name; int version; void* function; };\n"
    yield 'extern "C" const tilewright_procedure tilewright_procedures[] = {\n'
    yield from rows
    yield '};\nextern "C" const unsigned long tilewright_procedure_count = '
    yield f"{len(rows)};\n"


def _form(symbol: str) -> int:
    """Return the number of a version of a function: 2 for ``cuMemAlloc_v2``, 1 without a number."""
    found = _OLDER.search(symbol)
    return int(found[0].removeprefix("_v")) if found else 1


def _function(name: str, body: str) -> str:
    return f'extern "C" __attribute__((visibility("default"))) int {name}(...) {{ {body} }}\n'


def _passed_on(library: str, name: str) -> str:
    """Return a function that calls the function of its name in a library. All parameters are pointers or
    numbers, at most eight of them.
    """
    parameters = ", ".join(f"long {letter}" for letter in "abcdefgh")
    return (
        f'extern "C" __attribute__((visibility("default"))) long {name}({parameters}) {{\n'
        f'    void* found = tilewright_library_function("{library}", "{name}");\n'
        f"    return found ? reinterpret_cast<long (*)({parameters})>(found)(a, b, c, d, e, f, g, h) : 11;\n}}\n"
    )
