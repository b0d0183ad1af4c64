"""The printer: from the model to text that parses into an equal model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.ptx import model


def print_module(module: model.Module) -> str:
    """Return the text of a module. A version of (0, 0) and an empty target are left out."""
    major, minor = module.version
    lines = [f".version {major}.{minor}"] if module.version != (0, 0) else []
    lines += [f".target {', '.join(module.target)}"] if module.target else []
    lines += [f".address_size {module.address_size}", ""]
    for statement in module.statements:
        lines.extend(_lines(statement, ""))
    return "\n".join(lines) + "\n"


def _lines(statement: model.Statement, indent: str) -> list[str]:
    match statement:
        case model.PtxFunction():
            return _function(statement)
        case model.PtxScope():
            return [f"{indent}{{", *_inside(statement, indent + "\t"), f"{indent}}}"]
        case model.Section():
            return [f".section {statement.name}", "{", *_section(statement.words), "}"]
        case _:
            return [indent + _line(statement)]


def _inside(scope: model.PtxScope, indent: str) -> list[str]:
    found: list[str] = []
    for statement in scope.statements:
        if type(statement) is model.PtxInstruction:  # the most frequent kind
            found.append(indent + print_instruction(statement))
        else:
            found += _lines(statement, indent)
    return found


def _line(statement: model.Statement) -> str:
    match statement:
        case model.PtxInstruction():
            return print_instruction(statement)
        case model.Label():
            return f"{statement.name}:"
        case model.RegisterDeclaration():
            return _registers(statement)
        case model.PtxVariable():
            return _variable(statement) + ";"
        case model.LocDirective():
            return _location(statement)
        case model.Pragma():
            return f".pragma {', '.join(_quoted(statement.texts))};"
        case model.JumpTargets():
            word = ".calltargets" if statement.calls else ".branchtargets"
            return f"{statement.label}: {word} {', '.join(statement.names)};"
        case model.Prototype():
            returns, taken = _parameters(statement.returns), _parameters(statement.parameters)
            words = "".join(f" {_directive(*one)}" for one in statement.directives)
            return f"{statement.label}: .callprototype {returns}_ {taken}{words};"
        case model.File():
            return f".file {statement.number} {', '.join((*_quoted((statement.name,)), *map(str, statement.stamp)))}"
        case model.Alias():
            return f".alias {statement.name}, {statement.target};"
        case model.PtxFunction() | model.PtxScope() | model.Section():
            raise AssertionError("these have lines of their own")


def _quoted(texts: Sequence[str]) -> list[str]:
    return [f'"{text}"' for text in texts]


def _section(words: Sequence[str]) -> Iterator[str]:
    """Yield lines of debugging data: the tokens `words`, separated by spaces, with a new line before each
    data directive (`.b8`, `.b16`, `.b32`, `.b64`). A label after data stays on the line of the data.
    """
    line: list[str] = []
    for word in words:
        if word.startswith(".b") and word[2:].isdigit() and line:
            yield "\t" + " ".join(line)
            line = []
        line.append(word)
    if line:
        yield "\t" + " ".join(line)


def _registers(one: model.RegisterDeclaration) -> str:
    names = (name if count is None else f"{name}<{count}>" for name, count in one.names)
    return f".reg {f'.v{one.vector} ' if one.vector else ''}.{one.type} {', '.join(names)};"


def _location(one: model.LocDirective) -> str:
    text = f".loc {one.file} {one.line} {one.column}"
    if one.inlined is None:
        return text
    return f"{text}, function_name {one.function}, inlined_at {' '.join(map(str, one.inlined))}"


def _variable(one: model.PtxVariable) -> str:
    words = [f".{one.linkage}"] if one.linkage else []
    words.append(f".{one.space}")
    if one.attributes:
        words.append(f".attribute({' '.join(one.attributes)})")
    if one.align:
        words.append(f".align {one.align}")
    if one.vector:
        words.append(f".v{one.vector}")
    words.append(f".{one.type}")
    words.extend(word if word.isdigit() else f".{word}" for word in one.pointer)
    dims = "".join(f"[{extent or ''}]" for extent in one.dims)
    text = f"{' '.join(words)} {one.name}{dims}"
    return text if one.initial is None else f"{text} = {_initial(one.initial)}"


def _initial(value: model.Initial) -> str:
    if isinstance(value, tuple):
        return f"{{{', '.join(map(_initial, value))}}}"
    if isinstance(value, model.SymbolAddress):
        name = f"generic({value.name})" if value.generic else value.name
        text = name + _offset(value.offset)
        return text if value.mask is None else f"{value.mask:#x}({text})"
    return print_operand(value)


def _offset(distance: int) -> str:
    """Return the text of a distance: ``+8``, ``+-8`` or an empty text. PTX has no ``-8`` after a name."""
    return f"+{distance}" if distance else ""


def _parameters(found: Sequence[model.PtxVariable]) -> str:
    return f"({', '.join(map(_variable, found))}) " if found else ""


def _directive(word: str, numbers: Sequence[int]) -> str:
    return f".{word} {', '.join(map(str, numbers))}".rstrip()


def _function(one: model.PtxFunction) -> list[str]:
    linkage = f".{one.linkage} " if one.linkage else ""
    parameters = ",\n\t".join(map(_variable, one.parameters))
    taken = f"(\n\t{parameters}\n)" if parameters else "()"
    head = f"{linkage}{'.entry' if one.entry else '.func'} {_parameters(one.returns)}{one.name}{taken}"
    lines = [*head.split("\n"), *(_directive(*directive) for directive in one.directives)]
    if one.body is None:
        lines[-1] += ";"
    return [*lines, *(_lines(one.body, "") if one.body is not None else ()), ""]


def print_instruction(one: model.PtxInstruction) -> str:
    """Return the text of an instruction, with its semicolon."""
    guard = f"@{'!' * one.guard.negated}{one.guard.name.text} " if one.guard else ""
    operands = ", ".join([print_operand(operand) for operand in one.operands if operand is not None])
    return f"{guard}{one.spelling} {operands};" if operands else f"{guard}{one.spelling};"


def print_operand(operand: model.Operand) -> str:
    """Return the text of an operand."""
    match operand:
        case model.Name():
            if not operand.component and not operand.offset:  # most operands are registers
                return operand.text
            component = f".{operand.component}" if operand.component else ""
            return operand.text + component + _offset(operand.offset)
        case model.IntegerConstant():
            return _integer(operand)
        case model.Float():
            return f"0{'f' if operand.width == 32 else 'd'}{operand.bits:0{operand.width // 4}X}"
        case model.Address():
            return _address(operand)
        case model.Vector():
            return f"{{{', '.join(map(print_operand, operand.elements))}}}"
        case model.Pair():
            return f"{print_operand(operand.first)}|{print_operand(operand.second)}"
        case model.Not():
            return f"!{print_operand(operand.operand)}"
        case model.OperandGroup():
            return f"({', '.join(map(print_operand, operand.elements))})"


def _integer(one: model.IntegerConstant) -> str:
    if one.unsigned:
        return f"{one.value}U"
    return str(one.value - (1 << 64)) if one.value >> 63 else str(one.value)


def _address(one: model.Address) -> str:
    inside = str(one.offset) if one.base is None else print_operand(one.base) + _offset(one.offset)
    if one.coordinates is None:
        return f"[{inside}]"
    return f"[{inside}, {print_operand(model.Vector(one.coordinates))}]"
