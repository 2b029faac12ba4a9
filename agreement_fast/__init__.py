"""Inter-coder agreement for corpora of any size.

Three lines to a number, from a row for each item and a column for each coder:

>>> import agreement_fast as af
>>> data = [["yes", "yes"], ["no", "yes"], ["no", "no"], ["yes", "yes"]]
>>> round(af.alpha(data), 3)
0.533

`read` reads files, and `Annotations` holds judgments in any other form. `agreement_table` has the
usual coefficients, `icc` the intraclass correlations, `bootstrap` an interval, `compare` a
difference, `agreement_by_group` a value for each group, `diagnose` what costs agreement,
`aggregate` one label for each item, and `report` all of it. Further name spaces are inference,
diagnostics, distances, subsets, models, measures, units and plots.

Letters used for shapes everywhere: N items, C coders, K categories, U patterns (distinct rows of
judgments). n_ik is how many coders gave item i category k, n_ck how often coder c used k.

The modules, from input to results:

    reading/         from tables, frames and lists to codes; `recognition` guesses what they hold
    annotations      the judgments of the coders
    patterns         items with the same judgments as one row with a weight
    distances/       the first axis of the cube, and `sums` of distances over patterns
    chance           the second axis, chance models, and the third, the weights of items
    points           a point of the cube, and the table of those with a name
    coefficients     1 − D_o / D_e
    results          floats with their parts

Beside them are units/ (what coders mark themselves: spans, segments, chains, relations, objects),
inference/ (intervals and tests), subsets/ (fewer coders, and simulated ones), diagnostics/ (reasons
for disagreement), models/ (latent classes and traits, one label per item), measures/ (measures
other than agreement), reports/ (as text, as one file of HTML, and `plots`), files/ (tables, and
exports of annotation tools), present/ (sections, tables, text, HTML and JSON of results) and cli/.
errors and options hold what every function says about its arguments. _kernels/ holds the compiled
modules, with arrays, threads and quantiles.
"""

import importlib.util
import sys
from pkgutil import extend_path
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from agreement_fast import diagnostics as diagnostics
    from agreement_fast import distances as distances
    from agreement_fast import inference as inference
    from agreement_fast import measures as measures
    from agreement_fast import models as models
    from agreement_fast import plots as plots
    from agreement_fast import subsets as subsets
    from agreement_fast import units as units
    from agreement_fast.annotations import Annotations as Annotations
    from agreement_fast.coefficients import ac as ac
    from agreement_fast.coefficients import agreement as agreement
    from agreement_fast.coefficients import agreement_table as agreement_table
    from agreement_fast.coefficients import alpha as alpha
    from agreement_fast.coefficients import alpha_prime as alpha_prime
    from agreement_fast.coefficients import beta as beta
    from agreement_fast.coefficients import brennan_prediger as brennan_prediger
    from agreement_fast.coefficients import cohen_kappa as cohen_kappa
    from agreement_fast.coefficients import fleiss_kappa as fleiss_kappa
    from agreement_fast.coefficients import gwet_ac1 as gwet_ac1
    from agreement_fast.coefficients import kappa as kappa
    from agreement_fast.coefficients import krippendorff_alpha as krippendorff_alpha
    from agreement_fast.coefficients import observed_agreement as observed_agreement
    from agreement_fast.coefficients import pi as pi
    from agreement_fast.coefficients import s as s
    from agreement_fast.coefficients import weighted_kappa as weighted_kappa
    from agreement_fast.diagnostics.diagnosis import diagnose as diagnose
    from agreement_fast.errors import AgreementError as AgreementError
    from agreement_fast.errors import Hint as Hint
    from agreement_fast.errors import LabelHint as LabelHint
    from agreement_fast.errors import ReadHint as ReadHint
    from agreement_fast.errors import ShapeHint as ShapeHint
    from agreement_fast.files.exports.reading import read as read
    from agreement_fast.inference.bootstrapping import bootstrap as bootstrap
    from agreement_fast.inference.comparison import compare as compare
    from agreement_fast.inference.groups import agreement_by_group as agreement_by_group
    from agreement_fast.measures.correlations import icc as icc
    from agreement_fast.models.aggregation import aggregate as aggregate
    from agreement_fast.points import COEFFICIENTS as COEFFICIENTS
    from agreement_fast.points import Coefficient as Coefficient
    from agreement_fast.reading.joining import concat as concat
    from agreement_fast.reports.content import report as report
    from agreement_fast.reports.paper import citation as citation
    from agreement_fast.results import Result as Result
    from agreement_fast.results import UndefinedError as UndefinedError

#: The only place of the version: the build reads it here, and an import of `importlib.metadata`
#: would take longer than the rest of this module.
__version__ = "0.1.0"

# A checkout found before the installed package would lack the compiled modules.
__path__ = extend_path(__path__, __name__)

