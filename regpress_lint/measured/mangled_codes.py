"""Meanings of the letters of Itanium-mangled names."""

from __future__ import annotations

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
