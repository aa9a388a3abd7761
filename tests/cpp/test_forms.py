"""A form of the language is in every table that has to know it, and an attribute that limits registers is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest
from analysis_helpers import facts_of

from regpress_lint import testing
from regpress_lint.cpp import syntax_tree, traversal
from regpress_lint.cpp.syntax_tree import Assembly, Expr, Stmt, expression_nodes, statement_nodes
from regpress_lint.model.interpreter import expressions, statements
from regpress_lint.program import kernel_functions
from regpress_lint.program.model import RegisterLimits
from regpress_lint.source import visitor, walk

if TYPE_CHECKING:
    from collections.abc import Mapping

EXPRESSIONS, STATEMENTS = {*get_args(Expr), Assembly}, {*get_args(Stmt)}
# Those that cannot leave a form out. `_RULES` of cpp/typing_rules.py and `_EVALUATION` of cpp/constants.py may: it then
# has no type, or no value.
TABLES: dict[str, tuple[Mapping[type, object], set[type]]] = {
    "_CHILDREN of cpp/traversal.py": (traversal._CHILDREN, EXPRESSIONS | STATEMENTS),
    "_RULES of model/interpreter/expressions.py": (expressions._RULES, EXPRESSIONS),
    "_RULES of model/interpreter/statements.py": (statements._RULES, STATEMENTS),
    "EXPRESSIONS of source/visitor.py": (visitor.EXPRESSIONS, EXPRESSIONS),
    "_STATEMENTS of source/walk.py": (walk._STATEMENTS, STATEMENTS),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_every_form(name: str) -> None:
    table, forms = TABLES[name]
    missing = [f"{form.__name__} is missing in {name}" for form in forms - table.keys()]
    assert not missing
    assert table.keys() == forms


@pytest.mark.parametrize(
    ("module", "union", "forms"),
    [(expression_nodes, "Expr", EXPRESSIONS), (statement_nodes, "Stmt", STATEMENTS)],
    ids=["Expr", "Stmt"],
)
def test_every_node_is_in_its_union_and_exported(module: object, union: str, forms: set[type]) -> None:
    others = {"Variable", "Function", "TemplateParameter", "Unroll", "Unread"}
    own = [each for each in vars(module).values() if isinstance(each, type) and "span" in _slots(each)]
    own = [each for each in own if each.__module__ == vars(module)["__name__"] and each.__name__ not in others]
    missing = [
        f"{node.__name__} is missing in {union} of {vars(module)['__name__']}" for node in own if node not in forms
    ]
    hidden = [node.__name__ for node in own if not hasattr(syntax_tree, node.__name__)]
    assert not missing
    assert not hidden, f"{hidden} are missing in cpp/syntax_tree/__init__.py"


def _slots(node: type) -> set[str]:
    return {slot for each in node.__mro__ for slot in getattr(each, "__slots__", ())}


@pytest.mark.parametrize("word", kernel_functions._LIMITS)
def test_a_word_that_limits_registers_is_read(word: str) -> None:
    written = word if word.startswith("__") else f"__attribute__(({word}(64)))"
    head = f"{word}(64)" if word.startswith("__") else written
    limits = testing.build(f"__global__ void {head} k(float* a) {{ a[0] = 1.0f; }}").kernels[0].register_limits
    assert limits is not None
    assert getattr(limits, kernel_functions._LIMITS[word]) == 64
    assert kernel_functions._LIMITS[word] in RegisterLimits._fields


def test_a_new_word_that_limits_registers_needs_no_other_change(monkeypatch: pytest.MonkeyPatch) -> None:
    from regpress_lint.core.patterns import pattern

    monkeypatch.setitem(kernel_functions._LIMITS, "fastregs", "max_registers")
    monkeypatch.setattr(kernel_functions, "_LIMIT", pattern(r"\b_*(fastregs)_*\s*\(([^()]*)\)"))
    file = testing.build("__attribute__((fastregs(32))) __global__ void k(float* a) { a[0] = 1.0f; }")
    limits = file.kernels[0].register_limits
    assert limits is not None
    assert limits.max_registers == 32


# A form, and the code that it stands for.
ALIKE = {
    "noexcept": (
        "if constexpr (noexcept(n + 1)) o[i] = 1.0f; else o[i] = x[i] * x[n];",
        "if constexpr (true) o[i] = 1.0f; else o[i] = x[i] * x[n];",
    ),
    "bit_cast": ("o[i] = __builtin_bit_cast(float, n + (int)i);", "o[i] = __int_as_float(n + (int)i);"),
    "bit_cast of a type of two words": (
        "o[i] = __builtin_bit_cast(unsigned long long, (double)x[i]);",
        "o[i] = __double_as_longlong((double)x[i]);",
    ),
    "__typeof__ of an element": ("__typeof__(x[0]) t = x[i]; o[i] = t * t;", "float t = x[i]; o[i] = t * t;"),
    "__typeof__ of a variable": (
        "float s = x[n]; __typeof__(s) t = 2.0 * x[i]; o[i] = t;",
        "float s = x[n]; float t = 2.0 * x[i]; o[i] = t;",
    ),
    "__typeof__ of a type": ("__typeof__(double) t = x[i]; o[i] = t * t;", "double t = x[i]; o[i] = t * t;"),
    "typeof": ("typeof(x[0]) t = x[i]; o[i] = t * t;", "float t = x[i]; o[i] = t * t;"),
    "operator() of a lambda's values": (
        "auto f = [=]<int N>(float y) { float s = 0; for (int k = 0; k < N; k++) s += y * x[k * 64 + i]; return s; };"
        "o[i] = f.operator()<4>(x[i]);",
        "float y = x[i]; float s = 0; for (int k = 0; k < 4; k++) s += y * x[k * 64 + i]; o[i] = s;",
    ),
    "operator() of a lambda's types": (
        "auto f = [=]<typename T>(T y) { return y * n; }; o[i] = f.template operator()<float>(x[i]);",
        "o[i] = x[i] * n;",
    ),
    "range over an array of the for": (
        "float s = 0; for (float t[2] = {x[n], x[i]}; float y : t) s += y; o[i] = s;",
        "float s = 0; float t[2] = {x[n], x[i]}; for (float y : t) s += y; o[i] = s;",
    ),
    "range over a list": (
        "float s = 0; for (float y : {x[n], x[i]}) s += y; o[i] = s;",
        "float s = 0; float t[2] = {x[n], x[i]}; for (float y : t) s += y; o[i] = s;",
    ),
    "if consteval": ("if consteval { o[i] = sinf(x[i]); } else { o[i] = x[i]; }", "o[i] = x[i];"),
    "if !consteval": ("if !consteval { o[i] = x[i]; } else { o[i] = sinf(x[i]); }", "o[i] = x[i];"),
    "__label__": (
        "__label__ done; float s = x[i]; if (s > 0) goto done; s *= x[n]; done: o[i] = s;",
        "float s = x[i]; if (s > 0) goto done; s *= x[n]; done: o[i] = s;",
    ),
    "an assignment before a comma": ("float t; o[i] = (t = x[i], t * t);", "float t = x[i]; o[i] = t * t;"),
    "an assignment in a condition": (
        "float t = 0; if (n && (t += x[i] * x[n], t > 3)) o[i] = t;",
        "float t = 0; if (n) { t += x[i] * x[n]; if (t > 3) o[i] = t; }",
    ),
    "an index in front of its array": (
        "float t[4]; for (int k = 0; k < 4; k++) k[t] = (i + k)[x]; for (int k = 0; k < 4; k++) k[o] = *(3 - k + t);",
        "float t[4]; for (int k = 0; k < 4; k++) t[k] = x[i + k]; for (int k = 0; k < 4; k++) o[k] = *(t + 3 - k);",
    ),
    "auto(x)": ("o[i] = auto(x[i]);", "o[i] = x[i];"),
}


@pytest.mark.parametrize("form", ALIKE)
def test_a_form_has_the_arguments_of_its_code(form: str) -> None:
    head = "__global__ void k(float* o, const float* x, int n) { unsigned i = threadIdx.x; "
    ours, plain = (facts_of(f"{head}{text} }}") for text in ALIKE[form])
    for target in ("gfx90a", "sm_90"):
        assert not plain.unknowns(target)
        assert not ours.unknowns(target)
        assert ours.target(target).registers == plain.target(target).registers


def test_a_name_that_ends_in_a_keyword_is_left_as_it_is() -> None:
    file = testing.build("__global__ void k_decltype(float* a) { a[0] = 1.0f; }")
    assert [kernel.name for kernel in file.kernels] == ["k_decltype"]
