"""The outline of code: Python against `ast`, other languages against examples written out, and text made to hurt."""

from __future__ import annotations

import ast
import asyncio
import email
import json
from pathlib import Path
from textwrap import indent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.core.outline.code import LANGUAGES, code_blocks

OPENED = (ast.If, ast.Try, ast.With)


def outline(text, language):
    return [(block.kind, block.name, text[block.start : block.end]) for block in code_blocks(text, language).blocks]


def check(text, blocks):
    """What every outline keeps: sorted, nested, within the text, everything covered, heads inside."""
    assert list(blocks) == sorted(blocks, key=lambda block: (block.start, -block.end))
    around, covered = [], 0
    for block in blocks:
        assert 0 <= block.start < block.end <= len(text)
        assert block.head == 0 or block.start < block.head <= block.end
        while around and around[-1].end <= block.start:
            around.pop()
        if around:
            assert around[-1].kind == "class"
            assert around[-1].head <= block.start
            assert block.end <= around[-1].end
        else:
            assert not text[covered : block.start].strip()
            covered = block.end
        around.append(block)
    assert not text[covered:].strip()


# --- Python against ast ----------------------------------------------------------------------------------------


def ast_symbols(body, owner=""):
    for node in body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            kind = "class" if isinstance(node, ast.ClassDef) else "function"
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield kind, owner + node.name, first, node.end_lineno
            if kind == "class":
                yield from ast_symbols(node.body, f"{owner}{node.name}.")
        elif isinstance(node, OPENED):
            handlers = [line for handler in getattr(node, "handlers", ()) for line in handler.body]
            yield from ast_symbols(node.body, owner)
            yield from ast_symbols(handlers, owner)
            yield from ast_symbols(getattr(node, "orelse", ()), owner)
            yield from ast_symbols(getattr(node, "finalbody", ()), owner)


def own_symbols(text):
    """Name, first line after the comments above, and last line that is no comment, of every symbol's block."""
    lines = text.split("\n")
    for block in code_blocks(text, "python").blocks:
        if block.kind in ("class", "function"):
            first = text.count("\n", 0, block.start) + 1
            last = text.count("\n", 0, block.end) + 1
            while not lines[first - 1].strip() or lines[first - 1].lstrip().startswith("#"):
                first += 1
            while not lines[last - 1].strip() or lines[last - 1].lstrip().startswith("#"):
                last -= 1
            yield block.kind, block.name, first, last


