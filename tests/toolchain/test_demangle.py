"""Names of kernels as sources have them, out of Itanium's mangling."""

from __future__ import annotations

import pytest

from regpress_lint.measured.demangle import demangled

NAMES = {
    "spills": ("spills", ""),
    "_Z7indexedPfi": ("indexed", ""),
    "_ZN3lbm4stepIfLi64EEEvPT_PKS1_i": ("lbm::step", "<float, 64>"),
    "_ZN3lbm4stepIdLi128EEEvPT_PKS1_i": ("lbm::step", "<double, 128>"),
    "_Z4scanILb1ELj32ELin3EEvPf": ("scan", "<true, 32u, -3>"),
    "_Z3runIZ3go2PfEUliE_EvT_": ("run", "<go2::{lambda#1}>"),
    "_Z3runIZN1a3go2EPfEUliE0_EvT_": ("run", "<a::go2::{lambda#2}>"),
    "_ZN12_GLOBAL__N_14anonEPd": ("(anonymous namespace)::anon", ""),
    "_ZN35_GLOBAL__N__42629c52_4_b_cu_bounded4anonEPd": ("(anonymous namespace)::anon", ""),
    "__nv_static_24__42629c52_4_b_cu_bounded__Z6hiddenPf": ("hidden", ""),
    "_ZL6hiddenPf": ("hidden", ""),
    "_Z4packIJifdEEvDpT_": ("pack", "<int, float, double>"),
    "_Z1kISt4pairIiSt6vectorIfSaIfEEEEvT_": ("k", "<std::pair<int, std::vector<float, std::allocator<float>>>>"),
    "_Z1kIPKfEvT_": ("k", "<float const*>"),
    "_Z1kIA4_fEvT_": ("k", "<float [4]>"),
    "_Z1kIPFvifEEvT_": ("k", "<void (*)(int, float)>"),
    "_Z1kIDv4_fEvT_": ("k", "<float vector[4]>"),
    "_Z1kIXadL_Z4bodyfEEEvv": ("k", "<&(body)>"),
    "_Z1kILN1a4ModeE2EEvv": ("k", "<(a::Mode)2>"),
    "_Z1kI3FooIiEEvNT_4TypeE": ("k", "<Foo<int>>"),
    "_ZTS8MyKernel": ("MyKernel", ""),
    "_ZTSN2ns8MyKernelIfEE": ("ns::MyKernel", "<float>"),
}


@pytest.mark.parametrize("symbol", NAMES)
def test_names(symbol: str) -> None:
    assert tuple(demangled(symbol)) == NAMES[symbol]


@pytest.mark.parametrize(
    "symbol",
    ["_Z", "_Z9short", "_ZN3lbm", "_Z1kIS9_Evv", "_Z1kIT", "_Zzz", "_Z" + "N" * 5000, "_ZN3lbm4stepIA", "_ZNE4stepIfE"],
)
def test_unreadable_name_stays_mangled(symbol: str) -> None:
    assert tuple(demangled(symbol)) == (symbol, "")


def test_text_does_not_grow_without_end() -> None:
    """Each argument is two of the one before it."""
    symbol = (
        "_Z1kI1aI1bS0_E"
        + "".join(f"S_IS{'' if not n else 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[n - 1]}_E" for n in range(26)) * 20
    )
    assert len(demangled(symbol).whole) < 1_000_000


def test_parts_of_a_name() -> None:
    name = demangled("_ZN3lbm4stepIfLi64EEEvPT_PKS1_i")
    assert (name.whole, name.last) == ("lbm::step<float, 64>", "step")
