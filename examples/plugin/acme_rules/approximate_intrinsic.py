"""ACME101 approximate-intrinsic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import EVERY_TARGET, Edit, Finding, Fix, KernelFacts, Rule, Severity, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_EXACT = {"__expf": "expf", "__logf": "logf", "__log2f": "log2f", "__sinf": "sinf", "__cosf": "cosf", "__powf": "powf"}


class ApproximateIntrinsic(Rule):
    """An intrinsic that trades accuracy for speed without saying so.

    ## What it does
    Reports `__expf`, `__logf`, `__log2f`, `__sinf`, `__cosf` and `__powf` in a kernel and in the device functions that
    it reaches.

    ## Why it costs
    The error of these intrinsics grows with the argument. Our solvers must give the same residual on every GPU, so
    whoever takes one has to say why.

    ## Targets
    All: this is a rule of the house and not about registers.

    ## Example
    ```cuda
    __global__ void decay(float* x, const float* k, float t) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      x[i] *= __expf(-k[i] * t);
    }
    ```

    ## Use instead
    ```cuda
    __global__ void decay(float* x, const float* k, float t) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      x[i] *= expf(-k[i] * t);
    }
    ```

    ## When to ignore
    Where the argument is known to be small: `// regpress: ignore[ACME101]` with the reason behind it.

    ## Fix safety
    Unsafe: the accurate function gives another result, and is slower.

    ## Sources
    The team's numerics guide.
    """

    code = "ACME101"
    name = "approximate-intrinsic"
    severity = Severity.INFO  # the usual one, for formats that want one a rule
    url = "https://rules.example.com/approximate-intrinsic"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding a call; the same call reached from several kernels is reported once."""
        for site in facts.calls:
            name = site.call.name
            own = site.path in ("", facts.file.path)  # code of a header is reported when the header is linted
            if name not in _EXACT or not own:
                continue
            span = Span(site.call.callee.span.start, site.call.callee.span.end)
            written = facts.file.source.text(span) == name  # not a macro that stands for it
            edits = (Edit(span, _EXACT[name]),)
            yield Finding(
                site.call.span,
                f"`{name}` is an approximation" + (" in a loop" if site.loops else ""),
                {EVERY_TARGET: Severity.INFO},
                f"write `{_EXACT[name]}`, or say why the error does not matter",
                fix=Fix(f"write {_EXACT[name]}", "unsafe", edits) if written else None,
            )
