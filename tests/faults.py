"""Faults that the tests must notice: put each one into a copy of the project, and run its tests.

A row of FAULTS says what is changed where and which tests are to fail. By hand:

    python tests/faults.py                  all of them (an hour or two)
    python tests/faults.py --only hot.h     those of a file, or of a name
    python tests/faults.py --list           what there is
    python tests/faults.py --draw 100 --seed 4711
                                            faults drawn from the room that recognises tables
                                            (`reading/recognition/draw_faults.py`): the quick tests
                                            run once and tell which of them reach the place of a
                                            fault; each fault then meets these, nearest first
    python tests/faults.py --draw-kernels 40 --seed 29
                                            the same for src/ (`kernels/draw_kernel_faults.py`)

The copy is built once, in build/faults, for one instruction level and without optimising much; then
a fault in src/ costs the compilation of what includes it. The environment must hold what the build
needs (scikit-build-core, cython, cmake, ninja) and no editable install. Where all chosen
faults are in Python, the copy takes the compiled modules of the installed package instead.
"""

# ruff: noqa: E501
import argparse
import ast
import importlib.util
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / room) for room in ("reading/recognition", "kernels")]

from draw_faults import draw  # noqa: E402
from draw_kernel_faults import draw_kernels, modules_of  # noqa: E402

#: Seconds after which tests that go on count as failed.
PATIENCE = 1800


class Fault(NamedTuple):
    """One change: `old`, which occurs once in the file, becomes `new`."""

    path: str
    old: str
    new: str
    #: Arguments of pytest.
    tests: str
    #: The compiled modules that have it, where the file's name does not say so.
    module: str = ""
    #: What is printed, where that is not the change.
    shown: str = ""
    #: Where a drawn fault is.
    line: int = 0


#: All quick tests, and where those of what guesses are, the nearest first.
QUICK = "tests"
NEAR = ("tests/reading/recognition", "tests/reading", "tests/test_read.py", "tests/files", QUICK)
#: So many of the tests that reach a fault are tried before all others that do.
FIRST = 25
#: How a test that fails is listed.
FAILING = re.compile(r"^(?:FAILED|ERROR) (.*?)(?: - |$)", re.MULTILINE)
#: A module that writes down which test reaches which fault, also in a process that it starts.
NOTES = """
import os
seen = set()
def note(fault):
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    if (fault, test) not in seen:
        seen.add((fault, test))
        with open({log!r}, "a", encoding="utf-8") as log:
            print(fault, test, file=log)
"""
#: The quick tests of kernels, and others that concern one of them.
KERNEL_TESTS = "tests/kernels tests/distances/sums"
OF_MODULE = {
    "_values": ["tests/inference/test_score.py", "tests/inference/test_groups.py", "tests/diagnostics/test_intervals.py"],
    "_subsets": ["tests/subsets"], "_majority": ["tests/subsets"], "_latent": ["tests/models"],
    "_labelsets": ["tests/distances", "tests/units"], "_looks": ["tests/reading"],
    "_encode": ["tests/reading", "tests/test_annotations.py"], "_arrow": ["tests/reading"],
    "_texts": ["tests/reading"], "_resample": ["tests/inference"], "_group": ["tests/reading"],
    "_sums": ["tests/independent"], "_patterns": ["tests/inference"],
}  # fmt: skip
KERNELS = "tests/kernels/test_kernels.py"
BYTES = f"{KERNELS} -k 'bytes or range or codes_beyond'"
BESIDE = f"{KERNELS} -k beside"
KEYS = f"{KERNELS} -k 'keys or bytes or counts or words or differ or groups'"
PACKED = "tests/distances/sums/test_routes.py -k packed"
PAIRS = f"{KERNELS} -k 'pairs'"
SUMS = f"{KERNELS} -k 'sizes or disagreement or labels_are or moments or number or rational or nobody_gave'"
OF_TABLE = "tests/inference/test_score.py -k one_pass"
OF_TWO = "tests/diagnostics/test_intervals.py -k 'tables or pair'"
ROW_SUMS = "tests/kernels/test_sums.py"
READING = "tests/kernels/test_reading.py"
LOOKS = "tests/kernels/test_looks.py"
NUMBERED = "tests/kernels/test_numbering.py"
NUMBERS = "tests/reading/test_numbers.py"
JUDGMENTS = f"{KERNELS} -k 'judgments_find or points'"
IDS = "tests/test_annotations.py -k 'names_of_coders'"
JUDGMENTS = f"{KERNELS} -k 'judgments_find or lists or keys_have or repeats_are or points'"
DIGITS = "tests/kernels/test_labelsets.py -k 'keep'"
STEPS = "tests/kernels/test_latent.py"
LEAPS = "tests/models/test_acceleration.py -k references"
WEIGHTS = f"{KERNELS} -k 'weights'"
VALUES = "tests/kernels/test_subsets.py"
HOT = "src/hot.h"
MAJORITY = "src/majority.h"
SETS = "src/labelsets.h"
SUBSETS = "src/subsets.h"
COPIES = "src/resample.h"
RESAMPLES = "tests/kernels/test_resample.py"
SHARED_SUBSETS = "src/set_pairs.h"
LISTS = "tests/kernels/test_labelsets.py -k 'rows_of_lists'"
SHARED = "tests/kernels/test_labelsets.py -k 'shared'"
ENCODE = "src/_encode.pyx"
GROUP = "src/_group.pyx"
HASHES = "tests/kernels/test_hashes.py"
ARROW = "src/_arrow.pyx"
ARROWS = "tests/kernels/test_arrow.py"
LATENT = "src/_latent.pyx"
E_STEP = "src/latent.h"
PATTERNS = "src/_patterns.pyx"
EQUAL = "src/numbering.h"
ARROW_TEXTS = "src/arrow.h"
TEXTS = "src/_texts.pyx"
CODED = "agreement_fast/reading/labels.py"
OVER_ROWS = "src/_sums.pyx"
STABILITY = (
    "tests/kernels/test_majority.py tests/subsets/test_reference_stability.py "
    "-k 'subsets_move or no_set or moves_lead or gathered or closed_form or every_subset_of_eight'"
)
LABELSETS = (
    "tests/kernels/test_labelsets.py tests/distances/test_sets.py tests/distances/test_set_labels.py "
    "-k 'keep or by_place or every_pair_of_subsets or masks_and_lists or spans_are or deviating'"
)
FINDINGS = "tests/diagnostics/test_finding_thresholds.py tests/diagnostics/test_findings.py"
BOOTSTRAP = (
    "tests/inference/test_bootstrap.py tests/inference/test_delta_method.py "
    "--deselect tests/inference/test_bootstrap.py::test_ctrl_c_is_heard"
)
REPORT = "tests/reports/test_report.py"
TEXT = "agreement_fast/reports/text.py"

