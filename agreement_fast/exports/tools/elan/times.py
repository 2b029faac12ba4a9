"""Times that ELAN does not write: between neighbours, and of annotations with a parent."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["Alignable", "Reference", "inherited", "spread"]

#: The number of passes over the tiers; slots of a tier may depend on those of another.
_ROUNDS = 10

Interval = tuple[int, int]


@dataclass(frozen=True)
class Alignable:
    """An annotation between two time slots."""

    key: str
    begin: str
    end: str


@dataclass(frozen=True)
class Reference:
    """An annotation of an annotation, perhaps one of several in a row."""

    key: str
    tier: int
    parent: str
    previous: str | None


def _cut(begin: int, end: int, count: int) -> list[int]:
    """Return the borders of `count` equal pieces."""
    return [begin + (end - begin) * k // count for k in range(count + 1)]


def spread(times: dict[str, int | None], tiers: Sequence[Sequence[Alignable]]) -> int:
    """Spread slots without a time evenly between their neighbours, as ELAN shows them.

    Neighbours are slots that annotations of the same tier connect. Returns the number of slots that
    got a time.
    """
    done = 0
    for _ in range(_ROUNDS):
        some = sum(_along(times, tier) for tier in tiers)
        done += some
        if not some:
            break
    return done


def _along(times: dict[str, int | None], tier: Sequence[Alignable]) -> int:
    """Spread the slots of one tier."""
    following = {one.begin: one.end for one in tier}
    done = 0
    walked: set[str] = set()
    for one in tier:
        begin, slot, chain = times[one.begin], one.end, []
        if begin is None:
            continue
        while times[slot] is None and slot in following and slot not in walked:
            walked.add(slot)
            chain.append(slot)
            slot = following[slot]
        end = times[slot]
        if not chain or end is None or end < begin:
            continue
        borders = _cut(begin, end, len(chain) + 1)
        times.update(zip(chain, borders[1:-1], strict=True))
        done += len(chain)
    return done


def inherited(
    when: dict[str, Interval], references: Sequence[Reference]
) -> Iterator[tuple[str, Interval]]:
    """Yield references with the times of their parents; chained references divide these."""
    children: dict[str, dict[int, list[Reference]]] = defaultdict(lambda: defaultdict(list))
    for one in references:
        children[one.parent][one.tier].append(one)
    waiting = deque(when.items())
    while waiting:
        key, (begin, end) = waiting.popleft()
        for group in children.pop(key, {}).values():
            shared = any(one.previous is not None for one in group)
            borders = _cut(begin, end, len(group)) if shared else []
            for place, one in enumerate(_in_order(group)):
                own = (borders[place], borders[place + 1]) if shared else (begin, end)
                waiting.append((one.key, own))
                yield one.key, own


def _in_order(group: Sequence[Reference]) -> Sequence[Reference]:
    """Order annotations by their references to the one before, or by position if one is missing."""
    after = {one.previous: one for one in group}
    ordered: list[Reference] = []
    one = after.get(None)
    while one is not None and len(ordered) < len(group):
        ordered.append(one)
        one = after.get(one.key)
    return ordered if len(ordered) == len(group) else group
