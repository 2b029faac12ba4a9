"""The tools whose exports are read, in the order in which they are tried."""

from __future__ import annotations

from agreement_fast.exports.tool import Tool
from agreement_fast.exports.tools.label_studio import LabelStudio
from agreement_fast.exports.tools.prodigy import Prodigy

__all__ = ["TOOLS"]

TOOLS: tuple[Tool, ...] = (LabelStudio(), Prodigy())
from agreement_fast.exports.tools.brat import Brat
from agreement_fast.exports.tools.conll import Conll
from agreement_fast.exports.tools.doccano import Doccano
from agreement_fast.exports.tools.potato import Potato

__all__ = ["TOOLS"]

TOOLS: tuple[Tool, ...] = (Brat(), Doccano(), Potato(), Conll())
from agreement_fast.exports.tools.cas import Cas, WebAnno
from agreement_fast.exports.tools.inception import Inception
from agreement_fast.exports.tools.refi import Refi

__all__ = ["TOOLS"]

# Projects hold files of the tools behind them.
TOOLS: tuple[Tool, ...] = (Inception(), Refi(), WebAnno(), Cas())
from agreement_fast.exports.tools.appen import Appen
from agreement_fast.exports.tools.argilla import Argilla
from agreement_fast.exports.tools.covidence import Covidence
from agreement_fast.exports.tools.elan import Elan
from agreement_fast.exports.tools.inspect_ai import Inspect
from agreement_fast.exports.tools.lm_eval import LMEval
from agreement_fast.exports.tools.mturk import MTurk
from agreement_fast.exports.tools.rayyan import Rayyan
from agreement_fast.exports.tools.textgrid import PraatTextGrid

__all__ = ["TOOLS"]

TOOLS: tuple[Tool, ...] = (
    Elan(),
    PraatTextGrid(),
    Rayyan(),
    Covidence(),
    MTurk(),
    Appen(),
    Argilla(),
    Inspect(),
    LMEval(),
)
