"""The grammar of Itanium-mangled names: names, types and template arguments as compilers write them for kernels."""

from __future__ import annotations

import re

from regpress_lint.cpp.lexical import bare_name

BUILTIN = {
    "v": "void", "w": "wchar_t", "b": "bool", "c": "char", "a": "signed char", "h": "unsigned char", "s": "short",
    "t": "unsigned short", "i": "int", "j": "unsigned int", "l": "long", "m": "unsigned long", "x": "long long",
    "y": "unsigned long long", "n": "__int128", "o": "unsigned __int128", "f": "float", "d": "double",
    "e": "long double", "g": "__float128", "z": "...",
    "Dd": "decimal64", "De": "decimal128", "Df": "decimal32", "Dh": "_Float16", "Di": "char32_t", "Ds": "char16_t",
    "Du": "char8_t", "Da": "auto", "Dc": "decltype(auto)", "Dn": "std::nullptr_t",
}  # fmt: skip
STANDARD = {
    "St": "std", "Sa": "std::allocator", "Sb": "std::basic_string", "Ss": "std::string", "Si": "std::istream",
    "So": "std::ostream", "Sd": "std::iostream",
}  # fmt: skip
OPERATORS = {
    "cl": "()", "pl": "+", "mi": "-", "ml": "*", "dv": "/", "rm": "%", "eq": "==", "ne": "!=", "lt": "<", "gt": ">",
    "le": "<=", "ge": ">=", "aS": "=", "pL": "+=", "mI": "-=", "mL": "*=", "dV": "/=", "ix": "[]", "pt": "->",
    "an": "&", "or": "|", "eo": "^", "aa": "&&", "oo": "||", "nt": "!", "co": "~", "ls": "<<", "rs": ">>", "pp": "++",
    "mm": "--", "nw": " new", "dl": " delete", "cm": ",", "ad": "&", "de": "*", "ng": "-", "ps": "+",
}  # fmt: skip
QUALIFIERS = {"K": "const", "V": "volatile", "r": "restrict"}
UNARY = frozenset(("nt", "co", "ng", "ps", "ad", "de"))
SUFFIXES = {"j": "u", "l": "l", "m": "ul", "x": "ll", "y": "ull"}


_MOST_TEXT = 200_000
_DIGITS, _DIGITS_36 = re.compile(r"\d{1,9}"), re.compile(r"[0-9A-Z]{1,6}")


class UnknownFormError(ValueError):
    """A form that this demangler does not read."""


