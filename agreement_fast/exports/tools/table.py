"""The tools whose exports are read, in the order in which they are tried."""

from __future__ import annotations

from agreement_fast.exports.tool import Tool
from agreement_fast.exports.tools.appen import Appen
from agreement_fast.exports.tools.argilla import Argilla
from agreement_fast.exports.tools.brat import Brat
from agreement_fast.exports.tools.cas import Cas, WebAnno
from agreement_fast.exports.tools.conll import Conll
from agreement_fast.exports.tools.covidence import Covidence
from agreement_fast.exports.tools.doccano import Doccano
from agreement_fast.exports.tools.elan import Elan
from agreement_fast.exports.tools.inception import Inception
from agreement_fast.exports.tools.inspect_ai import Inspect
from agreement_fast.exports.tools.label_studio import LabelStudio
from agreement_fast.exports.tools.lm_eval import LMEval
from agreement_fast.exports.tools.mturk import MTurk
from agreement_fast.exports.tools.potato import Potato
from agreement_fast.exports.tools.prodigy import Prodigy
from agreement_fast.exports.tools.rayyan import Rayyan
from agreement_fast.exports.tools.refi import Refi
from agreement_fast.exports.tools.textgrid import PraatTextGrid

__all__ = ["TOOLS"]

TOOLS: tuple[Tool, ...] = (
    # Projects contain files of other tools.
    Inception(),
    Refi(),
    Inspect(),
    WebAnno(),
    Cas(),
    Elan(),
    PraatTextGrid(),
    Brat(),
    Potato(),
    LabelStudio(),
    Prodigy(),
    Argilla(),
    Doccano(),
    LMEval(),
    Rayyan(),
    Covidence(),
    MTurk(),
    Appen(),
    # Columns without names resemble many other files.
    Conll(),
)
