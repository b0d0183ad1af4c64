"""Passes of a program: tables of code pointers in which one function returns a class name and another an option."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from tilewright.abi.table_shapes import MLIR_PASS_TABLE
from tilewright.inspect.binary.image import ProgramImage
from tilewright.inspect.code.bodies import Bodies, BodyKind
from tilewright.inspect.code.instructions import window
from tilewright.inspect.code.registrations import Callee
from tilewright.inspect.findings import LIKELY, STRONG, BinaryFinding, Evidence, combined
from tilewright.inspect.tables.vtables import VirtualTables

CLASS_NAME = re.compile(r"[A-Za-z_][\w:]*(?:<.*>)?")
OPTION_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
NAME = MLIR_PASS_TABLE.slot("get_name")
ARGUMENT = MLIR_PASS_TABLE.slot("get_argument")
DESCRIPTION = MLIR_PASS_TABLE.slot("get_description")


def pass_findings(tables: VirtualTables, bodies: Bodies) -> Iterator[BinaryFinding]:
    """Yield one finding for each pass, named by its option, in order of table address. A table belongs to a
    pass if it has the slot `DESCRIPTION`, one of its functions returns an option, and another one a class
    name or a description. Of several tables with the same option, as base classes have them, only the first
    is reported.
    """
    seen: set[str] = set()
    members = np.flatnonzero(tables.slots > DESCRIPTION).astype(np.int64)
    members = members[np.argsort(tables.address[members], kind="stable")]
    columns = [tables.slot(members, slot).tolist() for slot in (NAME, ARGUMENT, DESCRIPTION)]
    for address, name, argument, description in zip(tables.address[members].tolist(), *columns, strict=True):
        finding = _pass(address, name, argument, description, bodies)
        if finding is not None and finding.name not in seen:
            seen.add(finding.name)
            yield finding


def _pass(address: int, name: int, argument: int, description: int, bodies: Bodies) -> BinaryFinding | None:
    option = bodies[argument]
    if option.kind is not BodyKind.STRING or not OPTION_NAME.fullmatch(option.text):
        return None
    evidence = [Evidence(f"slot {ARGUMENT} of the table at {address:#x} returns '{option.text}'", argument)]
    class_name, summary = bodies[name], bodies[description]
    confidences = [LIKELY]
    if class_name.kind is BodyKind.STRING and CLASS_NAME.fullmatch(class_name.text):
        evidence.append(Evidence(f"slot {NAME} returns '{class_name.text}'", name))
        confidences.append(LIKELY)
    if summary.kind is BodyKind.STRING:
        evidence.append(Evidence(f"slot {DESCRIPTION} returns '{summary.text}'", description))
        confidences.append(LIKELY)
    if len(confidences) == 1:
        return None
    details = {"class": class_name.text, "description": summary.text, "table": address}
    return BinaryFinding("pass", option.text, address, tuple(evidence), combined(*confidences), details)


def pipeline_findings(
    image: ProgramImage, functions: list[Callee], passes: set[str]
) -> Iterator[BinaryFinding]:
    """Yield one finding for each option that is the first argument of a registration function for pipelines.
    Such a function also gets a description (third argument) and two functions (fifth and sixth argument).
    Options in `passes` are left out. `functions` has, for each called function and number of an argument, the
    names that are passed, with the address of a call.
    """
    for callee in functions:
        names = sorted(callee.names)
        if callee.argument != 0 or len(names) < 2 or not all(OPTION_NAME.fullmatch(name) for name in names):
            continue
        partner = next((c for c in functions if _describes(c, callee, names)), None)
        if partner is None or not all(_hands_functions(image, callee.names[name]) for name in names):
            continue
        for name in names:
            if name not in passes:
                text = f"'{name}' is passed to {callee.address:#x}, which takes {len(names)} options with descriptions"
                evidence = (
                    Evidence(text, callee.names[name]),
                    Evidence("two more arguments follow the description, addresses both", callee.names[name]),
                )
                yield BinaryFinding("pipeline", name, callee.names[name], evidence, STRONG)


def _describes(other: Callee, callee: Callee, names: list[str]) -> bool:
    """Return whether `other` describes the options of `callee`: it is the third argument of the same
    function, all texts passed as it contain blanks, and their number is at least half of the number of
    `names`.
    """
    same = other.address == callee.address and other.argument == 2
    return same and all(" " in text for text in other.names) and len(other.names) * 2 >= len(names)


def _hands_functions(image: ProgramImage, site: int) -> bool:
    """Return whether the code around address `site` writes the registers of the fifth and the sixth argument
    (``r8``, ``r9``) by `lea` or `mov` between the calls before and after it.
    """
    written: set[str] = set()
    for instruction in window(image, site, 64, 64):
        if instruction.mnemonic == "call" and instruction.address > site:
            break
        if instruction.mnemonic == "call":
            written.clear()
        if instruction.mnemonic in ("lea", "mov"):
            written.add(instruction.destination)
    return {"r8", "r9"} <= written