class MangledText:
    """The characters of a symbol behind its `_Z`. known: names that a substitution may stand for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 2
        self.known: list[str] = []
        self.size = 0

    def _peek(self, count: int = 1) -> str:
        return self.text[self.at : self.at + count]

    def _skip(self, word: str) -> bool:
        skipped = self.text.startswith(word, self.at)
        self.at += len(word) * skipped
        return skipped

    def _expect(self, word: str) -> None:
        if not self._skip(word):
            raise UnknownFormError(self.text)

    def _number(self, base: int = 10) -> int:
        match = (_DIGITS if base == 10 else _DIGITS_36).match(self.text, self.at)
        if match is None:
            raise UnknownFormError(self.text)
        self.at = match.end()
        return int(match[0], base)

    def _keep(self, name: str) -> None:
        self.known.append(self._sized(name))

    def _sized(self, name: str) -> str:
        """Substitutions of substitutions grow without end."""
        self.size += len(name)
        if self.size > _MOST_TEXT * 10 or len(name) > _MOST_TEXT:
            raise UnknownFormError(self.text)
        return name


_NUMBER = re.compile(r"n?\d{1,20}")
_INTERNAL = re.compile(r"_INTERNAL_|_GLOBAL__N_")
_MOST_DEEP = 100


class MangledName(MangledText):
    """Reads one symbol, once. Raises UnknownFormError, or IndexError where it ends too early."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.arguments: list[str] = []
        self.depth = 0

    def kernel(self) -> str:
        """The name of a kernel, with the arguments of its template."""
        if self._skip("TS") or self._skip("TI"):  # SYCL's kernels bear the name of a type
            return self.type()
        return self.encoding(top=True)

    # Names

    def encoding(self, top: bool = False) -> str:
        name = self.name()
        if not top and self.at < len(self.text) and self.text[self.at] not in "E.":
            if name.endswith(">"):
                self.type()
            while self.at < len(self.text) and self.text[self.at] not in "E.":
                self.type()
        return name

    def name(self) -> str:
        head = self._peek()
        if head == "N":
            return self.nested()
        if head == "Z":
            return self.local()
        if head == "S" and self._peek(2) != "St":
            text = self.substitution()
        elif self._skip("St"):
            text = f"std::{self.unqualified()}"
            if self._peek() == "I":
                self._keep(text)
        else:
            text = self.unqualified()
            if self._peek() == "I":
                self._keep(text)
        if self._peek() == "I":
            text += self.template_arguments()
        return text

    def nested(self) -> str:
        """`N ... E`: each prefix but the whole can be referred to later."""
        self._expect("N")
        while self._peek() in ("r", "V", "K", "R", "O"):
            self.at += 1
        prefix = ""
        while not self._skip("E"):
            head = self._peek()
            if head == "I":
                prefix += self.template_arguments()
            elif head == "S" and self._peek(2) != "St":
                prefix = self.substitution()
                continue
            elif self._skip("St"):
                prefix = "std"
                continue
            elif head == "T":
                prefix = self.template_parameter()
            elif head == "D" and self._peek(2) in ("DT", "Dt"):
                prefix = self.type()
                continue
            elif head == "M":
                self.at += 1
                continue
            else:
                part = self.unqualified(prefix)
                prefix = f"{prefix}::{part}" if prefix and part else prefix or part
            if self._peek() != "E":
                self._keep(prefix)
        return prefix

    def local(self) -> str:
        self._expect("Z")
        around = self.encoding()
        self._expect("E")
        if self._skip("s"):
            self._discriminator()
            return f"{around}::string literal"
        if self._skip("d"):
            if self._peek() != "_":
                self._number()
            self._expect("_")
        inner = self.name()
        self._discriminator()
        return f"{around}::{inner}"

    def _discriminator(self) -> None:
        if self._skip("__"):
            self._number()
            self._expect("_")
        elif self._peek() == "_" and self._peek(2)[1:].isdigit():
            self.at += 2

    def unqualified(self, prefix: str = "") -> str:
        head = self._peek()
        if head == "L":
            self.at += 1
            head = self._peek()
        if head.isdigit():
            name = self.source_name()
        elif head == "U":
            name = self.unnamed()
        elif head in ("C", "D") and self._peek(2)[1:] in ("0", "1", "2", "3", "4", "5"):
            self.at += 2
            plain = bare_name(prefix)
            name = ("~" if head == "D" else "") + plain
        else:
            name = self.operator()
        while self._skip("B"):
            self.source_name()
        return name

    def source_name(self) -> str:
        length = self._number()
        if not 0 < length <= len(self.text) - self.at:
            raise UnknownFormError(self.text)
        name = self.text[self.at : self.at + length]
        self.at += length
        return "(anonymous namespace)" if _INTERNAL.match(name) else name

    def unnamed(self) -> str:
        kind = "lambda" if self._skip("Ul") else "unnamed" if self._skip("Ut") else ""
        if not kind:
            raise UnknownFormError(self.text)
        if kind == "lambda":
            while not self._skip("E"):
                while self._peek(2) in ("Ty", "Tn", "Tt", "Tp"):
                    raise UnknownFormError(self.text)
                self.type()
        number = 0 if self._peek() == "_" else self._number() + 1
        self._expect("_")
        return f"{{{kind}#{number + 1}}}"

    def operator(self) -> str:
        code = self._peek(2)
        if code == "cv":
            self.at += 2
            return f"operator {self.type()}"
        if code == "li":
            self.at += 2
            return f'operator"" {self.source_name()}'
        if code not in OPERATORS:
            raise UnknownFormError(self.text)
        self.at += 2
        return f"operator{OPERATORS[code]}"

    def template_arguments(self) -> str:
        self._expect("I")
        arguments: list[str] = []
        while not self._skip("E"):
            arguments += self.template_argument()
        self.arguments = arguments
        return self._sized(f"<{', '.join(arguments)}>")

    def template_argument(self) -> list[str]:
        head = self._peek()
        if head == "J":
            self.at += 1
            pack: list[str] = []
            while not self._skip("E"):
                pack += self.template_argument()
            return pack
        if head == "L":
            return [self.literal()]
        if head == "X":
            self.at += 1
            argument = self.expression()
            self._expect("E")
            return [argument]
        return [self.type()]

    def literal(self) -> str:
        self._expect("L")
        if self._skip("_Z"):
            text = self.encoding()
            self._expect("E")
            return text
        code = self._peek()
        kind = self.type()
        if code == "b" and self._peek() in ("0", "1"):
            text = "true" if self._peek() == "1" else "false"
            self.at += 1
        elif (match := _NUMBER.match(self.text, self.at)) is not None:
            self.at = match.end()
            number = match[0].replace("n", "-")
            text = f"{number}{SUFFIXES[code]}" if code in SUFFIXES else number if code == "i" else f"({kind}){number}"
        else:
            end = self.text.index("E", self.at) if "E" in self.text[self.at :] else -1
            if end < 0:
                raise UnknownFormError(self.text)
            text = f"({kind}){self.text[self.at : end]}"
            self.at = end
        self._expect("E")
        return text

    def expression(self) -> str:
        head = self._peek()
        if head == "L":
            return self.literal()
        if head == "T":
            return self.template_parameter()
        code = self._peek(2)
        if code == "sr":
            self.at += 2
            return f"{self.type()}::{self.unqualified()}" + (self.template_arguments() if self._peek() == "I" else "")
        if code in ("st", "at"):
            self.at += 2
            return f"sizeof ({self.type()})" if code == "st" else f"alignof ({self.type()})"
        if code not in OPERATORS or code in ("cl", "nw", "dl", "ix", "pt"):
            raise UnknownFormError(self.text)
        self.at += 2
        if code in UNARY:
            return f"{OPERATORS[code]}({self.expression()})"
        left, right = self.expression(), self.expression()
        return f"({left}) {OPERATORS[code]} ({right})"

    # Types

    def type(self) -> str:
        self.depth += 1
        if self.depth > _MOST_DEEP:
            raise UnknownFormError(self.text)
        type_ = self._sized(self._type())
        self.depth -= 1
        return type_

    def _type(self) -> str:
        """Every type but a builtin one and a reference to an earlier one can be referred to later, so it is kept."""
        head = self._peek()
        if head in ("P", "R", "O"):
            self.at += 1
            name = _pointer(self.type(), {"P": "*", "R": "&", "O": "&&"}[head])
        elif head in ("K", "V", "r"):
            self.at += 1
            name = f"{self.type()} {QUALIFIERS[head]}"
        elif head == "S" and self._peek(2) not in STANDARD:
            name = self.substitution()
            if self._peek() != "I":
                return name
            name += self.template_arguments()
        elif head == "T" and self._peek(2) not in ("Ts", "Tu", "Te"):
            name = self.template_parameter()
            if self._peek() == "I":
                self._keep(name)
                name += self.template_arguments()
        elif head == "A":
            self.at += 1
            size = self.text[self.at :].partition("_")[0]
            self.at += len(size)
            self._expect("_")
            name = _array(self.type(), size)
        elif head == "F":
            name = self.function()
        elif head == "M":
            self.at += 1
            owner = self.type()
            name = _pointer(self.type(), f"{owner}::*")
        elif head in ("D", "U"):
            return self._extended() if head == "D" else self._vendor()
        elif head == "u":
            self.at += 1
            name = self.source_name()
        elif head in BUILTIN:
            self.at += 1
            return BUILTIN[head]
        else:
            if head == "T":
                self.at += 2
            if self._peek() == "S" and self._peek(2) != "St" and self._peek(3)[2:] != "I":
                return self.substitution()
            name = self.name()
        self._keep(name)
        return name

    def _extended(self) -> str:
        code = self._peek(2)
        if code == "Dp":
            self.at += 2
            name = self.type()
        elif code == "Dv":
            self.at += 2
            lanes = self._number()
            self._expect("_")
            name = f"{self.type()} vector[{lanes}]"
        elif code in ("DT", "Dt"):
            self.at += 2
            name = f"decltype({self.expression()})"
            self._expect("E")
        elif code == "DF":
            self.at += 2
            bits = self._number()
            if self._skip("b"):
                return "std::bfloat16_t"
            self._expect("_")
            return f"_Float{bits}"
        elif code in BUILTIN:
            self.at += 2
            return BUILTIN[code]
        else:
            raise UnknownFormError(self.text)
        self._keep(name)
        return name

    def _vendor(self) -> str:
        """A qualifier such as `AS1` before a type; a lambda's type begins with the same letter."""
        if self._peek(2) in ("Ul", "Ut"):
            name = self.name()
        else:
            self.at += 1
            qualifier = self.source_name()
            if self._peek() == "I":
                self.template_arguments()
            name = f"{self.type()} {qualifier}"
        self._keep(name)
        return name

    def function(self) -> str:
        self._expect("F")
        self._skip("Y")
        result = self.type()
        parameters = []
        while not self._skip("E"):
            if self._peek() in ("R", "O") and self._peek(2)[1:] == "E":
                self.at += 1
                continue
            parameters.append(self.type())
        return f"{result} ({'' if parameters == ['void'] else ', '.join(parameters)})"

    def substitution(self) -> str:
        code = self._peek(2)
        if code in STANDARD:
            self.at += 2
            return STANDARD[code]
        self._expect("S")
        number = self._number(36) + 1 if self._peek() != "_" else 0
        self._expect("_")
        if number >= len(self.known):
            raise UnknownFormError(self.text)
        return self.known[number]

    def template_parameter(self) -> str:
        self._expect("T")
        number = 0 if self._peek() == "_" else self._number() + 1
        self._expect("_")
        argument = self.arguments[number] if number < len(self.arguments) else f"auto:{number + 1}"
        self._keep(argument)
        return argument


def _pointer(inner: str, mark: str) -> str:
    for opening in (" (", " ["):
        at = inner.find(opening)
        if at >= 0 and inner.endswith((")", "]")) and "<" not in inner[:at]:
            return f"{inner[:at]} ({mark}){inner[at:].lstrip()}"
    return inner + mark


def _array(inner: str, size: str) -> str:
    at = inner.find(" [")
    return f"{inner[:at]} [{size}]{inner[at + 1 :]}" if at >= 0 and inner.endswith("]") else f"{inner} [{size}]"
