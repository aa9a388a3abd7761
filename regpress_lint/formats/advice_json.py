"""`kernels --advise --output-format json`, version 1: `schemas/advice.v1.schema.json` describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.lint.advice.advice_data import Advice, KernelAdvice, State, Step, TargetAdvice


def document(kernels: Iterable[KernelAdvice]) -> dict[str, Any]:
    """The whole document."""
    return {"version": 1, "kernels": [_kernel(each) for each in kernels]}


def _kernel(kernel: KernelAdvice) -> dict[str, Any]:
    targets = {each.target: _target(each) for each in kernel.targets}
    return {"path": kernel.path, "line": kernel.line, "name": kernel.name, "targets": targets}


def _target(found: TargetAdvice) -> dict[str, Any]:
    return {
        "now": state_json(found.now),
        "max_waves_per_simd": found.max_waves,
        "limiters": list(found.limiters),
        "next_registers": found.next_registers,
        "tried": found.tried,
        "reason": found.reason or None,
        "advice": list(map(_advice, found.advice)),
    }


def _advice(found: Advice) -> dict[str, Any]:
    low, estimate, high = found.gained
    return {
        "steps": list(map(_step, found.steps)),
        "registers_gained": {"low": low, "estimate": estimate, "high": high},
        "after": state_json(found.after),
    }


def _step(step: Step) -> dict[str, Any]:
    evidence = None if step.evidence is None else step.evidence._asdict()
    return {**step._asdict(), "code": step.code or None, "evidence": evidence}


def state_json(state: State) -> dict[str, Any]:
    """A kernel before or after a change."""
    return {
        "registers": state.registers._asdict(),
        "budget": state.budget,
        "memory_bytes": state.memory_bytes,
        "waves_per_simd": state.waves,
        "waves_per_simd_at_ends": [state.waves_low, state.waves_high],
        "lds_bytes": state.lds_bytes,
        "operations": state.operations,
        "excess": state.excess,
    }