#: Public names by their modules, which are loaded on first use: `import agreement_fast` and the
#: command's help load nothing else.
_HOMES = {
    "annotations": "Annotations",
    "coefficients": (
        "ac agreement agreement_table alpha alpha_prime beta brennan_prediger cohen_kappa "
        "fleiss_kappa gwet_ac1 kappa krippendorff_alpha observed_agreement pi s weighted_kappa"
    ),
    "errors": "AgreementError Hint LabelHint ReadHint ShapeHint",
    "reading.joining": "concat",
    "points": "COEFFICIENTS Coefficient",
    "results": "Result UndefinedError",
    "files.exports.reading": "read",
    "inference.bootstrapping": "bootstrap",
    "inference.comparison": "compare",
    "inference.groups": "agreement_by_group",
    "diagnostics.diagnosis": "diagnose",
    "measures.correlations": "icc",
    "models.aggregation": "aggregate",
    "reports.content": "report",
    "reports.paper": "citation",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

#: Name spaces: modules that are attributes, loaded on first use.
_SPACES = (
    "diagnostics",
    "distances",
    "inference",
    "measures",
    "models",
    "plots",
    "subsets",
    "units",
)


class _Space(ModuleType):
    """A name space: its functions stand before modules of the same name."""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and name in self.__all__:
            value = _load("options").answering(getattr(value, name), self.__name__)
        super().__setattr__(name, value)

    def __call__(self, *args: Any, **keywords: Any) -> NoReturn:
        raise _load("errors").InputTypeError(
            f"{self.__name__.replace('agreement_fast', 'af')} is a name space, not a function",
            f"its functions are {', '.join(self.__all__)}",
        )


def lookups(space: str, homes: dict[str, str] | None = None) -> tuple[Any, Any]:
    """Make `__getattr__` and `__dir__` of a name space, which say where a missing name is.

    Its functions then answer keywords of other programs. Those that `homes` lists by their modules
    are loaded on first use. A type checker must not see the two: it would accept every name.
    """
    module = sys.modules[space]
    home_of = {name: home for home, names in (homes or {}).items() for name in names.split()}
    module.__class__ = _Space
    if homes is None:
        _load("options").answer_keywords(module)
    else:
        vars(module)["__all__"] = sorted(home_of)

    def missing(name: str) -> Any:
        if name not in home_of:
            raise _missing(space, name)
        home = _load(f"{space.partition('.')[2]}.{home_of[name]}")
        result = _load("options").answering(getattr(home, name), space)
        setattr(module, name, result)
        return result

    return missing, lambda: sorted(module.__all__)


def _missing(space: str, name: str) -> AttributeError | ImportError:
    """Make the error of a name that is looked up two calls above this one.

    `from agreement_fast import ...` drops what an AttributeError says.
    """
    frame = sys._getframe(2)
    if frame.f_code.co_name == "_handle_fromlist":  # which looks here before it loads a module
        return AttributeError(name)
    advice = _meant(space, name)
    if _imports(frame):
        return ImportError(f"cannot import name {name!r} from {space!r}{advice}", name=name)
    return AttributeError(f"module {space!r} has no attribute {name!r}{advice}")


def _imports(frame: FrameType) -> bool:
    """Whether a frame is at the second word of `from module import name`."""
    from opcode import opname

    return opname[frame.f_code.co_code[frame.f_lasti]] == "IMPORT_FROM"


def _load(module: str) -> Any:
    try:
        return importlib.import_module(f"agreement_fast.{module}")
    except ModuleNotFoundError as error:
        if str(error.name).startswith("agreement_fast._"):
            error.add_note("The compiled kernels are missing: install with `pip install .`")
        raise


def _meant(space: str, name: str) -> str:
    """Suggest what may be meant: a coefficient, a name of another name space, or the nearest."""
    if name.startswith("_") or not name.isidentifier():
        return ""
    points = _load("points")
    if points.is_known(name):
        ours = points.named(name).name
        if space == "agreement_fast.units":
            return f": for units use af.agreement(continuum, 'u_alpha'); for items af.{ours}(data)"
        graded = ", 'quadratic'" if points.normal(name) in points.WEIGHTED_ALIASES else ""
        return f": use af.{ours}(data{graded}) or af.agreement(data, {name!r}{graded})"
    public = {"af": _listed()} | {f"af.{other}": _load(other).__all__ for other in _SPACES}
    makers = [maker for maker in vars(_load("annotations").Annotations) if maker[:5] == "from_"]
    public["af.Annotations"] = makers
    own = space.replace("agreement_fast", "af")
    inside = [entry for entry in public[own] if name in entry.split("_")]
    if own != "af" and len(inside) == 1:
        return f": did you mean {own}.{inside[0]}?"
    distance = name.removesuffix("_distance").removesuffix("_metric")
    if name not in public["af"] and (other := points.elsewhere(distance)) is not None:
        return f": it is {other}"
    if distance in public["af.distances"] and not callable(getattr(_load("distances"), distance)):
        return f": it is a distance; use af.alpha(data, {distance!r})"
    if homes := [f"{home}.{name}" for home, names in public.items() if name in names]:
        return f": use {' or '.join(homes)}"
    if near := _nearest(name, own, public[own]):
        return near
    if (near := points.nearest(name)) is not None:
        return f": did you mean af.agreement(data, {near!r})?"
    near = next(filter(None, (_nearest(name, *names) for names in public.items())), "")
    return near or f": its names are {', '.join(public[own])}"


def _nearest(name: str, space: str, names: list[str]) -> str:
    from difflib import get_close_matches

    return "".join(
        f": did you mean {space}.{near}?" for near in get_close_matches(name, names, 1, cutoff=0.75)
    )


def _listed() -> list[str]:
    return sorted({*_HOME_OF, *_SPACES, "__version__"})


def _loaded(name: str) -> Any:
    if name in _SPACES:
        return _load(name)
    if name in _HOME_OF:
        item = getattr(_load(_HOME_OF[name]), name)
        result = globals()[name] = _load("options").answering(item, __name__)
        return result
    raise _missing(__name__, name)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _loaded, _listed
    # A type checker takes computed names for none.
    __all__ = _listed()