LIBRARY = sorted(path for module in (json, email, asyncio) for path in Path(module.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_standard_library_has_the_symbols_that_ast_finds(path):
    text = path.read_text("utf-8")
    found = code_blocks(text, "python")
    assert found.notices == ()
    check(text, found.blocks)
    assert list(own_symbols(text)) == list(ast_symbols(ast.parse(text).body))


names = st.sampled_from(["put", "get", "élan", "名前", "_x", "__init__"])
words = st.sampled_from(["plain", "def fake(): pass", "class Fake:", "@mark", "# no", "🧵 thread", "\\n", "{[("])
comments = st.lists(words.map(lambda word: f"# {word}\n"), max_size=2).map("".join)
marks = st.lists(st.sampled_from(["@mark\n", "@mark(1,\n  b=2)\n", "@a.b  # why\n"]), max_size=2).map("".join)
docstrings = st.one_of(st.just(""), st.lists(words, min_size=1).map(lambda lines: '"""' + "\n".join(lines) + '\n"""\n'))
plain = st.sampled_from(
    [
        "x = 1\n",
        "import os, sys\n",
        "if x:\n    y = {\n  1: 2}\n",
        "z = '''\ndef no():\n'''\n",
        "f = lambda: 0\n",
        "pass  # é\n",
        "a = 1; b = 2\n",
    ]
)
signatures = st.sampled_from(["()", "(self, *, a: int = 3) -> dict[str, int]", "(\n    a,  # first\n    b=(1, 2),\n)"])
gaps = st.sampled_from(["", "", "\n", "\n\n", "\f\n", "   \n"])


def functions(inner):
    return st.builds(
        lambda note, mark, way, name, signature, doc, body: (
            f"{note}{mark}{way}def {name}{signature}:\n" + indented(f"{doc}{body}return 1\n")
        ),
        comments, marks, st.sampled_from(["", "async "]), names, signatures, docstrings, inner,
    )  # fmt: skip


def classes(inner):
    return st.builds(
        lambda note, mark, name, bases, doc, body: (
            f"{note}{mark}class {name}{bases}:\n" + indented(f"{doc}{body}x: int\n")
        ),
        comments, marks, names, st.sampled_from(["", "(Base, key=dict(a=1))", "(\n    Base,\n)"]), docstrings, inner,
    )  # fmt: skip


def indented(text):
    return indent(text, "    ")


def modules(inner):
    guarded = inner.map(lambda body: "try:\n" + indented(body + "pass\n") + "except ValueError:\n    pass\n")
    parts = st.one_of(plain, functions(inner), classes(inner), guarded)
    return st.lists(st.tuples(parts, gaps).map("".join), max_size=4).map("".join)


@given(st.recursive(st.just(""), modules, max_leaves=8))
def test_generated_modules_have_the_symbols_that_ast_finds(text):
    found = code_blocks(text, "python")
    assert found.notices == ()
    check(text, found.blocks)
    assert list(own_symbols(text)) == list(ast_symbols(ast.parse(text).body))


@given(st.recursive(st.just(""), modules, max_leaves=8))
def test_line_ends_change_nothing_else(text):
    crlf = text.replace("\n", "\r\n")
    check(crlf, code_blocks(crlf, "python").blocks)
    assert [
        (block.kind, block.name, crlf[block.start : block.end].replace("\r\n", "\n"), crlf[: block.head].count("\n"))
        for block in code_blocks(crlf, "python").blocks
    ] == [
        (block.kind, block.name, text[block.start : block.end], text[: block.head].count("\n"))
        for block in code_blocks(text, "python").blocks
    ]


# --- examples written out --------------------------------------------------------------------------------------

EXAMPLES = [
    ("python", "", []),
    ("python", " \n\t\n", []),
    ("python", '"""Doc."""\nimport os\n\nX = 1\n', [("statement", "", '"""Doc."""\nimport os\n\nX = 1')]),
    (
        "python",
        "# far\n\n# near\n@mark\n\ndef f(): pass  # same line\n# below\nx = 1\n",
        [
            ("statement", "", "# far"),
            ("function", "f", "# near\n@mark\n\ndef f(): pass  # same line"),
            ("statement", "", "# below\nx = 1"),
        ],
    ),
    (
        "python",
        "class A:  # note\n    '''Doc.'''\n    x = 1\n\n    # about f\n    def f(self): ...\n    class B: pass\ny = 2",
        [
            (
                "class",
                "A",
                "class A:  # note\n    '''Doc.'''\n    x = 1\n\n    # about f\n    def f(self): ...\n    class B: pass",
            ),
            ("statement", "", "    '''Doc.'''\n    x = 1"),
            ("function", "A.f", "    # about f\n    def f(self): ..."),
            ("class", "A.B", "    class B: pass"),
            ("statement", "", "pass"),
            ("statement", "", "y = 2"),
        ],
    ),
    (
        "python",
        "s = '🧵📦'\ndef f():\n    return '⚓'\n\f\ndef g(): pass",
        [
            ("statement", "", "s = '🧵📦'"),
            ("function", "f", "def f():\n    return '⚓'"),
            ("function", "g", "def g(): pass"),
        ],
    ),
    (
        "python",
        "if x:\n    def f(): pass\nelse:\n    f = None\n",
        [("statement", "", "if x:"), ("function", "f", "    def f(): pass"), ("statement", "", "else:\n    f = None")],
    ),
    ("python", "\ufeffdef f(): pass\n", [("function", "f", "\ufeffdef f(): pass")]),
    (
        "python",
        "x = 1 + \\\n  2\n\\\n\ndef f(): pass",
        [("statement", "", "x = 1 + \\\n  2\n\\"), ("function", "f", "def f(): pass")],
    ),
    (
        "javascript",
        "import a from 'a';\n\n/** doc */\nexport async function f() {}\nfunction* g() {} // why\n",
        [
            ("statement", "", "import a from 'a';"),
            ("function", "f", "/** doc */\nexport async function f() {}"),
            ("function", "g", "function* g() {} // why"),
        ],
    ),
    (
        "javascript",
        "export const f = async () => {};\nconst g = function h() {}\nlet x = 1, y = () => 2, z = () => 3;\n",
        [
            ("function", "f", "export const f = async () => {};"),
            ("function", "g", "const g = function h() {}"),
            ("statement", "", "let x = 1, y = () => 2, z = () => 3;"),
        ],
    ),
    (
        "javascript",
        "class Store extends Base {\n  #n = 0;\n\n  // adds\n  put() {}\n  get = () => 1;\n  static of() {}\n}\n",
        [
            (
                "class",
                "Store",
                "class Store extends Base {\n  #n = 0;\n\n  // adds\n  put() {}\n  get = () => 1;\n  static of() {}\n}",
            ),
            ("statement", "", "  #n = 0;"),
            ("function", "Store.put", "  // adds\n  put() {}"),
            ("function", "Store.get", "  get = () => 1;"),
            ("function", "Store.of", "  static of() {}"),
        ],
    ),
    (
        "javascript",
        "exports.f = function () {};\nmodule.exports = class {};\nexport default () => 1;\nrun();\n",
        [
            ("function", "exports.f", "exports.f = function () {};"),
            ("class", "module.exports", "module.exports = class {};"),
            ("function", "default", "export default () => 1;"),
            ("statement", "", "run();"),
        ],
    ),
    (
        "javascript",
        "function a(){}function b(){}",
        [("function", "a", "function a(){}"), ("function", "b", "function b(){}")],
    ),
    (
        "typescript",
        "@D() export class A<T> {\n  @I() x: string = '';\n  @O()\n\n  m(): void {}\n}",
        [
            ("class", "A", "@D() export class A<T> {\n  @I() x: string = '';\n  @O()\n\n  m(): void {}\n}"),
            ("statement", "", "  @I() x: string = '';"),
            ("function", "A.m", "  @O()\n\n  m(): void {}"),
        ],
    ),
    (
        "typescript",
        "export interface I {\n  a: number;\n  m(): void;\n}\ntype T = string;",
        [
            ("class", "I", "export interface I {\n  a: number;\n  m(): void;\n}"),
            ("statement", "", "  a: number;"),
            ("function", "I.m", "  m(): void;"),
            ("statement", "", "type T = string;"),
        ],
    ),
    (
        "typescript",
        "function f(a: string): void;\nfunction f(a: any) {}\nenum E {\n  A,\n  B\n}",
        [
            ("function", "f", "function f(a: string): void;"),
            ("function", "f", "function f(a: any) {}"),
            ("class", "E", "enum E {\n  A,\n  B\n}"),
            ("statement", "", "  A,\n  B"),
        ],
    ),
    (
        "typescript",
        "namespace N.M {\n  export const q = <T>(x: T) => x;\n}\nabstract class Q {\n  abstract k(): void;\n}",
        [
            ("class", "N.M", "namespace N.M {\n  export const q = <T>(x: T) => x;\n}"),
            ("function", "N.M.q", "  export const q = <T>(x: T) => x;"),
            ("class", "Q", "abstract class Q {\n  abstract k(): void;\n}"),
            ("function", "Q.k", "  abstract k(): void;"),
        ],
    ),
    ("tsx", "const V = (p: P) => <b>{p.x}</b>;\n", [("function", "V", "const V = (p: P) => <b>{p.x}</b>;")]),
    (
        "tsx",
        "export default function V() { return <></>; }",
        [("function", "V", "export default function V() { return <></>; }")],
    ),
    (
        "tsx",
        "class V extends C<P> {\n  render() { return <p>class no</p>; }\n}",
        [
            ("class", "V", "class V extends C<P> {\n  render() { return <p>class no</p>; }\n}"),
            ("function", "V.render", "  render() { return <p>class no</p>; }"),
        ],
    ),
    ("tsx", "import x from 'x';\nrender(<V/>);", [("statement", "", "import x from 'x';\nrender(<V/>);")]),
    (
        "java",
        "package a;\n\n/** doc */\n@X\npublic class A {\n  int a;\n  // c\n  @Override\n  int f() {}\n  A() {}\n}\n",
        [
            ("statement", "", "package a;"),
            (
                "class",
                "A",
                "/** doc */\n@X\npublic class A {\n  int a;\n  // c\n  @Override\n  int f() {}\n  A() {}\n}",
            ),
            ("statement", "", "  int a;"),
            ("function", "A.f", "  // c\n  @Override\n  int f() {}"),
            ("function", "A.A", "  A() {}"),
        ],
    ),
    (
        "java",
        "enum E {\n  X, Y;\n  int g() { return 1; }\n}",
        [
            ("class", "E", "enum E {\n  X, Y;\n  int g() { return 1; }\n}"),
            ("statement", "", "  X, Y;"),
            ("function", "E.g", "  int g() { return 1; }"),
        ],
    ),
    (
        "java",
        "interface I {\n  int f();\n}",
        [("class", "I", "interface I {\n  int f();\n}"), ("function", "I.f", "  int f();")],
    ),
    (
        "java",
        "class A {\n  static class B {\n    void f() {}\n  }\n}\nrecord R(int a) {}",
        [
            ("class", "A", "class A {\n  static class B {\n    void f() {}\n  }\n}"),
            ("class", "A.B", "  static class B {\n    void f() {}\n  }"),
            ("function", "A.B.f", "    void f() {}"),
            ("class", "R", "record R(int a) {}"),
        ],
    ),
    (
        "go",
        "package a\n\n// S is.\ntype S[T any] struct { // x\n\ta int\n\tb int\n}\n",
        [
            ("statement", "", "package a"),
            ("class", "S", "// S is.\ntype S[T any] struct { // x\n\ta int\n\tb int\n}"),
            ("statement", "", "\ta int\n\tb int"),
        ],
    ),
    (
        "go",
        "package a\n\n// Put puts.\nfunc (s *Store[T]) Put(x T) {}\nfunc (Store) Get() {}\nfunc main() {}",
        [
            ("statement", "", "package a"),
            ("function", "Store.Put", "// Put puts.\nfunc (s *Store[T]) Put(x T) {}"),
            ("function", "Store.Get", "func (Store) Get() {}"),
            ("function", "main", "func main() {}"),
        ],
    ),
    (
        "go",
        "package a\n\ntype R interface {\n\tRead() int\n}\n\ntype C = int\n",
        [
            ("statement", "", "package a"),
            ("class", "R", "type R interface {\n\tRead() int\n}"),
            ("function", "R.Read", "\tRead() int"),
            ("statement", "", "type C = int"),
        ],
    ),
    (
        "go",
        "package a\n\ntype (\n\t// A is.\n\tA struct {\n\t\tx int\n\t}\n\tB int\n)\nvar v = func() {}\n",
        [
            ("statement", "", "package a\n\ntype ("),
            ("class", "A", "\t// A is.\n\tA struct {\n\t\tx int\n\t}"),
            ("statement", "", "\t\tx int"),
            ("statement", "", "\tB int\n)\nvar v = func() {}"),
        ],
    ),
    (
        "rust",
        "//! x\n\nuse a;\n/// d\n#[derive(A)]\n\npub struct S<T> {\n    a: i32,\n}\nstruct U;\n",
        [
            ("statement", "", "//! x\n\nuse a;"),
            ("class", "S", "/// d\n#[derive(A)]\n\npub struct S<T> {\n    a: i32,\n}"),
            ("statement", "", "    a: i32,"),
            ("class", "U", "struct U;"),
        ],
    ),
    (
        "rust",
        "impl<T> a::D for Store<T> {\n    const A: i32 = 1;\n\n    /// p\n    fn put(&self) {}\n}",
        [
            (
                "class",
                "Store",
                "impl<T> a::D for Store<T> {\n    const A: i32 = 1;\n\n    /// p\n    fn put(&self) {}\n}",
            ),
            ("statement", "", "    const A: i32 = 1;"),
            ("function", "Store.put", "    /// p\n    fn put(&self) {}"),
        ],
    ),
    (
        "rust",
        "trait T {\n    fn a();\n}\nenum E {\n    A,\n    B(i32),\n}",
        [
            ("class", "T", "trait T {\n    fn a();\n}"),
            ("function", "T.a", "    fn a();"),
            ("class", "E", "enum E {\n    A,\n    B(i32),\n}"),
            ("statement", "", "    A,\n    B(i32),"),
        ],
    ),
    (
        "rust",
        "mod k;\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn works() {}\n}\nasync fn f() {}",
        [
            ("statement", "", "mod k;"),
            ("class", "tests", "#[cfg(test)]\nmod tests {\n    #[test]\n    fn works() {}\n}"),
            ("function", "tests.works", "    #[test]\n    fn works() {}"),
            ("function", "f", "async fn f() {}"),
        ],
    ),
    (
        "c",
        "#ifndef H\n#define H\n#include <a.h>\n\n/* adds */\nstatic int *f(int a) {} // why\nint g(void);\n#endif\n",
        [
            ("statement", "", "#ifndef H\n#define H\n#include <a.h>"),
            ("function", "f", "/* adds */\nstatic int *f(int a) {} // why"),
            ("statement", "", "int g(void);\n#endif"),
        ],
    ),
    (
        "c",
        "typedef struct p {\n  int x;\n} Point;\n",
        [("class", "Point", "typedef struct p {\n  int x;\n} Point;"), ("statement", "", "  int x;")],
    ),
    (
        "c",
        "struct q {\n  int y;\n};\nstruct q one;\nenum e {\n  A,\n  B\n};",
        [
            ("class", "q", "struct q {\n  int y;\n};"),
            ("statement", "", "  int y;"),
            ("statement", "", "struct q one;"),
            ("class", "e", "enum e {\n  A,\n  B\n};"),
            ("statement", "", "  A,\n  B"),
        ],
    ),
    (
        "c",
        "int (*pick(int n))(int) { return 0; }\nint main(void) {}",
        [("function", "pick", "int (*pick(int n))(int) { return 0; }"), ("function", "main", "int main(void) {}")],
    ),
]


@pytest.mark.parametrize(("language", "text", "expected"), EXAMPLES)
def test_examples_written_out(language, text, expected):
    found = code_blocks(text, language)
    assert found.notices == ()
    check(text, found.blocks)
    assert outline(text, language) == expected


@pytest.mark.parametrize(
    ("language", "text", "head"),
    [
        (
            "python",
            "# c\n@d\nclass A(\n    B,\n):  # note\n    '''Doc.'''\n",
            "# c\n@d\nclass A(\n    B,\n):  # note\n",
        ),
        ("python", "class A: x = 1\n", "class A:"),
        ("python", "class 🧵:\r\n    x = 1\r\n".replace("🧵", "名"), "class 名:\r\n"),
        ("javascript", "class A {\n\n  f() {}\n}", "class A {\n"),
        ("typescript", "interface A { m(): void }", "interface A {"),
        ("java", "class A\n{ // note\n  int x;\n}", "class A\n{ // note\n"),
        ("go", "package a\ntype S struct {\n\tx int\n}", "type S struct {\n"),
        ("rust", "impl A {\n    fn f() {}\n}", "impl A {\n"),
        ("c", "struct s {\n  int x; };", "struct s {\n"),
        ("rust", "struct P(i32);", ""),
    ],
)
def test_the_header_of_a_class(language, text, head):
    block = next(block for block in code_blocks(text, language).blocks if block.kind == "class")
    assert text[block.start : max(block.head, block.start)] == head


# --- what is no code, and what is made to hurt -----------------------------------------------------------------


def test_a_syntax_error_gives_lines_and_says_where():
    text = "x = 1\ny = 2\n\n\ndef f(:\n    pass\n  \n🧵 = 3  \n"
    found = code_blocks(text, "python")
    assert outline(text, "python") == [
        ("line", "", "x = 1\ny = 2"),
        ("line", "", "def f(:\n    pass"),
        ("line", "", "🧵 = 3"),
    ]
    assert found.notices == (
        "This is not valid Python (near line 5), so it is divided by lines instead of classes and functions.",
    )


def test_a_missing_token_is_an_error():
    found = code_blocks("int f() { return 1 }\n", "c")
    assert [block.kind for block in found.blocks] == ["line"]
    assert "near line 1" in found.notices[0]


SIGNS = "ab(){}[];:,.=<>'\"#/*@ \n\t\r\fé🧵\x85\u2028\ud800"


@given(
    st.sampled_from(sorted(LANGUAGES)),
    st.text(alphabet=SIGNS, max_size=60),
)
def test_any_text_is_covered(language, text):
    found = code_blocks(text, language)
    check(text, found.blocks)
    assert bool(found.notices) == any(block.kind == "line" for block in found.blocks) or not found.blocks


HOSTILE = [
    ("python", "(" * 100_000, "Brackets"),
    ("python", "(" * 100_000 + ")" * 100_000, "Brackets"),
    ("python", "(" * 400, "not valid"),
    ("java", "class A{" * 100_000 + "}" * 100_000, "Brackets"),
    ("java", "a =>" * 20_000, "one chain"),
    ("java", "a =>;" * 20_000, "places"),
    ("java", "a <;" * 20_000, "places"),
    ("java", ">!" * 4_000, "too long"),
    ("javascript", "->" * 50_000, "too long"),
    ("typescript", "a<" * 200_000, "one chain"),
    ("javascript", "a<b>(c " * 50_000, "Brackets"),
    ("rust", 'r#"' * 200_000, "too long"),
    ("python", "def f():0\n" * 20_000, "symbols"),
]


@pytest.mark.parametrize(("language", "text", "reason"), HOSTILE, ids=[f"{row[0]}-{row[1][:6]}" for row in HOSTILE])
def test_text_made_to_hurt_falls_back_to_lines(language, text, reason):
    found = code_blocks(text, language)
    check(text, found.blocks)
    assert {block.kind for block in found.blocks} == {"line"}
    assert reason in found.notices[0]


def test_blocks_are_bounded():
    for text in ("!\n\n" * 100_000, "def f():0\n\n" * 20_000):
        assert len(code_blocks(text, "python").blocks) <= max(2_000, len(text) // 50)


def test_classes_are_followed_only_so_deep():
    text = "class A{" * 100 + "void f(){}" + "}" * 100
    found = code_blocks(text, "java")
    check(text, found.blocks)
    assert found.notices == ()
    assert found.blocks[-1].name == ".".join("A" * 17)


def test_signs_in_a_banner_are_no_chain():
    text = "// " + "=" * 5_000 + "\nclass A { boolean f(int a) { return a << 2 <= 3; } }"
    assert code_blocks(text, "java").notices == ()


@pytest.mark.parametrize("name", sorted(LANGUAGES))
def test_the_table_of_languages(name):
    language = LANGUAGES[name]
    assert language.name == name
    assert language.media_type.startswith("text/")
    assert all(ending.startswith(".") and ending == ending.lower() for ending in language.extensions)


def test_no_two_languages_share_an_extension_or_a_media_type():
    endings = [ending for language in LANGUAGES.values() for ending in language.extensions]
    assert len(endings) == len(set(endings))
    assert len({language.media_type for language in LANGUAGES.values()}) == len(LANGUAGES)


def test_an_unknown_language_is_refused():
    with pytest.raises(KeyError):
        code_blocks("x", "cobol")


@pytest.mark.parametrize("text", [";}(", "};(", "}(;", "}", "]) "])
@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_closing_brackets_that_nothing_opened_are_not_parsed(language, text):
    found = code_blocks(text * 5000, language)
    assert {block.kind for block in found.blocks} == {"line"}
    assert "closing brackets" in found.notices[0]
