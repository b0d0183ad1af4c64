"""The parser: from text to the model.

An error in a statement does not end the parse: parsing continues after its semicolon, so that a run reports
all errors.
"""

from __future__ import annotations

import difflib

from tilewright.ir.diagnostic import Diagnostic, DiagnosticError
from tilewright.ptx import codes, declarations, lexer, matching, model, operands as ptx_operands
from tilewright.ptx.cursor import MAXIMUM_DEPTH, ParsingProblem, WordCursor
from tilewright.ptx.expressions import integer

MAXIMUM_PROBLEMS = 20
"""The maximum number of reported errors."""


def parse(text: str, file_name: str = "<ptx>") -> model.Module:
    """Parse a text to the model; `file_name` names it in messages. Raises `DiagnosticError` with all syntax
    errors, up to `MAXIMUM_PROBLEMS`; names and types are not checked.
    """
    source = lexer.PtxSource(text, file_name)
    parser = _Parser(source)
    module = parser.module()
    if parser.problems:
        raise source.error(parser.problems)
    return module


class _Parser:
    def __init__(self, source: lexer.PtxSource) -> None:
        self.source = source
        self.problems: list[Diagnostic] = []
        self.cursor: WordCursor

    def module(self) -> model.Module:
        """Parse the whole text. Errors are collected in `problems`; the statements that have them are missing
        in the result.
        """
        header = _FileHeader()
        statements: list[model.Statement] = []
        try:
            self.cursor = WordCursor(self.source)
        except DiagnosticError as error:
            self.problems.extend(error.diagnostics)
            return header.module((), self.source.file_name)
        while not self.cursor.at_a(lexer.END) and len(self.problems) < MAXIMUM_PROBLEMS:
            self._guarded(statements, header)
        return header.module(tuple(statements), self.source.file_name)

    def _guarded(self, statements: list[model.Statement], header: _FileHeader | None, depth: int = 0) -> None:
        start = self.cursor.at
        try:
            if header is None or not header.accept(self.cursor):
                statements.extend(self._statement(depth, top=header is not None))
        except ParsingProblem as problem:
            self.problems.append(problem.diagnostic)
            self._skip(start)

    def _skip(self, start: int) -> None:
        """Skip to the end of the next semicolon, or to the next brace; `start` is the index of the token at
        which the statement began, which is skipped in any case.
        """
        cursor = self.cursor
        if cursor.at == start:
            cursor.next()
        while not cursor.at_a(lexer.END) and cursor.token.text not in ("{", "}") and not cursor.accept(";"):
            cursor.next()
            if cursor.tokens[cursor.at - 1].text == ";":
                return

    def _statement(self, depth: int, *, top: bool) -> list[model.Statement]:
        cursor = self.cursor
        word = cursor.token.text
        if word == "{":
            return [self._scope(depth + 1)]
        if word in (".entry", ".func") or (
            word in declarations.LINKAGES and cursor.peek().text in (".entry", ".func")
        ):
            return [self._function(depth)]
        if word in declarations.SPACES or word in declarations.LINKAGES:
            return [*declarations.variables(cursor)]
        if cursor.at_a("modifier"):
            return [self._directive(word)]
        if top:
            raise cursor.unexpected("a directive")
        if cursor.accept(";"):
            return []
        if cursor.at_a("name") and cursor.peek().text == ":":
            return [self._label()]
        return [self._instruction()]

    def _scope(self, depth: int) -> model.PtxScope:
        cursor, place = self.cursor, self.cursor.place
        if depth > MAXIMUM_DEPTH:
            raise cursor.fail(f"more than {MAXIMUM_DEPTH} scopes are nested", code=codes.TOO_DEEP)
        cursor.expect("{")
        statements: list[model.Statement] = []
        while cursor.token.text != "}":
            if cursor.at_a(lexer.END):
                raise cursor.unexpected("'}'")
            if len(self.problems) >= MAXIMUM_PROBLEMS:
                raise cursor.fail("too many errors; the rest of the text is not parsed")
            self._guarded(statements, None, depth)
        cursor.next()
        return model.PtxScope(tuple(statements), place=place)

    def _function(self, depth: int) -> model.PtxFunction:
        cursor, place = self.cursor, self.cursor.place
        linkage = cursor.next().text[1:] if cursor.token.text in declarations.LINKAGES else ""
        entry = cursor.next().text == ".entry"
        returns = declarations.parameters(cursor) if not entry and cursor.token.text == "(" else ()
        name = cursor.name()
        taken = declarations.parameters(cursor) if cursor.token.text == "(" else ()
        directives = self._function_directives()
        body = None if cursor.accept(";") else self._scope(depth + 1)
        return model.PtxFunction(entry, name, taken, returns, linkage, directives, body, place=place)

    def _function_directives(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        found: list[tuple[str, tuple[int, ...]]] = []
        while self.cursor.at_a("modifier") and self.cursor.token.text != ".pragma":
            found.append(self._function_directive())
        return tuple(found)

    def _function_directive(self) -> tuple[str, tuple[int, ...]]:
        """Parse a directive after the head of a function, and return its name without the dot and its
        numbers. Raises `ParsingProblem` for an unknown directive, and for a wrong number of numbers.
        """
        cursor, place = self.cursor, self.cursor.place
        word = cursor.next().text[1:]
        if word not in declarations.FUNCTION_DIRECTIVES:
            close = difflib.get_close_matches(word, declarations.FUNCTION_DIRECTIVES, n=1)
            hint = (
                f"did you mean '.{close[0]}'?"
                if close
                else f"there are: .{', .'.join(declarations.FUNCTION_DIRECTIVES)}"
            )
            raise cursor.fail(f"functions have no directive '.{word}'", place=place, hint=hint)
        numbers = self._numbers()
        least, most = declarations.FUNCTION_DIRECTIVES[word]
        if not least <= len(numbers) <= most:
            wanted = (
                f"{least} to {most} numbers" if least < most else f"{most or 'no'} number{'s' * (most != 1)}"
            )
            raise cursor.fail(f"'.{word}' takes {wanted}", place=place)
        return word, numbers

    def _numbers(self) -> tuple[int, ...]:
        """Parse integers separated by commas; the list may be empty."""
        cursor, found = self.cursor, list[int]()
        while cursor.at_a("integer"):
            found.append(integer(cursor).value)
            if not cursor.accept(","):
                break
        return tuple(found)

    def _directive(self, word: str) -> model.Statement:
        cursor, place = self.cursor, self.cursor.place
        if word == ".reg":
            return declarations.registers(cursor)
        cursor.next()
        match word:
            case ".loc":
                return self._location(place)
            case ".file":
                number, name = integer(cursor).value, cursor.string()
                return model.File(number, name, self._numbers() if cursor.accept(",") else (), place=place)
            case ".section":
                return self._section(place)
            case ".pragma":
                texts = [cursor.string()]
                while cursor.accept(","):
                    texts.append(cursor.string())
                cursor.expect(";")
                return model.Pragma(tuple(texts), place=place)
            case ".alias":
                name = cursor.name()
                cursor.expect(",")
                alias = model.Alias(name, cursor.name(), place=place)
                cursor.expect(";")
                return alias
            case _:
                raise cursor.fail(f"unknown directive '{word}'", place=place)

    def _location(self, place: model.LineColumn) -> model.LocDirective:
        cursor = self.cursor
        file, line, column = (integer(cursor).value for _ in range(3))
        function, inlined = "", None
        if cursor.accept(","):
            cursor.expect("function_name")
            function = cursor.name()
            if cursor.accept("+"):
                function += f"+{integer(cursor).value}"
            cursor.expect(",")
            cursor.expect("inlined_at")
            inlined = (integer(cursor).value, integer(cursor).value, integer(cursor).value)
        return model.LocDirective(file, line, column, function, inlined, place=place)

    def _section(self, place: model.LineColumn) -> model.Section:
        cursor = self.cursor
        if not cursor.at_a("modifier"):
            raise cursor.unexpected("the name of a section")
        name, words = cursor.next().text, list[str]()
        cursor.expect("{")
        while cursor.token.text != "}":
            if cursor.at_a(lexer.END):
                raise cursor.unexpected("'}'")
            words.append(cursor.next().text)
        cursor.next()
        return model.Section(name, tuple(words), place=place)

    def _label(self) -> model.Statement:
        cursor, place = self.cursor, self.cursor.place
        name = cursor.name()
        cursor.expect(":")
        word = cursor.token.text
        if word in (".branchtargets", ".calltargets"):
            cursor.next()
            names = [cursor.name()]
            while cursor.accept(","):
                names.append(cursor.name())
            cursor.expect(";")
            return model.JumpTargets(name, tuple(names), word == ".calltargets", place=place)
        if word == ".callprototype":
            cursor.next()
            returns = declarations.parameters(cursor) if cursor.token.text == "(" else ()
            cursor.expect("_")
            taken = declarations.parameters(cursor) if cursor.token.text == "(" else ()
            directives = self._function_directives()
            cursor.expect(";")
            return model.Prototype(name, returns, taken, directives, place=place)
        return model.Label(name, place=place)

    def _instruction(self) -> model.PtxInstruction:
        cursor = self.cursor
        guard = None
        if cursor.accept("@"):
            negated = cursor.accept("!")
            guard = model.InstructionGuard(model.Name(cursor.name()), negated)
        place = cursor.place
        if not cursor.at_a("name"):
            raise cursor.unexpected("an instruction")
        words = [cursor.next().text]
        while cursor.at_a("modifier"):
            words.append(cursor.next().text[1:])
        found = ptx_operands.operands(cursor, grouped=words[0] == matching.CALL)
        cursor.expect(";")
        return matching.instruction(cursor, words, found, guard, place)


class _FileHeader:
    """The directives ``.version``, ``.target`` and ``.address_size``. Without them, the version is (0, 0),
    there is no target, and addresses have 64 bits.
    """

    def __init__(self) -> None:
        self.version = (0, 0)
        self.target: tuple[str, ...] = ()
        self.address_size = 64

    def accept(self, cursor: WordCursor) -> bool:
        """Parse a header directive if it is next. Return whether it was. Raises `ParsingProblem` for a
        directive with wrong operands.
        """
        match cursor.token.text:
            case ".version":
                cursor.next()
                major, _, minor = cursor.token.text.partition(".")
                if not cursor.at_a("float") or not (major.isdigit() and minor.isdigit()):
                    raise cursor.unexpected("a version such as 8.0")
                cursor.next()
                self.version = (int(major[:4]), int(minor[:4]))
            case ".target":
                cursor.next()
                words = [cursor.name()]
                while cursor.accept(","):
                    words.append(cursor.name())
                self.target = tuple(words)
            case ".address_size":
                cursor.next()
                self.address_size = integer(cursor).value
            case _:
                return False
        return True

    def module(self, statements: tuple[model.Statement, ...], file_name: str) -> model.Module:
        """Return the module with `statements`, and with the version, targets and address size that were
        parsed.
        """
        return model.Module(self.version, self.target, self.address_size, statements, file_name)
