"""The definition of a rule: its code and name, its scope, its hooks and its page."""

from __future__ import annotations

from functools import partial
from os import sep

from regpress_lint.core.diagnostics import Precision, RuleInfo, Severity
from regpress_lint.core.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from regpress_lint.core.diagnostics import Finding
    from regpress_lint.core.settings import Language
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.file import File
    from regpress_lint.targets.occupancy import Vendor

API_VERSION = 1  # of `regpress_lint.api`; grows when rules written for it would need a change
# What another rule says about the same kernel, by its code, whether it is selected or not.
if TYPE_CHECKING:
    Others = Callable[[str], tuple[Finding, ...]]

DOCUMENTATION_URL = "https://regpress-lint.readthedocs.io/rules/"
READ_FIRST = ("What it does", "Example", "Use instead")  # then come reasons, targets and measurements
# The text says whether there are any; what becomes of loops, and how long some arrays are, an execution.
_WITHOUT_EXECUTION = {"loops": "source.loops", "arrays": "source.arrays"}


class Scope(NamedTuple):
    """The kernels that a rule may have something to say about; see the attributes of `Rule`."""

    languages: tuple[Language, ...] = ()
    vendors: tuple[Vendor, ...] = ()
    needs: tuple[str, ...] = ()

    def covers(self, facts: KernelFacts) -> bool:
        """False for a kernel that the rule is not for."""
        if self.languages and facts.kernel.language not in self.languages:
            return False
        if self.vendors and not any(_vendor(target) in self.vendors for target in facts.targets):
            return False
        if (facts.kernel.explicit_simd or not facts.targets) and "kernel.explicit_simd" not in self.needs:
            return False
        return not self.needs or any(_fact(facts, name) for name in self.needs)


def _vendor(target: str) -> Vendor:
    from regpress_lint.targets.occupancy import architecture

    return architecture(target).vendor


def _fact(facts: KernelFacts, name: str) -> object:
    value: object = facts
    for part in _WITHOUT_EXECUTION.get(name, name).split("."):
        value = getattr(value, part)
    return value


class Rule:
    """One smell. A subclass's docstring begins with its summary, in one line.

    Its page is NAME.md beside its module NAME.py, or in the rest of the docstring: `rule CODE`, SARIF help and
    documentation come from it. The headings that it must have are listed in CONTRIBUTING.md. `url` is where the page
    can be read on the web; a built-in rule's is derived from its name.

    A rule implements the hook it needs; all yield findings and keep no state. `check_after` is for a rule that yields
    to others that report the cause: it is called after all others, and their findings do not depend on which of them
    are selected. `check_kernel` is called for kernels of these `languages` (() for all of them), if one of the targets
    is of these `vendors` (likewise) and one of the facts named in `needs` is not empty: a rule about arrays need not be
    loaded for a kernel without any. Explicit SIMD, and what no chosen GPU can run, is for rules alone that name
    `kernel.explicit_simd` there.

    `many_blocks`: the rule's findings matter where blocks share a GPU (waves, registers, private memory); for a kernel
    that runs as one block they are reported as info at most.

    `prices_fixes`: the changes (`trial`, or the fix) of findings with a `cost` are tried, and the message ends with the
    estimate before and after; where they gain nothing, a finding is a hint on GPUs of the vendors in
    `hint_without_gain`, and where they end no spill and bring no wave, on those in `hint_without_step`. Where they do,
    the finding has the severity that it names under `gained`. `table_without_gain`: where a trial gains nothing the
    message ends with the `cost`, because the estimate is known to miss what the change saves.

    `api`: the version of this interface that the rule was written for. A plugin's rule that needs a newer one is
    refused with a message.
    """

    api: int = API_VERSION
    code: str
    name: str
    severity: Severity = Severity.WARNING  # the usual one, for formats that want one a rule
    precision: Precision = "high"
    url: str = ""
    languages: tuple[Language, ...] = ()
    vendors: tuple[Vendor, ...] = ()
    needs: tuple[str, ...] = ()
    many_blocks: bool = False
    tries_changes: bool = False
    prices_fixes: bool = False
    hint_without_gain: tuple[Vendor, ...] = ()
    hint_without_step: tuple[Vendor, ...] = ()
    table_without_gain: bool = False

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """Findings about one kernel; called once per kernel and file, for all targets together."""
        return iter(())

    def check_after(self, facts: KernelFacts, others: Others) -> Iterator[Finding]:
        """Findings about one kernel that depend on other rules' findings about it; called after all of them."""
        return iter(())

    def check_file(self, file: File) -> Iterator[Finding]:
        """Findings about a file as a whole."""
        return iter(())

    @classmethod
    def info(cls) -> RuleInfo:
        """Summary and documentation; the page is read on first use."""
        return _info(cls)

    @classmethod
    def scope(cls) -> Scope:
        """The kernels that `check_kernel` is for."""
        return Scope(cls.languages, cls.vendors, cls.needs)


_INFOS: dict[type[Rule], RuleInfo] = {}


def _clean(text: str) -> str:
    """Like `inspect.cleandoc`, which is 5 ms to import."""
    first, *rest = text.expandtabs().splitlines() or [""]
    margin = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
    return "\n".join((first.lstrip(), *(line[margin:] for line in rest))).strip("\n")


def _info(rule: type[Rule]) -> RuleInfo:
    if rule not in _INFOS:
        text = _clean(rule.__doc__ or "")
        summary = " ".join(text.partition("\n")[0].split())
        read = partial(read_page, rule.__module__, text)
        _INFOS[rule] = RuleInfo(rule.code, rule.name, summary, page_url(rule), rule.severity, rule.precision, read)
    return _INFOS[rule]


def read_page(module: str, docstring: str) -> str:
    """A rule's page: its docstring and, if there is one, the file NAME.md beside its module NAME.

    The module's loader reads it, so that a page is also found in a zip file; the module itself is not executed.
    """
    from importlib.util import find_spec

    try:
        spec = find_spec(module) or find_spec(module.rpartition(".")[0])  # of a retired rule only the page is left
        folder = (spec.origin or "").rpartition(sep)[0] if spec is not None else ""
        data = spec.loader.get_data(f"{folder}{sep}{module.rpartition('.')[2]}.md")  # type: ignore[union-attr]
    except (ImportError, ValueError, AttributeError, OSError):  # no such module, no spec, no such ability, no such file
        return in_reading_order(docstring)
    return in_reading_order(f"{docstring}\n\n{data.decode('utf-8').strip()}")


def in_reading_order(page: str) -> str:
    """A page with the sections first that say what to do; the others follow as their author has them."""
    from re import split  # a run that shows no page needs no regular expression here

    head, *sections = split(r"(?m)^(?=## )", page)
    titles = [f"## {title}\n" for title in READ_FIRST]
    first = [section for title in titles for section in sections if section.startswith(title)]
    ordered = (head, *first, *(section for section in sections if section not in first))
    return "\n\n".join(part.strip("\n") for part in ordered if part.strip())


def page_url(rule: type[Rule]) -> str:
    """Where a rule's page can be read on the web; empty for a plugin's rule that does not say."""
    built_in = rule.__module__.startswith("regpress_rules.")
    return rule.url or (f"{DOCUMENTATION_URL}{rule.name}" if built_in else "")
