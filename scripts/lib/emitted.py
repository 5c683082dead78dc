"""Emitted files as libclang reads them: their tokens, what they declare and define, and which names mean what."""

import bisect
import ctypes
import dataclasses
import os
import pathlib
import sys

try:
    from clang import cindex
except ImportError:
    sys.exit(f"{sys.executable} has no binding of libclang: scripts/setup installs it for /usr/bin/python3")

Kind = cindex.CursorKind
CUDA = pathlib.Path(os.environ.get("CUDA_PATH", "/usr/local/cuda"))
CUDA_HEADERS = ["cub/cub.cuh", "cuda_fp16.h", "cuda_runtime.h", "thrust/functional.h", "thrust/iterator/iterator_adaptor.h"]

DECLARATIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.VAR_DECL, Kind.PARM_DECL, Kind.FIELD_DECL, Kind.STRUCT_DECL, Kind.CLASS_DECL,
                Kind.ENUM_DECL, Kind.ENUM_CONSTANT_DECL, Kind.FUNCTION_TEMPLATE, Kind.CLASS_TEMPLATE, Kind.TYPE_ALIAS_DECL,
                Kind.TEMPLATE_TYPE_PARAMETER, Kind.TEMPLATE_NON_TYPE_PARAMETER}
FUNCTIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.FUNCTION_TEMPLATE, Kind.CONSTRUCTOR, Kind.CONVERSION_FUNCTION}
STRUCTS = {Kind.STRUCT_DECL, Kind.CLASS_DECL, Kind.CLASS_TEMPLATE, Kind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION}
Operator = cindex.BinaryOperator
OPERATORS = {Operator.LT: "<", Operator.LE: "<=", Operator.GT: ">", Operator.GE: ">=", Operator.EQ: "==", Operator.NE: "!=",
             Operator.LAnd: "&&", Operator.LOr: "||"}
REFERENCES = {Kind.DECL_REF_EXPR, Kind.MEMBER_REF_EXPR, Kind.TYPE_REF, Kind.MEMBER_REF}


# --- parsing ---------------------------------------------------------------------------------


def flags(target):
    """Of `cpp` or `cuda`; CUDA is read as the host compiler reads it, which has the bodies of kernels, too."""
    if target == "cpp":
        return ["-x", "c++", "-std=c++17"]
    return ["-x", "cuda", "--cuda-host-only", "-std=c++17", f"--cuda-path={CUDA}", f"-isystem{CUDA}/include/cccl", "--cuda-gpu-arch=sm_90",
            "-Wno-unknown-cuda-version"]


def precompile_cuda(folder):
    """What all CUDA files include, read once: flags that have other files start from there."""
    header, compiled = folder / "headers.cuh", folder / "headers.pch"
    header.write_text("".join(f"#include <{name}>\n" for name in CUDA_HEADERS))
    unit = cindex.Index.create().parse(str(header), flags("cuda"), options=cindex.TranslationUnit.PARSE_INCOMPLETE)
    complain(unit)
    unit.save(str(compiled))
    return ["-include-pch", str(compiled)]


def parse(path, options):
    """The file as Emitted."""
    unit = cindex.Index.create(excludeDecls=True).parse(str(path), options)
    complain(unit)
    return Emitted(unit, path.read_bytes())


def complain(unit):
    errors = [str(diagnostic) for diagnostic in unit.diagnostics if diagnostic.severity >= cindex.Diagnostic.Error]
    if errors:
        raise ValueError(errors[0])


# --- what a file has -------------------------------------------------------------------------


@dataclasses.dataclass
class Token:
    text: str
    offset: int
    is_name: bool


@dataclasses.dataclass
class Definition:
    name: str
    cursor: object
    lines: int
    begin: int  # offsets in the file
    end: int
    is_outermost: bool  # of a namespace, not of a struct

    @property
    def is_public(self):
        return self.cursor.kind in FUNCTIONS and self.cursor.linkage is cindex.LinkageKind.EXTERNAL

    @property
    def has_code(self):
        return self.cursor.kind in FUNCTIONS or any(child.kind is Kind.CXX_METHOD for child in self.cursor.get_children())


class Emitted:
    """Functions and structs are in the order of the file. `declared` has each name that the file declares; `meaning` says of the place of
    each name where it is declared, for what is declared in this file."""

    def __init__(self, unit, text):
        self.text = text.decode()
        self.tokens = list(tokens_of(unit, len(text)))
        self.offsets = [token.offset for token in self.tokens]
        self.declared, self.meaning, self.functions, self.structs = set(), {}, [], []
        for cursor in unit.cursor.get_children():
            # What is instantiated of templates comes here, too, though it belongs to a namespace.
            if is_in(cursor, unit.spelling) and cursor.semantic_parent.kind is Kind.TRANSLATION_UNIT:
                self.add(cursor, unit.spelling, True)

    def add(self, cursor, file, is_outermost):
        kind = cursor.kind
        if kind in DECLARATIONS and cursor.spelling:
            self.declared.add(cursor.spelling)
            self.meaning[cursor.location.offset] = cursor.location.offset
        elif kind in REFERENCES:
            declaration = cursor.referenced
            if declaration is not None and is_in(declaration, file):
                self.meaning[cursor.location.offset] = declaration.location.offset
        if kind in FUNCTIONS and cursor.is_definition():
            self.functions.append(definition(cursor, is_outermost))
        if kind in STRUCTS and cursor.is_definition():
            self.structs.append(definition(cursor, is_outermost))
        for child in cursor.get_children():
            self.add(child, file, is_outermost and kind is Kind.NAMESPACE)

    def tokens_in(self, begin, end):
        return self.tokens[bisect.bisect_left(self.offsets, begin):bisect.bisect_left(self.offsets, end)]

    def text_of(self, cursor):
        return " ".join(token.text for token in self.tokens_in(cursor.extent.start.offset, cursor.extent.end.offset))


def is_in(cursor, file):
    place = cursor.location.file
    return place is not None and place.name == file


def definition(cursor, is_outermost):
    extent = cursor.extent
    lines = extent.end.line - extent.start.line + 1
    return Definition(cursor.spelling, cursor, lines, extent.start.offset, extent.end.offset, is_outermost)


def tokens_of(unit, size):
    file = unit.get_file(unit.spelling)
    places = [cindex.SourceLocation.from_offset(unit, file, offset) for offset in (0, size)]
    for token in unit.get_tokens(extent=cindex.SourceRange.from_locations(*places)):
        if token.kind is not cindex.TokenKind.COMMENT:
            yield Token(token.spelling, token.location.offset, token.kind is cindex.TokenKind.IDENTIFIER)


# --- expressions -----------------------------------------------------------------------------


def operator_of(cursor):
    """`<` and the like; empty for what has no operator with two operands."""
    return OPERATORS.get(cursor.binary_operator, "") if cursor.kind is Kind.BINARY_OPERATOR else ""


def is_known(expression):
    """Whether Clang can tell the expression's value; of what depends on a template's parameters it cannot."""
    library = cindex.conf.lib
    library.clang_Cursor_Evaluate.argtypes, library.clang_Cursor_Evaluate.restype = [cindex.Cursor], ctypes.c_void_p
    library.clang_EvalResult_getKind.argtypes = library.clang_EvalResult_dispose.argtypes = [ctypes.c_void_p]
    value = library.clang_Cursor_Evaluate(expression)
    if not value:
        return False
    kind = library.clang_EvalResult_getKind(value)
    library.clang_EvalResult_dispose(value)
    return kind != 0  # none of those that libclang tells apart
