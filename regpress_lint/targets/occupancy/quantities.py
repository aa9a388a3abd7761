"""Input and output of the occupancy calculator: the architecture, the kernel's use of it, and the answer.

One vocabulary for three vendors: a *wave* is a wavefront, a warp or an Intel hardware thread; a *SIMD* is an AMD
SIMD, an NVIDIA sub-partition or an Intel XVE; a *unit* is what a work-group stays on (CU or WGP, SM, Xe-core); *LDS*
is shared or shared local memory.
"""

from __future__ import annotations

from regpress_lint.core.named import Literal, NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

Vendor = Literal["amd", "nvidia", "intel"]
Resource = Literal["registers", "sgprs", "lds_bytes", "block_size"]

_NONE: Mapping[int, int] = {}
RESOURCES: tuple[Resource, ...] = ("registers", "sgprs", "lds_bytes", "block_size")


class UnknownArchitectureError(ValueError):
    """The name is neither an architecture nor an alias of one; ``suggestion`` is the closest known name, if any is
    close.
    """

    def __init__(self, name: str, suggestion: str | None) -> None:
        hint = f"; did you mean '{suggestion}'?" if suggestion else "; see 'regpress-lint targets'"
        super().__init__(f"unknown architecture '{name}'{hint}")
        self.name = name
        self.suggestion = suggestion


class Mode(NamedTuple):
    """How a work-group sees the hardware: ``cu`` or ``wgp`` on RDNA, one mode elsewhere."""

    name: str
    simds: int
    """SIMDs that share a work-group."""
    lds_bytes: int
    """LDS of the unit that the hardware hands out."""
    barrier_slots: int | None
    """Barriers of the unit; None where nothing counts them."""
    compiler_lds_bytes: int
    """LDS of the unit as the compiler assumes it (differs on gfx6 only)."""


class GrfMode(NamedTuple):
    """An Intel register mode: GRF registers of a hardware thread, their size, and the hardware threads of an XVE that
    it leaves.
    """

    registers: int
    bytes_per_register: int
    waves_per_simd: int


class Architecture(NamedTuple):
    """Every limit that decides how many waves are resident. Sizes in bytes; mappings are keyed by the wave size.

    Registers are counted per lane (AMD, granule too) or per warp (NVIDIA: ``regs_per_simd`` and ``reg_granule`` are
    32-bit registers of the whole warp). On Intel they are a mode (``grf_modes``) and never limit waves one by one.
    """

    name: str
    vendor: Vendor
    title: str
    wave_sizes: tuple[int, ...]
    default_wave_size: int
    modes: tuple[Mode, ...]
    max_waves_per_simd: int
    max_regs_per_thread: int
    lds_max_per_group: int
    aliases: tuple[str, ...] = ()
    verified: bool = True
    """The program that the vendor's GPUs are compared with knows this one."""
    fast_fp64: bool = False
    max_threads_per_group: int = 1024
    max_groups_per_unit: int | None = None
    counts_barriers: bool = True
    """How many barriers a block uses limits how many blocks are resident."""
    prints_occupancy: bool = False
    """The compiler says waves per SIMD itself (clang's remark ``kernel-resource-usage``)."""
    chooses_wave: bool = False
    """The compiler chooses the size of a kernel's waves unless the kernel requires one (IGC); elsewhere the build does,
    for all of them."""
    regs_per_simd: Mapping[int, int] = _NONE
    reg_granule: Mapping[int, int] = _NONE
    acc_regs: Literal["none", "separate", "unified"] = "none"
    sgprs_per_simd: int | None = None
    sgpr_granule: int = 1
    max_sgprs: int = 0
    sgpr_table: tuple[tuple[int, int], ...] = ()
    lds_granule: int = 1
    lds_sizes: tuple[int, ...] = ()
    lds_static_max: int | None = None
    lds_reserved_per_group: int = 0
    lds_carveouts: tuple[int, ...] = ()
    grf_modes: tuple[GrfMode, ...] = ()
    regs_per_group: int | None = None
    launch_max_regs: int = 0
    launch_check_simds: int = 0
    runtime_max_waves_per_simd: int | None = None
    runtime_sgpr_granule: int = 1
    runtime_barrier_slots: int | None = None
    sources: tuple[tuple[str, str], ...] = ()
    """(name of the number in the data file, where it is from), for every number of the vendor's table."""
    checks: tuple[tuple[str, str], ...] = ()
    """(name of the number in the data file, what its effect was compared with); a number without is unverified."""

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def unverified(self) -> tuple[str, ...]:
        """Names of the numbers that rest on their source alone: no vendor's tool was compared."""
        checked = {name for name, _ in self.checks}
        return tuple(name for name, _ in self.sources if name not in checked)

    @property
    def has_clusters(self) -> bool:
        """True where blocks can be launched in clusters: NVIDIA from compute capability 9.0 on."""
        return self.vendor == "nvidia" and self.counts_barriers

    @property
    def has_register_steps(self) -> bool:
        """True where a thread with fewer registers may leave room for a wave more; where they are a mode it spills
        beyond its budget, and loses none.
        """
        return not self.grf_modes

    @property
    def has_scalar_registers(self) -> bool:
        """Whether a wave has separate registers for values that all its threads share, and a kernel counts them."""
        return self.max_sgprs > 0

    def mode(self, name: str) -> Mode:
        """The mode of that name; an architecture with a single mode has it under every name.

        Raises ValueError for an unknown mode of an architecture that has several.
        """
        if len(self.modes) == 1:
            return self.modes[0]
        for mode in self.modes:
            if mode.name == name:
                return mode
        raise ValueError(f"{self.name} has no mode '{name}' (it has {', '.join(m.name for m in self.modes)})")

    def wave_size(self, wanted: int | None) -> int:
        """``wanted`` if the architecture has waves of that size, its usual one for None; else raises ValueError."""
        if wanted is None:
            return self.default_wave_size
        if wanted in self.wave_sizes:
            return wanted
        raise ValueError(f"{self.name} has no waves of {wanted} (it has {', '.join(map(str, self.wave_sizes))})")


