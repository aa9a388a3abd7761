"""Qualified names as texts: `A<b::c>::d` is `d` of `A<b::c>`."""

from __future__ import annotations


def split_owner(name: str) -> tuple[str, str]:
    """`A<b::c>::d` as `A<b::c>` and `d`; an empty owner for a name without one."""
    depth = 0
    for index in range(len(name) - 1, 0, -1):
        depth += {">": 1, "<": -1}.get(name[index], 0)
        if depth == 0 and name[index] == ":" and name[index - 1] == ":":
            return name[: index - 1], name[index + 1 :]
    return "", name


def two_last(name: str) -> str:
    """`a::b::c` as `b::c`."""
    return "::".join(name.split("::")[-2:])


def class_name(written: str) -> str:
    """The bare name of a class in a type as it is written: `const ns::Foo<int> *` is `Foo`."""
    words = written.partition("<")[0].replace("const ", " ").replace("*", " ").replace("&", " ").split()
    return words[-1].rpartition("::")[2] if words else ""


def owner_of(qualified: str, name: str) -> str:
    """Class that a definition outside of it belongs to: `Foo` for `ns::Foo<T>::run`, "" for a function of none."""
    head = qualified.removesuffix("".join(name.split()))
    depth, start = 0, len(head) - 2
    if not head.endswith("::"):
        return ""
    if head[:-2].endswith(">"):  # `Foo<T>::name`
        for start in range(len(head) - 3, -1, -1):
            depth += {">": 1, "<": -1}.get(head[start], 0)
            if depth == 0:
                break
    return head[:start].rpartition("::")[2]
