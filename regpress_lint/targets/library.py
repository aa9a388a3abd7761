"""The functions of the math libraries: names, properties and the family that sets the cost, in one table.

The costs of a family for each compiler are in `costs`; look up names here.
"""

from __future__ import annotations

from regpress_lint.core.named import NamedTuple

# Name in double precision, family in `costs.COSTS`, rough instructions as far as they decide whether a loop is copied
# (`costs.call_size`; 60 for a routine whose loop nobody compiled, 0 for a few instructions), and words:
#   transcendental  made in the type of its argument, many instructions
#   light           works on the values that it is given, few instructions
#   costly          costs much more in double than in single precision
#   free            free or nearly in both precisions
#   typed, integral the result follows the arguments; of `integral` also where these are integers
#   plain, single   an instruction or two for every compiler; `single` has a form with an `f`, too
_TABLE = """
acos       asin     60  transcendental costly typed
asin       asin     60  transcendental costly typed
acosh      asinh    60  transcendental costly typed
asinh      asinh    60  transcendental costly typed
atanh      asinh    60  transcendental costly typed
atan       atan     60  transcendental costly typed
atan2      atan2    60  transcendental costly typed
cbrt       cbrt     60  transcendental costly typed
erf        erf      60  transcendental costly typed
erfc       erfc     60  transcendental costly typed
erfinv     erfc      0  transcendental costly
exp        exp      30  transcendental costly typed
exp10      exp      60  transcendental costly typed
exp2       exp      60  transcendental costly typed
expm1      expm1    60  transcendental costly typed
j0         j0       60  transcendental costly
j1         j0       60  transcendental costly
jn         j0       60  transcendental
y0         j0       60  transcendental costly
y1         j0       60  transcendental costly
yn         j0       60  transcendental
lgamma     lgamma   60  transcendental costly typed
log        log      30  transcendental costly typed
log10      log      60  transcendental costly typed
log2       log      60  transcendental costly typed
log1p      log1p    60  transcendental costly typed
pow        pow     150  transcendental costly typed
cos        sin      90  transcendental costly typed
sin        sin      90  transcendental costly typed
sincos     sincos  110  transcendental
cosh       sinh     60  transcendental costly typed
sinh       sinh     60  transcendental costly typed
cospi      sinpi     0  transcendental costly typed
sinpi      sinpi     0  transcendental costly typed
tan        tan     110  transcendental costly typed
tanh       tanh     60  transcendental costly typed
tgamma     tgamma   60  transcendental costly typed
cyl_bessel_i0 cyl_bessel_i0 60 transcendental costly
cyl_bessel_i1 cyl_bessel_i1 60 transcendental costly
normcdfinv normcdfinv 60 transcendental costly
rcbrt      cbrt      0
erfcinv    erfc      0
erfcx      erfc      0
normcdf    erfc      0
fmod       fmod     60  light costly typed
remainder  fmod      0  typed
hypot      hypot     0  light costly typed
norm3d     hypot     0  light
norm4d     hypot     0  light
rnorm3d    hypot     0  light
rnorm4d    hypot     0  light
rhypot     hypot     0  light
powi       pow       0
pown       pow       0  typed
powr       pow      60  typed
round      round     0  light free typed single
rsqrt      rsqrt     0  light costly typed single
sincospi   sinpi     0
tanpi      sinpi     0
sqrt       sqrt      0  light costly typed single
abs        -         0  light free integral plain
ceil       -         0  light free typed single
copysign   -         0  light typed single
fabs       -         0  light free typed single
floor      -         0  light free typed single
fma        -         0  light free typed single
fmax       -         0  light free typed single
fmin       -         0  light free typed single
isfinite   -         0  light plain
isinf      -         0  light plain
isnan      -         0  light plain
ldexp      -         0  light typed single
max        -         0  light free integral plain
min        -         0  light free integral plain
rint       -         0  light free typed single
trunc      -         0  light free typed single
clamp      -         0  integral plain
cross      -         0  plain
dot        -         0  plain
fdim       -         0  single
frexp      -         0  single
ilogb      -         0  single
labs       -         0  plain
length     -         0  plain
llabs      -         0  plain
llrint     -         0  single
llround    -         0  single
logb       -         0  single
lrint      -         0  single
lround     -         0  single
mad        -         0  integral plain
mad24      -         0  plain
mix        -         0  integral plain
modf       -         0  single
mul24      -         0  plain
nan        -         0  single
nearbyint  -         0  single
nextafter  -         0  single
normalize  -         0  plain
scalbln    -         0  single
scalbn     -         0  single
sign       -         0  integral
signbit    -         0  plain
step       -         0  typed
umax       -         0  plain
umin       -         0  plain
"""


class MathFunction(NamedTuple):
    """One row of the table; family is empty where no compiler calls a routine."""

    name: str
    family: str
    size: int
    words: frozenset[str]


def _row(line: str) -> MathFunction:
    name, family, size, *words = line.split()
    if not size.isdecimal():
        raise ValueError(f'targets/library.py: "{line}" has no number of instructions in its third column')
    return MathFunction(name, family.strip("-"), int(size), frozenset(words))


# Functions of halves (cuda_fp16.h, cuda_bf16.h, hip_fp16.h): nvcc 13.0 and clang 19 inline each as a few instructions.
_OF_HALVES = (
    *("ceil", "cos", "exp", "exp10", "exp2", "floor", "log", "log10", "log2", "rcp", "rint", "rsqrt", "sin", "sqrt"),
    *("tanh", "tanh_approx", "trunc"),
)

MATH = {row.name: row for row in map(_row, _TABLE.strip().splitlines())}
MATH |= {
    prefix + name: MathFunction(prefix + name, "", 0, frozenset(("plain", "typed")))
    for prefix in ("h", "h2")
    for name in _OF_HALVES
}


def named(*words: str) -> frozenset[str]:
    """Names of the functions that have one of these words."""
    return frozenset(row.name for row in MATH.values() if not row.words.isdisjoint(words))


FAMILIES = {row.name: row.family for row in MATH.values() if row.family}
SIZES = {row.name: row.size for row in MATH.values() if row.size}
TRANSCENDENTAL = named("transcendental")
TYPED = named("typed", "integral")
PLAIN = named("plain", "single") | frozenset(f"{name}f" for name in named("single"))
