"""The tools whose exports are read, in the order in which they are tried."""

from __future__ import annotations

from agreement_fast.exports.tool import Tool
from agreement_fast.exports.tools.cas import Cas, WebAnno
from agreement_fast.exports.tools.inception import Inception
from agreement_fast.exports.tools.refi import Refi

__all__ = ["TOOLS"]

# Projects hold files of the tools behind them.
TOOLS: tuple[Tool, ...] = (Inception(), Refi(), WebAnno(), Cas())
