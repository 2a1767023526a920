"""The programming languages whose form is known: a table of them, and their grammars, loaded when first asked for.

`language_rules` says what a row means, and a new language is a new row. The outline of code reads this table and
nothing else.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType

from tree_sitter import Language as Grammar

from playground.core.outline.language_rules import Language, Rule, rules

__all__ = ["LANGUAGES", "Language", "Rule", "load_grammar"]


@cache
def load_grammar(package: str, function: str) -> Grammar:
    """The grammar that `function` of the installed `package` gives; imported at the first call, then kept."""
    return Grammar(getattr(importlib.import_module(package), function)())


_PYTHON = Language(
    name="python",
    label="Python",
    extensions=(".py", ".pyi", ".pyw"),
    media_type="text/x-python",
    package="tree_sitter_python",
    rules=rules("class", "class_definition")
    | rules("function", "function_definition")
    | rules("", "decorated_definition"),
    open=frozenset({"block", "if_statement", "elif_clause", "else_clause", "with_statement"})
    | {"try_statement", "except_clause", "finally_clause"},
    opener=":",
)

_JAVASCRIPT = (
    rules("class", "class_declaration class")
    | rules("function", "function_declaration generator_function_declaration method_definition")
    | rules("function", "arrow_function function_expression generator_function")
    | rules("", "export_statement", otherwise="default")
    | rules("", "expression_statement lexical_declaration variable_declaration variable_declarator")
    | rules("", "assignment_expression", name="left")
    | rules("", "field_definition", name="property")
)

_TYPESCRIPT = Language(
    name="typescript",
    label="TypeScript",
    extensions=(".ts", ".mts", ".cts"),
    media_type="text/typescript",
    package="tree_sitter_typescript",
    grammar="language_typescript",
    rules=_JAVASCRIPT
    | rules("class", "abstract_class_declaration interface_declaration enum_declaration internal_module module")
    | rules("function", "function_signature method_signature abstract_method_signature")
    | rules("", "ambient_declaration public_field_definition"),
    marks=frozenset({"decorator"}),
    chain=2_000,
)

_TSX = replace(
    _TYPESCRIPT, name="tsx", label="TSX", extensions=(".tsx",), media_type="text/tsx", grammar="language_tsx"
)

_GO = (
    rules("class", "struct_type interface_type", name="")
    | rules("function", "function_declaration method_elem")
    | rules("function", "method_declaration", owner="receiver", word=frozenset({"type_identifier", "field_identifier"}))
    | rules("", "type_declaration type_spec")
)

LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        language.name: language
        for language in (
            _PYTHON,
            Language(
                name="javascript",
                label="JavaScript",
                extensions=(".js", ".jsx", ".mjs", ".cjs"),
                media_type="text/javascript",
                package="tree_sitter_javascript",
                rules=_JAVASCRIPT,
                marks=frozenset({"decorator"}),
                chain=2_000,
            ),
            _TYPESCRIPT,
            _TSX,
            Language(
                name="java",
                label="Java",
                extensions=(".java",),
                media_type="text/x-java",
                package="tree_sitter_java",
                rules=rules("class", "class_declaration interface_declaration enum_declaration record_declaration")
                | rules("class", "annotation_type_declaration")
                | rules("function", "method_declaration constructor_declaration compact_constructor_declaration"),
                open=frozenset({"enum_body_declarations"}),
                comments=frozenset({"line_comment", "block_comment"}),
                nesting=200,
                chain=200,
                never=rb"[=(]\s*>|<\s*[;)}]|\(\s*[}]",
            ),
            Language(
                name="go",
                label="Go",
                extensions=(".go",),
                media_type="text/x-go",
                package="tree_sitter_go",
                rules=_GO,
                open=frozenset({"type_declaration"}),
                bodies=frozenset({"field_declaration_list"}),
            ),
            Language(
                name="rust",
                label="Rust",
                extensions=(".rs",),
                media_type="text/x-rust",
                package="tree_sitter_rust",
                rules=rules("class", "struct_item union_item enum_item trait_item")
                | rules("class", "impl_item", name="type", word=frozenset({"type_identifier"}))
                | rules("class", "mod_item", bare=False)
                | rules("function", "function_item function_signature_item macro_definition"),
                comments=frozenset({"line_comment", "block_comment"}),
                marks=frozenset({"attribute_item"}),
            ),
            Language(
                name="c",
                label="C",
                extensions=(".c", ".h"),
                media_type="text/x-c",
                package="tree_sitter_c",
                rules=rules("class", "struct_specifier union_specifier enum_specifier", bare=False)
                | rules("function", "function_definition", name="declarator", word=frozenset({"identifier"}))
                | rules("", "type_definition", name="declarator", word=frozenset({"type_identifier"}))
                | rules("", "declaration", name=""),
                open=frozenset({"preproc_if", "preproc_ifdef", "preproc_elif", "preproc_elifdef", "preproc_else"})
                | {"linkage_specification", "declaration_list"},
            ),
        )
    }
)
"""The languages by name."""
