"""Finds the places of C++ sources that can be mutated, and writes sources in which each is a switch.

A mutant is an expression and what it becomes. In a mutated source the expression E stands as
(dpverify_mutation::mutant(ID) ? MUTATED : E), so that one build holds all of them; see switch.hpp. What the compiler
evaluates (constexpr, template arguments, case labels, enumerators, array bounds) is left alone."""

import dataclasses
import os
import re
import shlex

from clang.cindex import CursorKind, Index, TypeKind


@dataclasses.dataclass
class Mutant:
    file: str  # relative to the root
    start: int  # offsets of the expression in the file, in bytes
    end: int
    line: int
    kind: str  # constant, comparison, arithmetic, dropped term, extreme, logic, sign
    function: str
    change: str  # for readers: "8 -> 9"
    mutated: str  # C++
    original: str = ""  # C++ if the expression as it stands has to be wrapped: "static_cast<double>({})"
    id: int = -1

    def place(self):
        return f"{self.file}:{self.line}"


FUNCTIONS = {
    CursorKind.FUNCTION_DECL,
    CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR,
    CursorKind.DESTRUCTOR,
    CursorKind.CONVERSION_FUNCTION,
    CursorKind.FUNCTION_TEMPLATE,
}
EVALUATED_BY_THE_COMPILER = {
    CursorKind.STATIC_ASSERT,
    CursorKind.ENUM_DECL,
    CursorKind.TEMPLATE_NON_TYPE_PARAMETER,
    CursorKind.ALIGNED_ATTR,
}
INTEGERS = {
    TypeKind.INT, TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG, TypeKind.ULONGLONG,
    TypeKind.SHORT, TypeKind.USHORT, TypeKind.UCHAR, TypeKind.SCHAR,
}
REALS = {TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE}
NUMBERS = INTEGERS | REALS
COMPARED = NUMBERS | {TypeKind.BOOL, TypeKind.ENUM, TypeKind.POINTER, TypeKind.CHAR_S}
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*"}
ASSIGNMENTS = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
LOGIC = {"&&": "||", "||": "&&"}
EXTREMES = {"min": "max", "max": "min"}
NUMBER = re.compile(r"(0|[1-9]\d*)(\.\d*)?([eE][+-]?\d+)?$")


def changed_constant(text):
    """Another number, far enough from this one to matter: a whole number is one more, a real is twice as large (0 is 1),
    and a tolerance or a limit (below 1e-5 or from 1e5 on) is a thousand times as large or as small."""
    if re.fullmatch(r"\d+", text) and int(text) < 100000:
        return str(int(text) + 1)
    value = float(text)
    new = 1.0 if value == 0 else value * 1000 if value < 1e-5 else value / 1000 if value >= 1e5 else value * 2
    return repr(float(f"{new:.12g}")) if re.search(r"[.eE]", text) else str(int(new))


def one_line(text):
    return re.sub(r"\s+", " ", text).strip()


def kind_of(expression):
    return expression.type.get_canonical().kind