GROUPS = "tests/inference/test_groups.py"
GROUP_STUDY = "agreement_fast/inference/groups.py"
FAULTS = [
    # groups of items
    Fault("agreement_fast/reading/groups.py", "keys = groups.codes * len(items) + codes", "keys = groups.codes + codes", GROUPS),
    Fault("agreement_fast/reading/groups.py", "codes * len(labels) + own", "codes * len(names) + own", GROUPS),
    Fault("agreement_fast/reading/groups.py", "np.argsort(order)[codes]", "np.array(order)[codes]", GROUPS),
    Fault(GROUP_STUDY, "        codes = codes[order]\n", "", GROUPS),
    Fault(GROUP_STUDY, "last = max(first + int(fit), first + 1)", "last = max(first + int(fit), first + 2)", GROUPS),
    Fault(GROUP_STUDY, "own = Groups(codes[start[first] : start[last]] - first, last - first)", "own = Groups(codes[start[first] : start[last]] * 0, last - first)", GROUPS),
    Fault(GROUP_STUDY, "block.counted(2 if point.of_pairs else 1)", "block.counted(1)", GROUPS),
    Fault("agreement_fast/inference/closed_form.py", "error[2 * error <= ROUNDING * np.maximum(1.0, np.abs(value))] = 0.0", "", "tests/inference/test_no_width.py"),
    Fault(GROUP_STUDY, "np.repeat(np.cumsum(n) - n, n)", "0", GROUPS),
    Fault(GROUP_STUDY, "least = np.maximum(1, of_group)\n", "least = of_group * 0 + 1\n", GROUPS),
    Fault(GROUP_STUDY, "least = np.maximum(1, present.sum(1))\n", "least = present.sum(1) * 0 + 1\n", GROUPS),
    Fault(GROUP_STUDY, "numbers - origin[groups.codes, None]", "numbers", GROUPS),
    Fault(GROUP_STUDY, "weights if order is None or weights is None else weights[order]", "weights", GROUPS),
    Fault("src/_resample.pyx", "own[codes[i]] - own[codes[start[row]]], 1.0", "own[codes[i]], 1.0", GROUPS),
    Fault("src/_patterns.pyx", "until = min(row + 65535 // n_coders, rows.last)", "until = min(row + 65535 // n_coders + 1, rows.last)", BESIDE),
    Fault("src/_patterns.pyx", "counts[n - 1] += count", "counts[n - 1] += 1", f"{KERNELS} -k cells_of_pairs"),
    Fault("src/_patterns.pyx", "out[t] = total - most", "out[t] = total - most // 2", f"{KERNELS} -k cells_of_pairs"),
    Fault("src/interval.h", "squares = 2 * fourth + 6 * second * second", "squares = 2 * fourth + 5 * second * second", "tests/diagnostics/test_diagnostics.py -k without_a_kernel", "_values"),
    Fault(HOT, "codes[i] - gap", "codes[i] - 1", "tests/kernels/test_looks.py -k numbered", "_looks"),
    Fault("src/_patterns.pyx", "own[labels[k]] += weighted[k]", "own[labels[k]] += counts[labels[k]]", BESIDE),
    Fault("src/_patterns.pyx", "rows.c.width < 256 and rows.c.bytes == 1", "rows.c.bytes == 1", BESIDE),
    Fault("src/_patterns.pyx", "if size < n_coders or not by_most:", "if not by_most:", BESIDE),
    Fault("src/_resample.pyx", "sums = &out[groups[row], 0]", "sums = &out[groups[0], 0]", GROUPS),
    Fault("src/_resample.pyx", "sums[bins[i]] += factors[row] * weights[row]", "sums[bins[i]] += factors[row]", GROUPS),
    Fault("agreement_fast/inference/derivatives.py", "plain[2] = -(by_item", "plain[2] = -0 * (by_item", "tests/inference/test_delta_method.py -k 'a_document'"),
    Fault("src/interval.h", "gap = of_rows[2 * i + k] - mean[k]", "gap = of_rows[2 * i + k]", GROUPS, "_values"),
    Fault("agreement_fast/inference/closed_form.py", "np.where(n > 1, n / (n - 1), np.nan)", "np.where(n > 1, 1.0, np.nan)", GROUPS),
    Fault("agreement_fast/inference/derivatives.py", "model.rank_slope(marginals, ranks) * rate", "0 * ranks * rate", GROUPS),
    Fault("agreement_fast/inference/derivatives.py", "by_rank += 4 * weight", "by_rank += 0 * weight", "tests/inference/test_score.py"),
    Fault("src/_values.pyx", "variance = every * total / (total - 1)", "variance = every", "tests/inference/test_score.py"),
    Fault("src/_values.pyx", "counted if counted < n - 1 else n - 1", "n - 1", "tests/inference/test_score.py"),
    Fault("src/interval.h", "4 * (m - 2) * first + 2 * second", "4 * (m - 2) * first + second", "tests/inference/test_score.py", "_values"),
    Fault("src/_values.pyx", "own[g] if own is not None else 0.0", "0.0", "tests/inference/test_score.py"),
    Fault("agreement_fast/inference/score.py", "used |= used.sum(-1, keepdims=True) == 1", "pass", "tests/diagnostics/test_intervals.py"),
    Fault("agreement_fast/chance.py", "of_coders = _by_rank(each, np.expand_dims(ranks, -2)).sum(-2)", "of_coders = 0", GROUPS),
    # ---- labels into bytes
    Fault(HOT, "((bits + 128) & ~UINT64_C(255))) & ~is_nan", "((bits + 129) & ~UINT64_C(255))) & ~is_nan", BYTES, "_encode"),
    Fault(HOT, "((bits + 128) & ~UINT64_C(255))) & ~is_nan", "((bits + 127) & ~UINT64_C(255))) & ~is_nan", BYTES, "_encode"),
    Fault(HOT, "(differs | ((bits + 128)", "(((bits + 128)", BYTES, "_encode"),
    Fault(HOT, "missing |= is_nan;", "missing = is_nan;", BYTES, "_encode"),
    Fault(HOT, "taken |= 0 - (uint64_t)", "taken = 0 - (uint64_t)", BYTES, "_encode"),
    Fault(HOT, "(bits & ~is_nan) | (stand_in & is_nan)", "bits", BYTES, "_encode"),
    Fault(HOT, "(uint64_t)(int64_t)values[i] - (uint64_t)(lowest)", "(uint64_t)(int64_t)values[i] - (uint64_t)(lowest + 1)", BYTES, "_encode"),
    Fault(HOT, "outside |= (", "outside = (", BYTES, "_encode"),
    Fault(HOT, "const int64_t last = n - first < AF_BLOCK ? n : first + AF_BLOCK;", "const int64_t last = n - first <= AF_BLOCK ? n - 1 : first + AF_BLOCK;", BYTES, "_encode"),
    Fault(ENCODE, "            if place < states:\n                out[place] = 1", "            if place <= states:\n                out[place] = 1", BYTES),
    Fault(ENCODE, "            if place < states:\n                out[i] =", "            if place <= states:\n                out[i] =", BYTES),
    Fault(ENCODE, "if place >= states:", "if place > states:", BYTES),
    Fault(HOT, "(natural)(first - missing), absent", "(natural)(first - 1), absent", f"{KERNELS} -k codes_beyond", "_encode"),
    Fault(HOT, "outside |= beyond;", "outside = beyond;", BYTES, "_encode"),
    Fault(HOT, "return least >= low && most < low + n_states;", "return least >= low && most <= low + n_states;", READING, "_encode"),
    Fault(HOT, "return least >= low && most < low + n_states;", "return most < low + n_states;", READING, "_encode"),
    Fault(HOT, "memchr(values, low + k, (size_t)n)", "memchr(values, low + k, (size_t)n - 1)", READING, "_encode"),
    # ---- few distinct numbers
    Fault(HOT, "return value != value ? AF_FEW_NAN : bits;", "return bits;", READING, "_encode"),
    Fault(HOT, "const double plain = value + 0.0;", "const double plain = value;", READING, "_encode"),
    Fault(HOT, "few->labels[few->count++] = value + 0.0;", "few->labels[few->count++] = value;", READING, "_encode"),
    Fault(HOT, "if (few->keys[slot] != AF_FEW_FREE) return 0;", "", READING, "_encode"),
    Fault(HOT, "(key ^ key >> 32) * few->factor", "(key >> 32) * few->factor", READING, "_encode"),
    Fault(HOT, "unknown |= keys[i] ^ few->keys[slots[i]];", "unknown = keys[i] ^ few->keys[slots[i]];", READING, "_encode"),
    Fault(HOT, "k > 0 && sorted[k - 1] > few->labels[i]", "k > 1 && sorted[k - 1] > few->labels[i]", READING, "_encode"),
    Fault(HOT, "for (int64_t i = 0; i < n; i++) out[i] = ranks[(uint8_t)out[i]];", "for (int64_t i = 1; i < n; i++) out[i] = ranks[(uint8_t)out[i]];", READING, "_encode"),
    Fault(ENCODE, "fits = few.count < most and", "fits = few.count <= most and", READING),
    Fault(ENCODE, "                sorted_ = False\n", "                sorted_ = sorted_ and done >= _LOOK\n", READING),
    Fault(ENCODE, "values.strides[0] == <Py_ssize_t>sizeof(number) * width)", "values.strides[0] >= <Py_ssize_t>sizeof(number) * width)", READING),
    Fault(ENCODE, "low >= -128 and low + n_states <= 128:", "True:", READING),
    Fault(ENCODE, "        width = len(one)\n    width", "        width = max(width, len(one))\n    width", READING),
    Fault(ENCODE, "return codes, [], row * width + stopped, error", "return codes, [], row + stopped, error", READING),
    Fault(ENCODE, "            if not _is_missing(value):\n                return i, error\n            out[i] = -1", "            out[i] = -1", READING),
    Fault(ENCODE, "if type(label) is not float or not label.is_integer():", "if type(label) is not float:", READING),
    Fault(ENCODE, "        if isinstance(label, (set, frozenset)):\n            return list(range(len(labels)))", "        if isinstance(label, set):\n            return list(range(len(labels)))", READING),
    Fault(ENCODE, "    ranks[0] = -1\n", "    ranks[0] = 0\n", READING),
    Fault(ENCODE, "    if K <= 127:\n        out = _empty(n, _int8)", "    if K <= 128:\n        out = _empty(n, _int8)", READING),
    Fault(ENCODE, "            if len(labels) == 127:\n                return None\n", "", READING),
    Fault(ENCODE, "return -128 <= wide <= 127", "return -129 <= wide <= 127", READING),
    Fault(ENCODE, "i + 2 * _AHEAD < n", "i + _AHEAD < n", READING),
    Fault(ENCODE, "or len(triple) != 3:", "or len(triple) < 3:", READING),
    Fault(ENCODE, "_code_of(c, third, &next_codes[2])", "_code_of(c, third, &next_codes[1])", READING),
    Fault(ENCODE, "    except (IndexError, TypeError):\n        return None", "    except TypeError:\n        return None", READING),
    Fault("agreement_fast/reading/ids.py", "(places + low).tolist()", "places.tolist()", IDS),
    Fault("agreement_fast/reading/ids.py", "list(map(bool, labels)) if", "labels if", IDS),
    # ---- the first look at a table
    Fault("src/_looks.pyx", "return high == 1 or 0 < steps < head.shape[1]", "return high == 1 or 0 < steps", LOOKS),
    Fault("src/_looks.pyx", "high += whole and beyond", "high += beyond", LOOKS),
    Fault("src/_looks.pyx", "return n_rows == width or _like_counts(sums, rows, n_rows, width, zeros, within)\n\n\ncdef bint _like_counts", "return _like_counts(sums, rows, n_rows, width, zeros, within)\n\n\ncdef bint _like_counts", LOOKS),
    Fault("src/_looks.pyx", "if not (0 <= value < _LARGE and value == floor(value)):", "if not (0 <= value < _LARGE):", LOOKS),
    Fault("src/_looks.pyx", "if distinct >= rows - _FOR_PAIRS // 10:", "if distinct > rows - _FOR_PAIRS // 10:", LOOKS),
    Fault("src/_looks.pyx", "single += 2 * distinct > given", "single += 2 * distinct >= given", LOOKS),
    Fault("src/_looks.pyx", "if mixed or high == 1:\n        return True", "if high == 1:\n        return True", LOOKS),
    Fault("src/_looks.pyx", "or (type(label) is int and -_LARGE < label < _LARGE)", "or -_LARGE < label < _LARGE", LOOKS),
    Fault("src/_looks.pyx", "if 0 < single < width and different:", "if 0 < single < width:", LOOKS),
    Fault("src/_looks.pyx", "return sure * -log(most) * t.share >= t.doubt + log(4) + more", "return sure * -log(most) * t.times >= t.doubt + more", LOOKS),
    Fault("src/_looks.pyx", "middle = near.below == near.above and number == (near.low + near.high) / 2", "middle = near.below == near.above", LOOKS),
    Fault("src/_looks.pyx", "if 0 < matches < n:", "if matches < n:", LOOKS),
    Fault("src/_looks.pyx", "    if not used:\n        return None\n", "", LOOKS),
    Fault("src/plain.h", "blanks = 0;", "blanks = 2;", LOOKS, "_looks"),
    Fault("src/plain.h", "both != 3", "both == 0", LOOKS, "_looks"),
    Fault("src/plain.h", "if (!other) return 0;", "", LOOKS, "_looks"),
    Fault("src/_looks.pyx", "                    met.add(other)\n", "", LOOKS),
    # ---- keys and counts of rows
    Fault(HOT, "for (; i + 4 <= count; i += 4)", "for (; i + 4 <= count + 1; i += 4)", KEYS, "_patterns"),
    Fault(HOT, "(int64_t)keys[i + side]]++", "(int64_t)keys[i + (side & 1)]]++", KEYS, "_patterns"),
    Fault(HOT, "if (width > 2) word", "if (width > 3) word", KEYS, "_patterns"),
    Fault(HOT, "if (width > 4) word", "if (width > 5) word", KEYS, "_patterns"),
    Fault(HOT, "case 4: af_count_uint16(keys.shorts, count,", "case 4: af_count_uint16(keys.shorts, count - 1,", KEYS, "_patterns"),
    Fault(HOT, "(word & four) | (word >> (32 - 4 * bits) & four << (4 * bits))", "word & four", KEYS, "_patterns"),
    Fault(HOT, "((UINT64_C(1) << bits) - 1) * UINT64_C(0x0001000100010001)", "((UINT64_C(1) << (bits > 4 ? 4 : bits)) - 1) * UINT64_C(0x0001000100010001)", KEYS, "_patterns"),
    Fault(HOT, "((UINT64_C(1) << (2 * bits)) - 1) * UINT64_C(0x0000000100000001)", "((UINT64_C(1) << (2 * bits)) - 2) * UINT64_C(0x0000000100000001)", KEYS, "_patterns"),
    Fault(HOT, "^ ((word ^ add) & high)) & own", "^ (word & high)) & own", KEYS, "_patterns"),
    Fault(HOT, "keys[i] |= ((uint32_t)((int32_t)column[i] - low) & mask) << shift;", "keys[i] |= (uint32_t)((int32_t)column[i] - low) << shift;", KEYS, "_patterns"),
    Fault(HOT, "column = columns + c * across + row * apart + first", "column = columns + c * across + row * apart", KEYS, "_patterns"),
    Fault(PATTERNS, "key |= (<uint64_t>(table[i, c] - low) & mask) << (c * bits)\n            out[0, key] += 1\n            i += 1", "key |= (<uint64_t>(table[i, c] - low) & mask) << c\n            out[0, key] += 1\n            i += 1", KEYS),
    Fault(PATTERNS, "(table[i, c] - low) & mask) << (c * bits)\n            out[0, key] += weights", "table[i, c] & mask) << (c * bits)\n            out[0, key] += weights", KEYS),
    Fault(HOT, "for (int k = 0; k * bits < 64; k++)", "for (int k = 0; k * bits < 63; k++)", KEYS, "_patterns"),
    Fault(HOT, "word += one[(uint8_t)codes[i]]", "word |= one[(uint8_t)codes[i]]", KEYS, "_patterns"),
    Fault(EQUAL, "known->keys[found - 1] == key && (text == NULL || af_same(known->texts[found - 1], *text))", "known->keys[found - 1] == key", NUMBERED, "_patterns"),
    Fault(EQUAL, "if (a.length != b.length) return 0;", "", NUMBERED, "_texts"),
    Fault(EQUAL, "        if (af_word(a.bytes + place, 8) != af_word(b.bytes + place, 8)) return 0;", "        ;", NUMBERED, "_patterns"),
    Fault(EQUAL, "bytes[0] | (uint64_t)bytes[length / 2] << 8 |", "bytes[0] |", NUMBERED, "_patterns"),
    Fault(EQUAL, "memcpy(&high, bytes + length - 4, 4);", "memcpy(&high, bytes + 3, 4);", NUMBERED, "_patterns"),
    Fault(EQUAL, "            while (known->slots[slot]) slot = (slot + 1) & known->mask;\n", "", NUMBERED, "_patterns"),
    Fault(EQUAL, "known->count + AF_RUN <= known->room", "known->count <= known->room", NUMBERED, "_patterns"),
    Fault(EQUAL, "out[i] = texts[i].length < 0 ? -1 : af_number", "out[i] = af_number", NUMBERED, "_texts"),
    Fault(EQUAL, "known->first[known->count - 1] = place;", "known->first[known->count - 1] = known->count - 1;", NUMBERED, "_patterns"),
    Fault(ARROW_TEXTS, "first += array->offset;", "", NUMBERED, "_texts"),
    Fault(ARROW_TEXTS, "if (parts[0] <= 12)", "if (parts[0] <= 11)", NUMBERED, "_texts"),
    Fault(ARROW_TEXTS, "array->buffers[2 + parts[2]] + parts[3]", "array->buffers[2 + parts[2]]", NUMBERED, "_texts"),
    Fault(ARROW_TEXTS, "af_number_texts(known, texts, count, place + begin, out + begin)", "af_number_texts(known, texts, count, place + begin, out)", NUMBERED, "_texts"),
    Fault(TEXTS, "            if array.length > out.shape[0] - place:\n                raise ValueError(\"the column holds more than it said\")\n", "", NUMBERED),
    Fault(TEXTS, "            place += array.length\n", "", NUMBERED),
    Fault(CODED, "result[1:], result[:-1], out=new[1:])  # such as 0.0", "result[1:].view(f\"V{result.itemsize}\"), result[:-1].view(f\"V{result.itemsize}\"), out=new[1:])  # such as 0.0", NUMBERS),
    Fault(CODED, "ascending = ascending[: len(result) - int(np.count_nonzero(result != result))]", "pass", NUMBERS),
    Fault(CODED, "if first == 0 and self.owned and values.dtype", "if first == 0 and values.dtype", "tests/kernels/test_walk.py tests/test_annotations.py"),
    Fault(CODED, "return codes.reshape(array.shape, order=order), distinct", "return codes.reshape(array.shape), distinct", NUMBERS),
    Fault(PATTERNS, "if n_keys > limit:", "if n_keys >= limit:", KEYS),
    Fault(PATTERNS, "counts[slot] += weights[i] if weighted else 1", "counts[slot] += 1", KEYS),
    Fault("agreement_fast/reading/kept_moments.py", "if bits * n_categories > 64:", "if bits * n_categories > 65:", PACKED),
    Fault("agreement_fast/reading/kept_moments.py", "bits = max(1, longest.bit_length())", "bits = max(1, (longest - 1).bit_length())", PACKED),
    # ---- pairs of coders
    Fault(HOT, "while (K >> n_digits) n_digits++;", "while ((K - 1) >> n_digits) n_digits++;", PAIRS, "_pairs"),
    Fault(HOT, "for (int64_t i = count; i < 64; i++) column[i] = 0;", "", PAIRS, "_pairs"),
    Fault(HOT, "(uint8_t)(here[i * width] + 1)", "(uint8_t)here[i * width]", PAIRS, "_pairs"),
    Fault(HOT, "plane &= (k + 1) >> d & 1 ?", "plane &= k >> d & 1 ?", PAIRS, "_pairs"),
    Fault(HOT, "line[l] += both;", "line[l] = both;", PAIRS, "_pairs"),
    # ---- sums over rows
    Fault("src/_values.pyx", "        if k != top:\n            # the", "        if True:\n            # the", "tests/kernels/test_unequal.py"),
    Fault("src/_values.pyx", "    return rest + lost\n", "    return rest\n", "tests/kernels/test_unequal.py"),
    Fault("src/_values.pyx", "other = rest if k == top else total - v[k]", "other = total - v[k]", "tests/kernels/test_unequal.py"),
    Fault("src/interval.h", "if (used == 1) used = K;", "", OF_TABLE, "_values"),
    Fault("src/interval.h", "by_mass = 2 * of_pairs", "by_mass = of_pairs", OF_TABLE, "_values"),
    Fault("src/interval.h", "af_add_times(k - (double)n, (1 / k) * (1 / k), &uneven, &lost);", "", OF_TABLE, "_values"),
    Fault("src/interval.h", "fmin(2 * others / mass, 1)", "fmin(others / mass, 1)", OF_TWO, "_values"),
    Fault("src/_values.pyx", "place[labels[k]] = -1", "place[labels[0]] = -1", OF_TWO),
    Fault("src/interval.h", "own *= size;", "", OF_TABLE, "_values"),
    Fault("src/interval.h", "by_rank[k] = above + own / 2;", "by_rank[k] = above + own;", OF_TABLE, "_values"),
    Fault("src/interval.h", "if (random > 0) af_add_by_number(c, random, q, by_rank);", "", OF_TABLE, "_values"),
    Fault("src/interval.h", "out[n - 1] += ends;", "out[n - 1] -= ends;", OF_TABLE, "_values"),
    Fault("src/interval.h", "if (counts[k] == 0) labels[distinct++]", "labels[distinct++]", OF_TABLE, "_values"),
    Fault("src/rational.h", "(b + some->b[j + k])", "(b + some->b[j])", SUMS, "_values"),
    Fault("src/rational.h", "(above > below ? above : below) >= width", "(above > below ? above : below) >= 0", SUMS, "_values"),
    Fault("src/rational.h", "p[n] = (all->p[first] - whole.p[0]) + some.p[k];", "p[n] = some.p[k];", SUMS, "_values"),
    Fault("src/rational.h", "for (int64_t j = whole; j < some->n; j++) {", "for (int64_t j = whole + 1; j < some->n; j++) {", SUMS, "_values"),
    Fault("src/sums.h", "gone[i] += column[i] < 0", "gone[i] = column[i] < 0", ROW_SUMS, "_sums"),
    Fault("src/sums.h", "int64_t b = 0; b < a; b++) {                                                            \\\n        const integer *other", "int64_t b = 1; b < a; b++) {                                                            \\\n        const integer *other", ROW_SUMS, "_sums"),
    Fault("src/sums.h", "equal - rows[missing] * (missing * (missing - 1) / 2)", "equal", ROW_SUMS, "_sums"),
    Fault("src/sums.h", "k = missing ? -1 : 0", "k = 0", ROW_SUMS, "_sums"),
    Fault("src/sums.h", "i < AF_BLOCK / 2; i++) upper", "i < AF_BLOCK; i++) upper", ROW_SUMS, "_sums"),
    Fault("src/sums.h", "for (int64_t i = n; i < AF_BLOCK; i++) column[i] = -1;", "", ROW_SUMS, "_sums"),
    Fault("src/sums.h", "> readable", "> readable + 8", f"{ROW_SUMS} -k after_a_table", "_sums"),
    Fault("src/dense.h", "used[i] += count != 0;", "used[i] += count > 1;", ROW_SUMS, "_sums"),
    Fault("src/dense.h", "if (most >> 16 == 0) {", "if (most >> 17 == 0) {", ROW_SUMS, "_sums"),
    Fault("src/dense.h", "if (turned && !other && !weights)", "if (turned && !weights)", ROW_SUMS, "_sums"),
    Fault("src/dense.h", "if (turned && !other && !weights)", "if (turned && !other)", ROW_SUMS, "_sums"),
    Fault("src/dense.h", "other |= sizes[i] ^ sizes[0];", "other = sizes[i] ^ sizes[0];", ROW_SUMS, "_sums"),
    Fault("src/sums.h", "if (!(r & 2))", "if (!(r & 4))", ROW_SUMS, "_sums"),
    Fault("src/sums.h", "out[keys[i]] += weights[i];", "out[keys[i]]++;", ROW_SUMS, "_sums"),
    Fault(OVER_ROWS, "<uint32_t>(rows.width - gone[i]) * states * states", "<uint32_t>rows.width * states * states", ROW_SUMS),
    Fault(OVER_ROWS, "                sums += step", "                sums += step - 1 if step else 0", ROW_SUMS),
    Fault("src/rows.h", "rows->bytes == 2 ?", "rows->bytes == 3 ?", ROW_SUMS, "_sums"),
    Fault("agreement_fast/distances/sums/categories.py", "often = counted + counted.swapaxes(1, 2)", "often = counted", "tests/distances/sums/test_routes.py"),
    Fault("agreement_fast/_kernels/parallel.py", "                self._running += 1\n", "", "tests/test_threads.py -k ctrl_c"),
    Fault("agreement_fast/_kernels/parallel.py", "            del task, value, error\n", "", "tests/test_threads.py -k 'holds_nothing'"),
    Fault("agreement_fast/_kernels/parallel.py", "before=HELPERS.end, ", "", "tests/test_threads.py -k a_fork"),
    Fault("agreement_fast/_kernels/parallel.py", "            if processors != self._processors:", "            if False:", "tests/test_threads.py -k processors"),
    Fault(HOT, "place > most ? ~(natural)0 : 0", "place > most + 1 ? ~(natural)0 : 0", f"{KERNELS} -k codes_beyond", "_encode"),
    Fault(ENCODE, "        begin += step\n", "        begin += step + 1\n", f"{KERNELS} -k what_occurs"),
    Fault(OVER_ROWS, "sums[1] += weight * (same[i] - missing * (missing - 1) // 2)", "sums[1] += same[i] - missing * (missing - 1) // 2", ROW_SUMS),
    Fault(OVER_ROWS, "same += count * seen[label] + count * (count - 1) // 2", "same += count * seen[label]", ROW_SUMS),
    Fault(OVER_ROWS, "        if size >= n_sizes:\n            return -1\n", "", ROW_SUMS),
    Fault(OVER_ROWS, "if rows.c.width >= self._shape[0]:", "if rows.c.width > self._shape[0]:", ROW_SUMS),
    Fault(OVER_ROWS, "factor = factors[row] * af_weight(&rows, row)", "factor = factors[row]", ROW_SUMS),
    Fault(OVER_ROWS, "if some and not counted[row]:", "if some and counted[row]:", ROW_SUMS),
    Fault(OVER_ROWS, "out[rows.coders[i], af_code(&rows, i) + 1] += weight", "out[rows.coders[i], af_code(&rows, i) + 1] += 1", ROW_SUMS),
    Fault(OVER_ROWS, "total += 2.0 * (size * second - first * first)", "total += 2.0 * size * second", ROW_SUMS),
    Fault(OVER_ROWS, "        for b in range(a):\n            if kind == MATRIX:", "        for b in range(a - 1):\n            if kind == MATRIX:", ROW_SUMS),
    Fault(OVER_ROWS, "sums[1] += (sums[0] - total) + term if sums[0] >= term else (term - total) + sums[0]", "sums[1] += (sums[0] - total) + term", ROW_SUMS),
    Fault(OVER_ROWS, "fits = n + needed <= most", "fits = n + needed < most", ROW_SUMS),
    Fault(OVER_ROWS, "if label >= 0 and af_repeats(&rows, i):", "if label >= 0:", ROW_SUMS),
    Fault("src/_values.pyx", "gap = value - origin\n                    sum_far", "gap = value\n                    sum_far", SUMS),
    Fault("src/_values.pyx", "if n == 0 or n < least or weight == 0:", "if n == 0 or n < least:", SUMS),
    Fault(
        "src/_values.pyx",
        "squares_near = 0.0\n            for c in range(width):\n                value = values[row, c]\n"
        "                if value == value:\n                    gap = (value - start) - mean",
        "squares_near = 0.0\n            for c in range(width):\n                value = values[row, c]\n"
        "                if value == value:\n                    gap = value - start",
        SUMS,
    ),
    # ---- judgments by item
    Fault(GROUP, "keys[kept - 1] = keys[i]", "keys[kept - 1] = keys[kept - 1]", JUDGMENTS),
    Fault(GROUP, "if kept and keys[kept - 1]", "if keys[kept - 1]", JUDGMENTS),
    Fault(GROUP, "place += keys[j] >> label_bits <= here", "place += keys[j] >> label_bits < here", JUDGMENTS),
    Fault(GROUP, "keys[i - 1] >> label_bits >= keys[i]", "keys[i - 1] >> label_bits > keys[i]", JUDGMENTS),
    Fault(GROUP, "        shift += 8", "        shift += 9", JUDGMENTS),
    Fault(GROUP, "    while shift < last:", "    while shift < last - 8:", JUDGMENTS),
    Fault(GROUP, "    if given != out:\n        memcpy", "    if False:\n        memcpy", JUDGMENTS),
    Fault(GROUP, "first_row + <int64_t>(", "<int64_t>(", JUDGMENTS),
    Fault(GROUP, "if repeats + i < out_repeats.shape[0]:", "if repeats + i < out_repeats.shape[0] - 1:", JUDGMENTS),
    Fault(GROUP, "+= labels[i] >= 0", "+= 1", JUDGMENTS),
    Fault("agreement_fast/patterns.py", "64 - coder_bits - label_bits)", "65 - coder_bits - label_bits)", JUDGMENTS),
    Fault(GROUP, "                if repeats < room:\n                    out_repeats[repeats, 0] = items[i]", "                if repeats < room - 1:\n                    out_repeats[repeats, 0] = items[i]", JUDGMENTS),
    Fault("src/_values.pyx", "while place <= n_points:", "while place < n_points:", JUDGMENTS),
    Fault("src/_values.pyx", "place = rank[point] + 1", "place = rank[point] + 2", JUDGMENTS),
    # ---- sets
    Fault(SETS, "sum->low += (sum->high - (high - part)) + (value - part);", "(void)part;", DIGITS),
    Fault(SETS, "return whole.high + (whole.low - part.low);", "return whole.high + whole.low;", DIGITS),
    Fault(SETS, "int bits = 0;\n    for (int64_t w = 0; w < words; w++) bits +=", "int bits = 0;\n    for (int64_t w = 0; w < words; w++) bits =", LABELSETS),
    Fault(SETS, "c == (x < y ? x : y) ? 1", "c >= (x < y ? x : y) - 1 ? 1", LABELSETS),
    Fault(SETS, "for (int64_t j = whole; j < n; j++) rest +=", "for (int64_t j = whole + 1; j < n; j++) rest +=", LABELSETS),
    Fault(SHARED_SUBSETS, "sets->same[a] += sets->u[i] * sets->v[i];", "sets->same[a] += sets->u[i];", SHARED, "_labelsets"),
    Fault(SHARED_SUBSETS, "*af_cell(sets, a, a, m) -= sets->same[a];", ";", SHARED, "_labelsets"),
    Fault(SHARED_SUBSETS, "    if (a > most) most = a;\n", "    most = a;\n", SHARED, "_labelsets"),
    Fault(SHARED_SUBSETS, "shared += e == f;", "shared += e <= f;", SHARED, "_labelsets"),
    Fault(SHARED_SUBSETS, "other[s] += choose[s] * sets->u[j] * sets->v[i];", "other[s] += choose[s] * sets->u[i] * sets->v[j];", SHARED, "_labelsets"),
    Fault(SHARED_SUBSETS, "for (int64_t s = 0; s <= rest; s++) {", "for (int64_t s = 0; s < rest; s++) {", SHARED, "_labelsets"),
    Fault(SHARED_SUBSETS, "(af_holder){holders[k].set, q};", "(af_holder){holders[k].set, q + 1};", SHARED, "_labelsets"),
    Fault(SHARED_SUBSETS, "      if (*use == 1) {", "      if (*use == 2) {", SHARED, "_labelsets"),
    Fault(SHARED_SUBSETS, "  af_children *found = sets->levels + (m - 1);", "  af_children *found = sets->levels;", SHARED, "_labelsets"),
    Fault(SHARED_SUBSETS, "if (n < 2 || !of_u || !of_v)", "if (n < 3 || !of_u || !of_v)", SHARED, "_labelsets"),
    Fault(SHARED_SUBSETS, "const int64_t i = holders ? holders[k].set : k,", "const int64_t i = k,", SHARED, "_labelsets"),
    Fault(SHARED_SUBSETS, "if (before == bits) return 1;", "return 1;", SHARED, "_labelsets"),
    Fault(SHARED_SUBSETS, "rests, has_table, found)", "rests, 0, found)", SHARED, "_labelsets"),
    Fault(SHARED_SUBSETS, "for (int64_t s = !holders; s <= rest; s++)", "for (int64_t s = 0; s <= rest; s++)", SHARED, "_labelsets"),
    Fault(SHARED_SUBSETS, "for (int64_t k = holders ? 0 : width * width;", "for (int64_t k = 0;", SHARED, "_labelsets"),
    Fault(SHARED_SUBSETS, "for (int64_t rest = 0; rest <= bits; rest++)", "for (int64_t rest = 0; rest < bits; rest++)", SHARED, "_labelsets"),
    Fault(SETS, "j < i && j < left + 32", "j < i && j < left + 31", LABELSETS, "_labelsets"),
    Fault("src/_labelsets.pyx", "here.common[begin + k] = here.shared[begin + k] = 0", "here.shared[begin + k] = 0", LISTS),
    Fault("src/_labelsets.pyx", "lists.c.sizes[begin + k]", "lists.c.sizes[k]", LISTS),
    Fault("src/_labelsets.pyx", "j = i + 1 if upper else 0", "j = i if upper else 1", LABELSETS),
    Fault("src/_labelsets.pyx", "overlap = min(end[p], end[q]) - start[p]", "overlap = end[q] - start[p]", LABELSETS),
    Fault("src/_labelsets.pyx", "rest *= sets.weights[i]", "pass", LABELSETS),
    Fault("src/_labelsets.pyx", "        met.common[near_sets[k]] = 0\n", "        pass\n", LABELSETS),
    Fault("src/_labelsets.pyx", "            i = request.first + p\n", "            i = p\n", LABELSETS),
    Fault("src/_labelsets.pyx", "if sums.u[r * sums.n_sets + i] != 0:", "if sums.u[i] != 0:", LABELSETS),
    Fault(SETS, "(int64_t)distances->sizes[i] * longest * longest", "(int64_t)distances->sizes[i] * longest", LABELSETS),
    # ---- the majority
    Fault(MAJORITY, "unit < 0x10000 / AF_LANES", "unit < 0x10000", STABILITY),
    Fault(MAJORITY, "twice < size[j]", "twice <= size[j]", STABILITY),
    Fault(MAJORITY, "up_to >= size[j]", "up_to > size[j]", STABILITY),
    Fault(MAJORITY, "for (int j = 0; j < AF_LANES; ++j) moved[j] = top[j] == 0 ? 0xFFFF : 0;", "for (int j = 0; j < AF_LANES; ++j) moved[j] = 0;", STABILITY),
    Fault(MAJORITY, "parts[j] > wholes[j] ? parts[j] : wholes[j]", "parts[j]", STABILITY),
    Fault(MAJORITY, "top[j] = top[j] ? top[j] : 0xFFFF;", "top[j] = top[j];", STABILITY),
    Fault(MAJORITY, "for (uint16_t n = 1; n <= n_categories; ++n)", "for (uint16_t n = 1; n < n_categories; ++n)", STABILITY),
    Fault(MAJORITY, "unit - unit / parts[j] * common[j]", "unit - common[j]", STABILITY),
    Fault("src/_majority.pyx", "    cdef Py_ssize_t last = t - 1 if role == LOW else t\n", "    cdef Py_ssize_t last = t\n", STABILITY),
    Fault("src/_majority.pyx", "if counts[row, k] or roles[row, k] == TOP:", "if counts[row, k]:", STABILITY),
    Fault("src/_majority.pyx", "while high <= low + x and high <= degree[1]:", "while high < low + x and high <= degree[1]:", STABILITY),
    Fault("src/_majority.pyx", "high = low - x + 1 if low >= x else 0", "high = low - x if low >= x else 0", STABILITY),
    Fault("src/_majority.pyx", "                size -= 1\n".replace("                size", "                    size"), "                    pass\n", "tests/kernels/test_majority.py"),
    # ---- latent classes
    Fault(E_STEP, "        product *= AF_LARGE;\n        shifts++;", "        product *= AF_LARGE;", STEPS),
    Fault(E_STEP, "        factor *= AF_LARGE;\n        shifts++;", "        factor *= AF_LARGE;", STEPS),
    Fault(E_STEP, "if (factor < AF_SMALL) {", "if (factor < 0) {", STEPS),
    Fault(E_STEP, "return total > -INFINITY ? total + lost : total; ", "return total; ", STEPS),
    Fault(E_STEP, "return total > -INFINITY ? total + lost : total; ", "return total + lost; ", STEPS),
    Fault(E_STEP, "if (total < AF_SAFE)", "if (total < 0)", STEPS),
    Fault(E_STEP, "if (weight == 0) continue;", "", STEPS),
    Fault(E_STEP, "posterior[t] *= weight;", "", STEPS),
    Fault(E_STEP, "AF_EXPECT(af_expect_6, 6,", "AF_EXPECT(af_expect_6, 5,", STEPS),
    Fault(E_STEP, "case 4: return af_expect_4(", "case 4: return af_expect_3(", STEPS),
    Fault(LATENT, "n += codes[i] >= 0", "n += 1", STEPS),
    Fault(LATENT, "start[row - rows.first] = n", "start[row - rows.first] = begin", STEPS),
    Fault(LATENT, "some.c.first, some.c.last = first, last", "some.c.first, some.c.last = 0, last", STEPS),
    Fault(LATENT, "problem.c.start + problem.c.first", "problem.c.start", STEPS),
    Fault(LATENT, "total = added\n", "total = 0\n", STEPS),
    Fault(OVER_ROWS, "if found == most:", "if found == most - 1:", ROW_SUMS),
    Fault(OVER_ROWS, "for i in range(af_begin(&rows, rows.first), af_begin(&rows, rows.last)):", "for i in range(af_begin(&rows, rows.first), af_end(&rows, rows.last)):", ROW_SUMS),
    Fault("agreement_fast/annotations.py", "            lookup[used] = np.arange(len(used))", "            lookup[used] = used", "tests/test_annotations.py -k selection"),
    Fault(LATENT, "rise <= self.tolerance * fabs(value)", "rise <= self.tolerance", STEPS),
    Fault(LATENT, "self.stage == STEP and rise <= self.tol", "rise <= self.tol", STEPS),
    Fault(LATENT, "self.stage == LEAP and not rise >= 0", "self.stage == LEAP and rise < 0", STEPS),
    Fault(LATENT, "self.here, self.spare = self.spare, self.here\n", "pass\n", STEPS),
    Fault(LATENT, "self.stage, self.rested = STEP, False", "self.stage, self.rested = STEP, True", STEPS),
    Fault(LATENT, "and self.left > 1 and", "and", STEPS),
    Fault(LATENT, "return 1\n    for k in range(n):\n        first, second", "return 2\n    for k in range(n):\n        first, second", STEPS),
    Fault(LATENT, "max(SHORTEST, self.longest / FACTOR)", "SHORTEST", LEAPS),
    Fault(LATENT, "self.limit = min(LONGEST, self.limit * FACTOR)", "pass", LEAPS),
    Fault(LATENT, "length = min(sqrt(rr / vv), limit)", "length = sqrt(rr / vv)", STEPS),
    Fault(LATENT, "if square > 0 and after[k * stride] > 0 else", "if after[k * stride] > 0 else", STEPS),
    Fault(LATENT, "if square > 0 and after[k * stride] > 0 else", "if square > 0 else", STEPS),
    # ---- replicates
    Fault("src/_resample.pyx", "(size * second[r] - first[r] * first[r])", "(size * second[r])", WEIGHTS),
    Fault("src/_resample.pyx", "amount = factors[row] * repeats[i] if repeated else factors[row]", "amount = factors[row]", WEIGHTS),
    Fault(COPIES, "self[l] += times[l] * times[l];", "self[l] += times[l];", RESAMPLES, "_resample"),
    Fault(COPIES, "for (int64_t a = 0; a < r; a++) given->seen[given->labels[a]] = 0;", "for (int64_t a = 1; a < r; a++) given->seen[given->labels[a]] = 0;", RESAMPLES, "_resample"),
    Fault(COPIES, "given->counts[(place - 1) * lanes + l] = times[l];", "given->counts[(place - 1) * lanes + l] += times[l];", RESAMPLES, "_resample"),
    Fault(COPIES, "out[l] = size[l] * size[l] - squares[l];", "out[l] = size[l] * size[l] - size[l];", RESAMPLES, "_resample"),
    Fault(COPIES, "low[l] = count > 0 && f < low[l]", "low[l] = f < low[l]", RESAMPLES, "_resample"),
    Fault(COPIES, "high[l] = count > 0 && f > high[l]", "high[l] = f > high[l]", RESAMPLES, "_resample"),
    Fault(COPIES, "    mean[l] = mean[l] > high[l] ? high[l] : mean[l];\n", "    mean[l] = mean[l];\n", RESAMPLES, "_resample"),
    Fault(COPIES, "const double gap = count > 0 ? values[labels[a] * width + across * l] - mean[l] : 0;", "const double gap = values[labels[a] * width] - mean[l];", RESAMPLES, "_resample"),
    Fault(COPIES, "for (int64_t f = 0; f < apart->width; f++) {", "for (int64_t f = 0; f < 1; f++) {", RESAMPLES, "_resample"),
    Fault(COPIES, "apart->values[n_listed++] : 0", "apart->values[n_listed] : 0", RESAMPLES, "_resample"),
    Fault(COPIES, "row < rows->last; row++, amounts += lanes)", "row < rows->last; row++)", RESAMPLES, "_resample"),
    Fault("src/_resample.pyx", "if not 0 < given.shape[1] <= AF_LANES:", "if not 0 < given.shape[1]:", RESAMPLES),
    Fault("agreement_fast/distances/sums/linear.py", "        values[: len(last)] += last\n", "", "tests/distances/sums/test_linear.py"),
    Fault("agreement_fast/distances/sums/columns.py", "* copies[:, None, :]", "* 1", "tests/distances/sums/test_linear.py"),
    Fault("agreement_fast/inference/resample.py", "copies[coders - first, coders] = 0", "copies[coders - first, coders - first] = 0", "tests/inference/test_bootstrap.py tests/distances/sums/test_linear.py"),
    # ---- subsets
    Fault(SUBSETS, "place == place ? place + 0.5 : 0", "place == place ? place : 0", VALUES),
    Fault(SUBSETS, "const double slack = 1e-9 + 1e-15", "const double slack = 0e-9 + 0e-15", VALUES),
    Fault(SUBSETS, "here[i] >= edges[column[i] + 1]", "here[i] > edges[column[i] + 1]", VALUES),
    Fault(SUBSETS, "column[i] -= here[i] < edges[column[i]];", "", VALUES),
    Fault(SUBSETS, "&& column[i] + 1 < n_edges", "&& 1", VALUES),
    Fault(SUBSETS, "for (int64_t i = whole; i < count; i++) {\n      const double x", "for (int64_t i = whole + 1; i < count; i++) {\n      const double x", VALUES),
    Fault(SUBSETS, "place = place < top ? place : top;", "place = place < top + 1 ? place : top + 1;", VALUES),
    Fault(SUBSETS, "kept += keep[where[i]];", "kept += 1;", VALUES),
    Fault(SUBSETS, "if (code >= 0) table[", "if (code > 0) table[", VALUES),
    Fault(SUBSETS, "least = n[i] >= one ? w : 0", "least = n[i] > one ? w : 0", VALUES),
    Fault(SUBSETS, "both = n[i] >= two ? w : 0;", "both = n[i] > two ? w : 0;", VALUES),
    Fault("src/_subsets.pyx", "if not known or mask >> bits != rest:", "if not known:", VALUES),
    Fault("src/_subsets.pyx", "if __builtin_popcountll(there) < least:", "if __builtin_popcountll(there) <= least:", VALUES),
    Fault("src/_subsets.pyx", "constant += crossed[__builtin_ctzll(left)]", "constant = crossed[__builtin_ctzll(left)]", VALUES),
    Fault("src/_subsets.pyx", "done = there | low_sets[i]", "done = there", VALUES),
    Fault(SUBSETS, "two = least > 2 ? least : 2;", "two = least;", VALUES),
    # ---- inference
    Fault("agreement_fast/distances/sums/linear.py", "self.kept = (pairs > 0) & (items", "self.kept = (items", "tests/distances/sums/test_linear.py tests/inference/test_delta_method.py"),
    Fault("agreement_fast/distances/sums/linear.py", 'self._made.items.mass(self.counts()) ** 2 - self._plain("selfs")', "self._made.items.mass(self.counts()) ** 2 - self._made.items.mass(self.counts())", "tests/distances/sums/test_linear.py"),
    Fault("agreement_fast/inference/intervals.py", "return cubes / (6", "return -cubes / (6", BOOTSTRAP),
    Fault("agreement_fast/inference/intervals.py", "cubes += float(weights @ gaps**3) * ((n - 1) / n) ** 3", "cubes += float(weights @ gaps**3)", BOOTSTRAP),
    Fault("agreement_fast/inference/comparison.py", "(-b, others)", "(b, others)", BOOTSTRAP),
    Fault("agreement_fast/inference/results.py", "2 * (sides + 1) / (len(defined) + 1)", "2 * sides / len(defined)", BOOTSTRAP),
    Fault("agreement_fast/inference/resample.py", "if by_coder is not None and not items_too:", "if by_coder is not None:", BOOTSTRAP),
    Fault("agreement_fast/distances/sums/categories.py", "min(max(mean, low), high)", "mean", "tests/distances/sums/test_numbers.py"),
    Fault("agreement_fast/distances/sums/categories.py", "min(max(mean, low), high)", "low", "tests/distances/sums/test_numbers.py"),
    # ---- studies
    Fault("agreement_fast/subsets/each_subset.py", "MOST_CATEGORIES = 127", "MOST_CATEGORIES = 200", "tests/subsets/test_subsets.py -k byte_holds"),
    Fault("agreement_fast/subsets/each_subset.py", "used[:, first] & used[:, second]", "used[:, first] | used[:, second]", "tests/subsets/test_subsets.py"),
    Fault("agreement_fast/subsets/each_subset.py", "taken = (left > 0) & (below <= rest)", "taken = (left > 0) & (below < rest)", "tests/subsets/test_subsets.py"),
    # ---- files
    Fault("agreement_fast/files/stream.py", "return False\n            if self._where", "return True\n            if self._where", "tests/files/test_stream.py -k irregular"),
    Fault("agreement_fast/files/stream.py", "self._bins.n_rows + first)", "first)", "tests/files/test_stream.py -k refused_far"),
    Fault("agreement_fast/files/stream.py", "if rows and size and rows + size > most:", "if rows and rows + size > most:", "tests/files/test_stream.py"),
    Fault("agreement_fast/files/stream.py", "heads[i] += last - first", "heads[i] += 0", "tests/files/test_stream.py"),
    Fault("agreement_fast/files/stream.py", "self._file.seek(0)", "pass", "tests/files/test_stream.py -k irregular"),
    Fault(ARROW, "and not column.valid[place >> 3] >> (place & 7) & 1", "and not column.valid[row >> 3] >> (row & 7) & 1", ARROWS),
    Fault("src/mix.h", "word |= (uint64_t)length << 56;", "word |= (uint64_t)length << 57;", HASHES),
    Fault("src/mix.h", "h ^= h >> 29;", "h ^= h >> 28;", HASHES),
    Fault(ARROW, "if self.count == self.room and not self.grow():", "if False:", ARROWS),
    Fault(ARROW, "if self.room_of_bytes - used < length:", "if self.room_of_bytes - used < length - 8:", ARROWS),
    Fault(GROUP, "(width == 1 or rows[row, 1] == rows[i, 1])", "True", ARROWS),
    Fault(GROUP, "af_mix(<uint64_t>rows[i, 0]) >> (64 - bits))\n            place", "af_mix(<uint64_t>rows[i, 0]) >> (63 - bits) & (ends.shape[0] - 1))\n            place", ARROWS),
    # ---- latent classes and segmentations
    Fault("agreement_fast/models/accuracy.py", "np.where(n % 2, 0, 0.5)", "np.where(n % 2, 0, 1.0)", "tests/models/test_latent_classes.py"),
    Fault("agreement_fast/models/accuracy.py", " * (1 + 1e-12)", "", "tests/models/test_latent_classes.py -k 'posterior or probable'"),
    Fault("agreement_fast/units/segmentation_scores.py", "round((n + 1) / (2 * (", "round(n / (2 * (", "tests/units/test_segmentation.py"),
    Fault("agreement_fast/units/segmentation_scores.py", "max(1, round((n + 1)", "max(0, round((n + 1)", "tests/units/test_segmentation.py"),
    # ---- intervals
    Fault("agreement_fast/diagnostics/cells.py", "sampled).ends_of_one(confidence_level)", "sampled).ends_of_one(0.95)", "tests/diagnostics/test_intervals.py"),
    Fault("agreement_fast/diagnostics/categories.py", "without = without - np.bincount", "without = without - 0 * np.bincount", "tests/diagnostics/test_intervals.py"),
    Fault("agreement_fast/models/accuracy.py", "np.maximum(inflation, 1.0)", "inflation", "tests/models/test_rates.py"),
    Fault("agreement_fast/units/coincidences.py", "(self._n @ weights - 1)", "self._n @ weights", "tests/units/test_document_bootstrap.py"),
    # ---- findings
    Fault("agreement_fast/diagnostics/diagnosis.py", "report.chance_of_one * len(report) < CHANCE", "report.chance_of_one < CHANCE", FINDINGS),
    Fault("agreement_fast/diagnostics/findings.py", "WORTH = 0.01", "WORTH = 0.02", FINDINGS),
    Fault("agreement_fast/diagnostics/findings.py", "CHANCE = 0.01", "CHANCE = 0.05", FINDINGS),
    Fault("agreement_fast/diagnostics/diagnosis.py", "WIDE = 0.1", "WIDE = 0.15", FINDINGS),
    Fault("agreement_fast/diagnostics/diagnosis.py", "(reach > 0.02 and cuts)", "(reach > 0.08 and cuts)", FINDINGS),
    Fault("agreement_fast/diagnostics/diagnosis.py", "dropped > 0.05 * n_items", "dropped > 0.3 * n_items", FINDINGS),
    Fault("agreement_fast/diagnostics/diagnosis.py", "(reach / 0.05) ** 2", "(reach / 0.05)", FINDINGS),
    Fault("agreement_fast/inference/sample_sizes.py", "n * r / (1 + (n - 1) * r)", "n * r / (1 + n * r)", "tests/inference/test_spearman_brown.py"),
    Fault("agreement_fast/diagnostics/diagnosis.py", "NONE = 0.1", "NONE = 0.2", FINDINGS),
    Fault("agreement_fast/diagnostics/diagnosis.py", " & ~few", "", FINDINGS),
    Fault("agreement_fast/diagnostics/diagnosis.py", "2 / 3 * counts.sum()", "1 / 2 * counts.sum()", FINDINGS),
    Fault("agreement_fast/diagnostics/diagnosis.py", "5 * WORTH", "1 * WORTH", FINDINGS),
    Fault("agreement_fast/diagnostics/findings.py", " * items / (items - 1)", "", FINDINGS),
    Fault("agreement_fast/diagnostics/findings.py", "min(1.0, n_choices * student_share", "min(1.0, student_share", FINDINGS),
    Fault("agreement_fast/diagnostics/disputes.py", "ROUNDING = 1e-12", "ROUNDING = 0.0", FINDINGS),
    # ---- reports
    Fault("agreement_fast/inference/scales.py", "value = round(value, 12)", "pass", REPORT),
    Fault("agreement_fast/inference/scales.py", 'Band(0.0, True, "slight", "slight: .00 to .20"),', 'Band(0.0, False, "slight", "slight: .00 to .20"),', REPORT),
    Fault("agreement_fast/reports/content.py", "max(width, 72)", "max(width, 60)", REPORT),
    Fault("agreement_fast/present/sections.py", "math.ceil(24 * self", "math.ceil(20 * self", REPORT),
    Fault(TEXT, "left = sum(c.n_judgments for c in report.categories) - sum(c.n_judgments for c in shown)", "left = sum(c.n_judgments for c in report.categories)", REPORT),
    Fault(TEXT, "rest = report.n_items - observed.n_items", "rest = report.n_items_single", REPORT),
    # ---- what eighty faults showed, drawn over the whole package
    Fault("agreement_fast/diagnostics/drift.py", "            incomplete=incomplete,\n            **reading", "            **reading", "tests/diagnostics/test_group_drift.py -k incomplete_says"),
    Fault("agreement_fast/units/relations.py", "data.seen[pair[0]] & data.seen[pair[1]]", "data.seen[pair[0]] | data.seen[pair[1]]", "tests/units/test_relations.py -k attachment"),
    Fault("agreement_fast/distances/sums/categories.py", "n_judgments * longest < LARGEST_TOTAL", "n_judgments < LARGEST_TOTAL", "tests/distances/sums/test_routes.py -k no_integer_holds"),
    Fault("agreement_fast/distances/sums/columns.py", "if not math.isfinite(high - low):", "if False:", "tests/inference/test_delta_method.py -k infinite"),
    Fault("agreement_fast/annotations.py", "self.kept_marginals[1].copy()", "self.kept_marginals[1]", "tests/test_pieces.py -k stay"),
    Fault("agreement_fast/models/trait.py", "used = row_sizes(self._rows) > 0", "used = row_sizes(self._rows) >= 0", "tests/models/test_trait.py -k no_part"),
    Fault("agreement_fast/subsets/simulate.py", "pairable = counts.sum(1) > 1", "pairable = counts.sum(1) > 0", "tests/subsets/test_simulation.py -k meet_no_other"),
    Fault("agreement_fast/subsets/simulate.py", "not (rows >= 0).all() or", "", "tests/subsets/test_simulation.py -k bad_input"),
    Fault("agreement_fast/measures/correlations.py", "-math.inf if whole <= 0 else k", "k", "tests/measures/test_published.py -k above_its_value"),
    Fault("agreement_fast/units/objects.py", "rng.integers(1, n", "rng.integers(0, n", "tests/units/test_objects.py -k beside_itself"),
    Fault("agreement_fast/units/pair_scores.py", "pairs[i].shared for i in row.counted", "pairs[i].shared for i in row.counted[:1]", "tests/units/test_spans.py -k mean_counts"),
    Fault("agreement_fast/present/documents.py", "value is None or (isinstance(value, float) and not math.isfinite(value))", "value is None or (isinstance(value, float) and math.isnan(value))", "tests/test_tables.py -k json_has"),
    Fault("agreement_fast/reports/intervals.py", 'if resample != "items":', 'if resample == "both":', "tests/reports/test_report.py -k other_coders"),
    Fault("agreement_fast/reports/text.py", 'f"with none: {report.n_items_unjudged:,}"', 'f"with none: {report.n_items_single:,}"', "tests/reports/test_page.py -k without_a_pair"),
    Fault("agreement_fast/cli/gate.py", "if reached >= gate.least - ROUNDING:", "if reached >= gate.least:", "tests/cli/test_gate.py -k rounding"),
    Fault("agreement_fast/cli/repeats.py", "items[judged & without]", "items[without]", "tests/cli/test_groups.py -k tears"),
    Fault("agreement_fast/files/exports/label_studio.py", " and not partly:", ":", "tests/files/exports/test_label_studio.py -k of_a_prediction"),
    Fault(LATENT, " or at.n_coders != out.n_coders", "", "tests/kernels/test_latent.py -k do_not_fit"),
    Fault("src/_rows.pyx", "if n else NULL\n        if weights is not None:\n            longs = weights\n            if longs.shape[0] != self.n_rows:", "if n else NULL\n        if weights is not None:\n            longs = weights\n            if longs.shape[0] < self.n_rows:", "tests/kernels/test_rows.py -k weight_each"),
]  # fmt: skip


