"""Reads pages as a browser would, and holds them against what every page must keep."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from itertools import pairwise

#: Elements without an end.
VOID = {"meta", "input", "br", "line", "rect", "circle", "path", "img", "link"}

#: What labels, names and texts of strangers may hold.
HOSTILE = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "{{ 7 * 7 }}{% raw %}",
    "<!--",
    "&lt;b&gt;",
    "a\u202eb",
    "مرحبا",
    "👩\u200d👩\u200d👧",
    "=cmd|' /C calc'!A0",
    "\ud800",
    "\x00\x1b[31m",
    "",
    "javascript:alert(1)",
]


class Page(HTMLParser):
    """The elements of a page: tag, attributes, text below it."""

    def __init__(self, markup):
        super().__init__(convert_charrefs=True)
        self.open = []
        self.elements = []
        self.faults = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag, attributes):
        element = {"tag": tag, "text": "", **dict(attributes)}
        element["inside"] = [one["tag"] for one in self.open]
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1]["tag"] != tag:
            self.faults.append(f"</{tag}> in {[one['tag'] for one in self.open]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        for one in self.open:
            one["text"] += data

    def all(self, tag, **attributes):
        return [
            one
            for one in self.elements
            if one["tag"] == tag and all(one.get(k) == v for k, v in attributes.items())
        ]

    def section(self, name):
        (one,) = [one for one in self.elements if one.get("id") == name]
        return one["text"]

    def data(self, name):
        (one,) = self.all("script", id=name)
        return json.loads(one["text"])


def checked(markup, kilobytes=400):
    """Read a page, and assert what must hold of every page."""
    assert len(markup.encode()) <= kilobytes * 1000
    page = Page(markup)
    assert page.faults == []
    assert page.open == []
    # Nothing comes from elsewhere, and nothing runs but the page's own script.
    for one in page.elements:
        assert not {"src", "style", "srcset", "background"} & one.keys(), one["tag"]
        assert not any(name.startswith("on") for name in one), one["tag"]
        assert one["tag"] not in {"img", "link", "iframe", "object", "embed", "base", "form action"}
    for one in page.all("a"):
        assert one["href"].startswith("#") or re.match(r"https?://", one["href"])
    (policy,) = [
        one["content"] for one in page.all("meta", **{"http-equiv": "Content-Security-Policy"})
    ]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    (script,) = [one for one in page.all("script") if "type" not in one]
    (style,) = page.all("style")
    assert re.findall(r"(\w+)-src '(sha256-[^']+)'", policy) == [
        ("style", hashed(style["text"])),
        ("script", hashed(script["text"])),
    ]
    # It can be found in, listened to and walked through.
    ids = [one["id"] for one in page.elements if "id" in one]
    assert len(ids) == len(set(ids))
    for one in page.all("a"):
        assert not one["href"].startswith("#") or one["href"][1:] in ids
    levels = [int(one["tag"][1]) for one in page.elements if re.fullmatch("h[1-6]", one["tag"])]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))
    assert all(one.get("scope") in ("row", "col") for one in page.all("th"))
    assert len(page.all("caption")) == len(page.all("table"))
    assert all(one.get("type") == "button" for one in page.all("button"))
    for one in page.all("svg"):
        assert one.get("aria-hidden") == "true" or (one["role"] == "img" and one["aria-label"])
    for one in page.elements:
        for name in ("aria-labelledby", "data-copy"):
            assert one.get(name, ids[0]) in ids
    return page


def hashed(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