class Finder:
    def __init__(self, root, wanted):
        self.root = os.path.realpath(root)
        self.wanted = wanted  # which files to mutate, relative to the root
        self.sources = {}
        self.mutants = {}

    def source(self, file):
        if file not in self.sources:
            with open(os.path.join(self.root, file), "rb") as stream:
                self.sources[file] = stream.read()
        return self.sources[file]

    def file_of(self, cursor):
        where = cursor.location.file
        if where is None:
            return None
        return os.path.relpath(os.path.realpath(where.name), self.root)

    def unit(self, command, folder):
        """The mutants of one line of compile_commands.json."""
        arguments = [a for a in shlex.split(command) if os.path.basename(a) != "ccache"][1:]
        unit = Index.create().parse(None, args=["-working-directory", folder, *arguments, "-w"])
        fatal = [d for d in unit.diagnostics if d.severity >= 3]
        if fatal:
            raise RuntimeError(f"libclang does not parse the command {command}: {fatal[0]}")
        for cursor in unit.cursor.get_children():
            if self.file_of(cursor) in self.wanted:
                self.declaration(cursor, self.file_of(cursor))

    def declaration(self, cursor, file):
        if cursor.kind in FUNCTIONS and cursor.is_definition():
            if not self.starts_with_constexpr(cursor, file):
                for child in cursor.get_children():
                    if child.kind != CursorKind.PARM_DECL:
                        self.expression(child, None, file, cursor.spelling)
        elif cursor.kind in (CursorKind.NAMESPACE, CursorKind.STRUCT_DECL, CursorKind.CLASS_DECL,
                             CursorKind.CLASS_TEMPLATE, CursorKind.UNEXPOSED_DECL, CursorKind.LINKAGE_SPEC):
            for child in cursor.get_children():
                self.declaration(child, file)

    def text(self, extent, file):
        return self.source(file)[extent.start.offset:extent.end.offset].decode()

    def starts_with_constexpr(self, cursor, file):
        return re.match(r"(static |inline |friend |explicit )*(constexpr|consteval)\b", self.text(cursor.extent, file))

    def expression(self, cursor, parent, file, function):
        if cursor.kind in EVALUATED_BY_THE_COMPILER:
            return
        if cursor.kind == CursorKind.VAR_DECL and self.starts_with_constexpr(cursor, file):
            return
        children = list(cursor.get_children())
        if cursor.kind == CursorKind.CASE_STMT:
            children = children[1:]
        if cursor.kind == CursorKind.IF_STMT and self.text(cursor.extent, file).startswith("if constexpr"):
            children = children[1:]
        if cursor.kind in FUNCTIONS or cursor.kind in (CursorKind.STRUCT_DECL, CursorKind.CLASS_DECL):
            self.declaration(cursor, file)
            return
        self.consider(cursor, parent, children, file, function)
        for child in children:
            self.expression(child, cursor, file, function)

    def consider(self, cursor, parent, children, file, function):
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        where = cursor.extent.start.file
        if where is None or end <= start or os.path.relpath(os.path.realpath(where.name), self.root) != file:
            return
        text = self.text(cursor.extent, file)
        if "//" in text or "#" in text or "R\"" in text:  # cannot stand on one line
            return

        def add(kind, change, mutated, original=""):
            mutant = Mutant(file, start, end, cursor.extent.start.line, kind, function, one_line(change), mutated, original)
            self.mutants[(file, start, end, mutated)] = mutant

        if cursor.kind in (CursorKind.INTEGER_LITERAL, CursorKind.FLOATING_LITERAL):
            self.constant(text, cursor, parent, add)
        elif cursor.kind in (CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
            self.operator(children, file, add)
        elif cursor.kind == CursorKind.UNARY_OPERATOR and text.startswith("-") and kind_of(cursor) in NUMBERS and \
                children and children[0].kind not in (CursorKind.INTEGER_LITERAL, CursorKind.FLOATING_LITERAL):
            add("sign", f"{text} -> {text[1:]}", text[1:])
        elif cursor.kind == CursorKind.CALL_EXPR:
            self.call(text, cursor, children, file, add)

    def constant(self, text, cursor, parent, add):
        source, end = self.source(os.path.relpath(cursor.extent.start.file.name, self.root)), cursor.extent.end.offset
        before, after = source[:cursor.extent.start.offset], source[end:end + 1]
        if not NUMBER.match(text) or re.search(rb"[\w>]<(-?[\w.]+, )*-?$", before) or after == b">":
            return  # with a suffix, or an argument of a template
        new = changed_constant(text)
        wrapped = ""
        if parent is not None and parent.kind == CursorKind.UNEXPOSED_EXPR and kind_of(parent) in NUMBERS:
            wrapped = f"static_cast<{parent.type.get_canonical().spelling.replace('const ', '')}>"
        add("constant", f"{text} -> {new}", f"{wrapped}({new})", f"{wrapped}({{}})" if wrapped else "")

    def operator(self, children, file, add):
        left, right = children
        between = self.source(file)[left.extent.end.offset:right.extent.start.offset].decode()
        sign = between.strip()
        a, b = self.text(left.extent, file), self.text(right.extent, file)
        kinds = {kind_of(left), kind_of(right)}

        def become(kind, table):
            add(kind, f"{a} {sign} {b} -> {a} {table[sign]} {b}", f"{a} {table[sign]} {b}")

        if sign in COMPARISONS and kinds <= COMPARED:
            become("comparison", COMPARISONS)
        elif sign in LOGIC:
            become("logic", LOGIC)
        elif sign in ASSIGNMENTS and kinds <= NUMBERS:
            become("arithmetic", ASSIGNMENTS)
        elif sign in ARITHMETIC and kinds <= NUMBERS:
            become("arithmetic", ARITHMETIC)
            if kinds <= REALS:
                add("dropped term", f"{a} {sign} {b} -> {a}", a)

    def call(self, text, cursor, children, file, add):
        callee = re.match(r"std::(min|max)\(", text)
        if callee and kind_of(cursor) in NUMBERS:
            other = f"std::{EXTREMES[callee[1]]}{text[len('std::min'):]}"
            add("extreme", f"{text} -> {other}", other)
        elif cursor.spelling in ("operator+=", "operator-=") and len(children) >= 2:
            extents = [c.extent for c in children]
            left, right = min(extents, key=lambda e: e.start.offset), max(extents, key=lambda e: e.end.offset)
            a, b = self.text(left, file), self.text(right, file)
            sign = cursor.spelling[len("operator"):]
            if one_line(f"{a} {sign} {b}") == one_line(text):
                add("arithmetic", f"{a} {sign} {b} -> {a} {ASSIGNMENTS[sign]} {b}", f"{a} {ASSIGNMENTS[sign]} {b}")


def switched(source, mutants):
    """The source with a switch for each of its mutants; no line of it moves."""
    pieces = [b'#include "tests/mutation/switch.hpp"\n#line 1\n']
    places = {}
    for mutant in mutants:
        places.setdefault((mutant.start, mutant.end), []).append(mutant)
    # Outer expressions before those inside them.
    ordered = sorted(places.items(), key=lambda place: (place[0][0], -place[0][1]))

    def render(start, end, inside):
        out, at, k = [], start, 0
        while k < len(inside):
            (first, last), here = inside[k]
            deeper = k + 1
            while deeper < len(inside) and inside[deeper][0][0] < last:
                deeper += 1
            text = render(first, last, inside[k + 1:deeper])
            template = next((m.original for m in here if m.original), "")
            if template:
                text = template.encode().replace(b"{}", text)
            choices = b"".join(
                b"dpverify_mutation::mutant(%d) ? (%s) : " % (m.id, one_line(m.mutated).encode()) for m in here)
            out += [source[at:first], b"(", choices, b"(", text, b"))"]
            at, k = last, deeper
        out.append(source[at:end])
        return b"".join(out)

    pieces.append(render(0, len(source), ordered))
    return b"".join(pieces)