class Copy:
    """A copy of the project in which faults are put, built in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.tree, self.build, self.site = folder / "tree", folder / "build", folder / "site"
        self.sound: dict[Path, bytes] = {}

    def refresh(self, *, build: bool) -> None:
        """Bring the copy up to date; files that are alike keep their times."""
        names = subprocess.check_output(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, text=True
        ).splitlines()
        for name in names:
            if (ROOT / name).is_file():
                self.write(name, (ROOT / name).read_bytes())
        if not build:
            self.take_kernels()
            return
        if not (self.build / "build.ninja").exists():
            options = ["CMAKE_C_FLAGS_RELEASE=-O1", "AGREEMENT_FAST_LEVEL=x86-64"]
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
            command += ["--no-build-isolation", "--upgrade", "--target", str(self.site)]
            command += [str(self.tree), f"-Cbuild-dir={self.build}"]
            command += [f"-Ccmake.define.{option}" for option in options]
            beside = str(Path(sys.executable).parent)  # where cython and cmake are
            path = os.pathsep.join([beside, os.environ["PATH"]])
            subprocess.check_call(command, env={**os.environ, "PATH": path})
        self.make("all")
        for built in self.build.glob("_*.so"):
            self.sound[self.installed(built)] = built.read_bytes()
        self.restore()

    def take_kernels(self) -> None:
        """Take the compiled modules of the installed package."""
        package = importlib.util.find_spec("agreement_fast")
        assert package is not None
        assert package.origin is not None
        for built in (Path(package.origin).parent / "_kernels").glob("_*.so"):
            if not self.installed(built).exists():
                replace(self.installed(built), built.read_bytes())

    def installed(self, built: Path) -> Path:
        """Where a module is imported from."""
        return self.site / "agreement_fast" / "_kernels" / built.name

    def restore(self) -> None:
        """Take all modules as they were without a fault."""
        for place, content in self.sound.items():
            if not place.exists() or place.read_bytes() != content:
                replace(place, content)

    def write(self, name: str, content: bytes) -> None:
        """Write a file into the copy, and into what is installed of it."""
        places = [self.tree / name]
        if name.startswith(("agreement_fast/", "src/agreement_fast_command/")):
            places.append(self.site / name.removeprefix("src/"))
        for place in places:
            if not place.exists() or place.read_bytes() != content:
                replace(place, content)

    def make(self, target: str) -> None:
        """Build what has changed."""
        command = ["cmake", "--build", str(self.build), "--target", target]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def put(self, fault: Fault) -> bool:
        """Put a fault in; whether it compiles."""
        text = (ROOT / fault.path).read_text(encoding="utf-8")
        if text.count(fault.old) != 1:
            raise SystemExit(f"{fault.path} has {fault.old!r} {text.count(fault.old)} times")
        self.write(fault.path, text.replace(fault.old, fault.new).encode())
        if fault.path.startswith("src/"):
            modules = fault.module or "_" + Path(fault.path).stem.lstrip("_")
            for module in modules.split():
                try:
                    self.make(module)
                except subprocess.CalledProcessError:
                    return False
                (built,) = self.build.glob(f"{module}.*so")
                replace(self.installed(built), built.read_bytes())
        return True

    def undo(self, fault: Fault) -> None:
        """Take a fault out."""
        self.write(fault.path, (ROOT / fault.path).read_bytes())
        self.restore()

    def reaching(self, faults: list[Fault]) -> list[list[str]]:
        """Give the quick tests that reach each fault; all, if it stands outside of functions."""
        log = self.site / "reached.txt"
        log.write_text("")
        replace(self.site / "reached.py", NOTES.format(log=str(log)).encode())
        places: dict[str, list[tuple[int, int]]] = {}
        for i, fault in enumerate(faults):
            places.setdefault(fault.path, []).append((line_of(ROOT / fault.path, fault), i))
        for path, numbered in places.items():
            lines = (ROOT / path).read_text(encoding="utf-8").splitlines(keepends=True)
            for line, i in sorted(numbered, reverse=True):
                if line:
                    indent = re.match(" *", lines[line - 1])
                    assert indent is not None
                    lines.insert(line - 1, f'{indent[0]}__import__("reached").note({i})\n')
            self.write(path, "".join(lines).encode())
        done = self.pytest([QUICK])
        if done.returncode not in (0, 1):
            raise SystemExit(done.stdout + done.stderr)
        failing = FAILING.findall(done.stdout)
        print(f"{len(failing)} tests fail without a fault, and are left out", *failing, sep="\n  ")
        for path in places:
            self.write(path, (ROOT / path).read_bytes())
        reached: list[list[str]] = [[] for _ in faults]
        for note in log.read_text(encoding="utf-8").splitlines():
            number, _, test = note.partition(" ")
            if test and test not in failing:
                reached[int(number)].append(test)
        outside = {i for numbered in places.values() for line, i in numbered if not line}
        return [list(NEAR) if i in outside else by_nearness(t) for i, t in enumerate(reached)]

    def noticed_by(self, fault: Fault, tests: list[str]) -> str:
        """Give the first test that fails with a fault, or nothing."""
        try:
            if not self.put(fault):
                return "the compiler"
            return self.failing(tests[:FIRST]) or self.failing(tests[FIRST:])
        finally:
            self.undo(fault)

    def failing(self, tests: list[str]) -> str:
        """Give the first test that fails, or nothing."""
        try:
            done = self.pytest(["-x", *tests]) if tests else None
        except subprocess.TimeoutExpired:
            return f"the clock after {PATIENCE} s"
        if done is None or done.returncode == 0:
            return ""
        failed = FAILING.search(done.stdout)
        if failed is None:
            raise SystemExit(done.stdout + done.stderr)
        return failed[1]

    def pytest(self, arguments: list[str]) -> subprocess.CompletedProcess[str]:
        """Run tests on the copy."""
        command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        environment = {
            **os.environ, "PYTHONPATH": str(self.site), "PYTHONDONTWRITEBYTECODE": "1"
        }  # fmt: skip
        return subprocess.run(
            [*command, *arguments], cwd=self.tree, env=environment, timeout=PATIENCE,
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    def check(self) -> None:
        """Stop where tests would run on another package than this one."""
        options = "import agreement_fast as af; print(af.__file__)"
        environment = {**os.environ, "PYTHONPATH": str(self.site)}
        result = subprocess.check_output(
            [sys.executable, "-P", "-c", options], env=environment, text=True
        ).strip()
        if not Path(result).is_relative_to(self.site.resolve()):
            raise SystemExit(f"tests would run on {result}: an editable install comes first")


def replace(place: Path, content: bytes) -> None:
    """Replace a file: what a running process has mapped stays as it is."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    place.write_bytes(content)


