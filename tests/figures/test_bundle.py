"""What a bundle is made of, and what is refused."""

import re

import pytest

import tiekit as tk
from tiekit.figures import bundler
from tiekit.figures.bundler import BundleError, bundle


def test_a_module_stands_after_those_it_imports_in_a_scope_of_its_own():
    modules = {
        "top.js": """import { double } from "./middle.js";
import { one } from "./low.js";

export const two = double(one);
""",
        "middle.js": 'import { one } from "./low.js";\n\nexport function double(x) {\n  return x + one * x;\n}\n',
        "low.js": "const hidden = 1;\nexport const one = hidden;\n",
        "other.js": "import nothing that is understood",
    }
    assert bundle("top.js", modules) == (
        "const $low = (() => {\nconst hidden = 1;\nconst one = hidden;\nreturn { one: one };\n})();\n\n"
        "const $middle = (() => {\nconst { one } = $low;\n"
        "function double(x) {\n  return x + one * x;\n}\nreturn { double: double };\n})();\n\n"
        "const $top = (() => {\nconst { double } = $middle;\nconst { one } = $low;\n"
        "const two = double(one);\nreturn { two: two };\n})();\n\n"
        "export const { two } = $top;\n"
    )


@pytest.mark.parametrize(
    ("declaration", "inner", "given", "end"),
    [
        ("export const a = 1;", "const a = 1;", "a: a", "export const { a } = $x;"),
        ("export const a = (b, c = 2) => b;", "const a = (b, c = 2) => b;", "a: a", "export const { a } = $x;"),
        ("export async function a() {}", "async function a() {}", "a: a", "export const { a } = $x;"),
        ("export function* a() {}", "function* a() {}", "a: a", "export const { a } = $x;"),
        ("export class A {}", "class A {}", "A: A", "export const { A } = $x;"),
        ("export default class A {}", "class A {}", "default: A", "export default $x.default;"),
        (
            "export default function (x) {}",
            "function $default(x) {}",
            "default: $default",
            "export default $x.default;",
        ),
        ("const a = 'import';\n// it may export this", "const a = 'import';\n// it may export this", "", ""),
    ],
)
def test_declarations_that_are_exported(declaration, inner, given, end):
    found = bundle("x.js", {"x.js": declaration})
    assert found.split() == f"const $x = (() => {{\n{inner}\nreturn {{ {given} }};\n}})();\n{end}".split()


def test_imports_may_go_over_lines():
    modules = {
        "x.js": 'import {\n  a,\n  b,\n} from "./y.js";\na(b);',
        "y.js": "export const a = 1;\nexport const b = 2;",
    }
    assert "const { a, b } = $y;\na(b);" in bundle("x.js", modules)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('import a from "./y.js";', "x.js: cannot bundle 'import a from"),
        ('import * as a from "./y.js";', r"x.js: cannot bundle 'import \* as a"),
        ('import { a as b } from "./y.js";', "x.js: cannot bundle 'import { a as b }"),
        ('import { a } from "y";', "x.js: cannot bundle 'import { a } from"),
        ('import { a } from "y/y.js";', "x.js: cannot bundle"),
        ('import { a } from "../y.js";', r"There is no module \.\./y\.js, which x\.js imports"),
        ('import { a } from "./y.js"', "x.js: cannot bundle"),
        ('import "./y.js";', "x.js: cannot bundle 'import"),
        ('const a = import("./y.js");', r"x.js: cannot bundle 'const a = import\("),
        ("const a = import.meta.url;", "x.js: cannot bundle 'const a = import.meta"),
        ("const a = 1;\nexport { a };", "x.js: cannot bundle 'export { a };'"),
        ('export * from "./y.js";', r"x.js: cannot bundle 'export \*"),
        ("export let a = 1;", "x.js: cannot bundle 'export let"),
        ("export default 1;", "x.js: cannot bundle 'export default 1;'"),
        ("  export const a = 1;", "x.js: cannot bundle 'export const a"),
        ("export const { a } = {};", "x.js: cannot bundle 'export const { a }"),
        ("export const a = 1, b = 2;", "one name at a time"),
        ("export const a = f(1, (2)), b = [2, 3];", "one name at a time"),
        ("export const a = 1;\nexport function a() {}", "x.js: a is exported twice"),
        ("export default class A {}\nexport default function b() {}", "x.js: default is exported twice"),
        ('import { a } from "./y.js";\nimport { a } from "./z.js";', "x.js: a is imported twice"),
        ('import { b } from "./y.js";', "x.js imports b, which y.js does not export"),
        ('import { a } from "./w.js";', "There is no module w.js, which x.js imports"),
        ('import { back } from "./circle.js";', "in a circle: x.js → circle.js → x.js"),
    ],
)
def test_what_is_not_understood_is_refused(text, message):
    circle = 'import { a } from "./x.js";\nexport const back = a;'
    modules = {"x.js": text, "y.js": "export const a = 1;", "z.js": "export const a = 2;", "circle.js": circle}
    with pytest.raises(BundleError, match=message):
        bundle("x.js", modules)


def test_an_entry_that_is_not_there():
    with pytest.raises(BundleError, match=r"There is no module x\.js\."):
        bundle("x.js", {})


def test_a_path_leads_from_the_modules_own_folder():
    modules = {
        "a/top.js": 'import { one } from "../b/low.js";\nexport const two = one + one;',
        "b/low.js": 'import { half } from "./c/half.js";\nexport const one = half + half;',
        "b/c/half.js": "export const half = 0.5;",
    }
    text = bundle("a/top.js", modules)
    assert re.findall(r"^const (\$\w+) = ", text, re.MULTILINE) == ["$b_c_half", "$b_low", "$a_top"]
    assert "const { one } = $b_low;" in text


def test_the_lab_holds_each_formula_once():
    text = bundle("lab/figure.js", bundler.modules())
    for name, entry in tk.COEFFICIENTS.items():
        assert text.count(f"  {name}: (C, D, T_h, T_m, T_hm, n, k) => ") == (entry.formula is not None)
    assert text.endswith("export const { openFigure } = $lab_figure;\n")