class KernelUse(NamedTuple):
    """The resources of one kernel. ``vgprs``: vector registers per thread (Intel: GRF bytes per work-item / 4).

    ``agprs`` and ``sgprs``: AMD, per wave, SGPRs as the compiler reports them (VCC and its like included).
    ``lds_bytes``: static and dynamic LDS of a work-group. ``barriers``: barriers it uses (Intel: 0 lifts the barrier
    limit). ``carveout``: NVIDIA, percent of the memory preferred as shared, -1 for the driver's default. ``grf``:
    Intel, 128 or 256. ``mode``: ``cu`` or ``wgp``, read on RDNA only. ``cluster``: NVIDIA from sm_90 on, blocks of a
    cluster; it changes nothing on one SM, see ``clusters``.
    """

    vgprs: int = 0
    agprs: int = 0
    sgprs: int = 0
    lds_bytes: int = 0
    block_size: int = 256
    wave_size: int | None = None
    barriers: int = 1
    carveout: int = -1
    grf: int = 128
    mode: str = "cu"
    cluster: int = 1


class Occupancy(NamedTuple):
    """Whole work-groups resident on a unit and what holds them there.

    ``limiters`` names every limit that equals ``groups`` (ties are common): ``waves`` (wave slots, and threads a
    group may have), ``registers``, ``sgprs``, ``lds``, ``groups`` (group slots), ``barriers``. ``per_limiter`` has
    the groups each would admit, None for a limit that does not apply. ``impossible`` says why when not one group
    fits.
    """

    groups: int
    waves: int
    simds: int
    max_waves: int
    limiters: tuple[str, ...]
    per_limiter: Mapping[str, int | None]
    impossible: str | None = None

    def __hash__(self) -> int:
        return hash((self.groups, self.waves, self.simds, self.max_waves, self.limiters, self.impossible))

    @property
    def waves_per_simd(self) -> Fraction:
        """Resident waves over the SIMDs of the unit, exact."""
        from fractions import Fraction

        return Fraction(self.waves, self.simds)

    @property
    def max_waves_per_simd(self) -> int:
        """Waves that a SIMD can hold."""
        return self.max_waves // self.simds

    @property
    def fraction(self) -> float:
        """Resident waves over the waves that the unit can hold, 0 to 1."""
        return self.waves / self.max_waves


class Step(NamedTuple):
    """Using ``value`` of ``resource`` (and not one more) leaves ``waves_per_simd``."""

    resource: Resource
    value: int
    waves_per_simd: Fraction


def align_up(value: int, granule: int) -> int:
    """The smallest multiple of ``granule`` that is not below ``value``."""
    return -(-value // granule) * granule


def waves_of(block_size: int, wave_size: int) -> int:
    """Waves of a work-group: the last one may be partly filled."""
    return -(-block_size // wave_size)