def main() -> int:
    """Put the chosen faults in one after the other; 1 if one was not noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", metavar="TEXT", default="", help="in the file or the change")
    parser.add_argument("--list", action="store_true", help="show the faults and stop")
    parser.add_argument("--draw", metavar="N", type=int, help="take N drawn faults instead")
    parser.add_argument("--seed", type=int, default=27, help="of the draw")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "faults")
    parser.add_argument("--draw-kernels", metavar="N", type=int, help="or N faults in src/")
    options = parser.parse_args()
    faults = FAULTS
    if options.draw_kernels is not None:
        faults = [
            Fault(
                drawn.path,
                drawn.old,
                drawn.new,
                " ".join([KERNEL_TESTS, *(t for m in modules for t in OF_MODULE.get(m, ()))]),
                " ".join(modules),
                drawn.shown,
            )
            for drawn in draw_kernels(ROOT, options.draw_kernels, options.seed)
            for modules in [modules_of(ROOT, drawn.path)]
        ]
    if options.draw is not None:
        faults = [
            Fault(drawn.path, drawn.old, drawn.new, QUICK, "", drawn.shown, drawn.line)
            for drawn in draw(ROOT, options.draw, options.seed)
        ]
    chosen = [fault for fault in faults if options.only in f"{fault.path} {fault.old} {fault.new}"]
    if options.list:
        for fault in chosen:
            print(shown(fault))
        return 0
    copy = Copy(options.folder)
    copy.refresh(build=any(fault.path.startswith("src/") for fault in chosen))
    copy.check()
    noticed = 0
    reached = [shlex.split(fault.tests) for fault in chosen]
    if options.draw is not None:
        reached = copy.reaching(chosen)
    sound: set[str] = set()
    for fault, tests in zip(chosen, reached, strict=True):
        if options.draw is None and fault.tests not in sound and (failing := copy.failing(tests)):
            raise SystemExit(f"without a fault {failing} fails")
        sound.add(fault.tests)
        begin = time.monotonic()
        failing = copy.noticed_by(fault, tests)
        noticed += bool(failing)
        took = time.monotonic() - begin
        outcome = f"noticed by {failing}" if failing else "SURVIVED"
        print(f"{shown(fault)}\n    {took:4.0f} s  {outcome}", flush=True)
    print(f"{noticed} of {len(chosen)} faults noticed")
    return int(noticed < len(chosen))


def by_nearness(tests: list[str]) -> list[str]:
    """Sort tests by the place of their folder in NEAR."""
    return sorted(tests, key=lambda test: next(i for i, at in enumerate(NEAR) if at in test))


def line_of(path: Path, fault: Fault) -> int:
    """Give the first line of the statement that a drawn fault changes; 0 outside of functions."""
    text = path.read_text(encoding="utf-8")
    line = 0
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef):
            for part in ast.walk(function):
                if isinstance(part, ast.stmt) and part.lineno <= fault.line <= (
                    part.end_lineno or 0
                ):
                    first = text.splitlines()[part.lineno - 1].lstrip()
                    if part is not function and not first.startswith(("elif", "@")):
                        line = max(line, part.lineno)
    return line


def shown(fault: Fault) -> str:
    """One line on a fault."""
    if fault.shown:
        return fault.shown
    return f"{fault.path}: {' '.join(fault.old.split())} -> {' '.join(fault.new.split())}"


if __name__ == "__main__":
    sys.exit(main())
