"""Reading an export of a million annotations, compared with json.load: times and peak memory.

    python benchmarks/exports.py            # 1,000,000 annotations, 1 GB
    python benchmarks/exports.py 100000

Each row is a process of its own. The file is in the cache of the system.
"""

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

#: Annotations of a task.
CODERS = 3
LABELS = ("positive", "negative", "neutral", "mixed")


def write_choices(path, annotations):
    """Write Label Studio's JSON: tasks of three annotations with a choice and a rating each."""
    _write_tasks(path, annotations, _choice)


def write_spans(path, annotations):
    """The same with two spans in each annotation."""
    _write_tasks(path, annotations, _spans)


def _write_tasks(path, annotations, results):
    g = random.Random(1)
    words = [f"word{i}" for i in range(500)]
    with path.open("w", encoding="utf-8") as file:
        for task in range(annotations // CODERS):
            text = " ".join(g.choices(words, k=60))
            answers = [
                {
                    "id": task * CODERS + coder,
                    "completed_by": {
                        "id": coder,
                        "email": f"coder{coder}@example.org",
                        "first_name": "",
                        "last_name": "",
                    },
                    "result": results(g, task, text),
                    "was_cancelled": False,
                    "ground_truth": False,
                    "created_at": f"2024-01-01T00:{task // 60 % 60:02}:{task % 60:02}.123456Z",
                    "updated_at": "2024-01-01T00:00:00.123456Z",
                    "draft_created_at": None,
                    "lead_time": round(g.random() * 60, 3),
                    "prediction": {},
                    "result_count": 2,
                    "unique_id": f"{g.getrandbits(128):032x}",
                    "import_id": None,
                    "last_action": None,
                    "task": task,
                    "project": 1,
                    "updated_by": coder,
                    "parent_prediction": None,
                    "parent_annotation": None,
                    "last_created_by": None,
                }
                for coder in range(CODERS)
            ]
            one = {
                "id": task,
                "annotations": answers,
                "drafts": [],
                "predictions": [],
                "data": {"text": text},
                "meta": {},
                "created_at": "2024-01-01T00:00:00.123456Z",
                "inner_id": task,
                "total_annotations": CODERS,
                "project": 1,
            }
            file.write("[" if task == 0 else ",")
            file.write(json.dumps(one))
        file.write("]")


def _choice(g, task, text):
    shared = {"to_name": "text", "origin": "manual"}
    label = LABELS[task % 4] if g.random() < 0.7 else g.choice(LABELS)
    return [
        {
            "id": f"c{g.getrandbits(40):010x}",
            "type": "choices",
            "value": {"choices": [label]},
            "from_name": "sentiment",
            **shared,
        },
        {
            "id": f"r{g.getrandbits(40):010x}",
            "type": "rating",
            "value": {"rating": g.randint(1, 5)},
            "from_name": "stars",
            **shared,
        },
    ]


def _spans(g, task, text):
    result = []
    for _ in range(2):
        start = g.randrange(0, len(text) - 20)
        end = start + g.randint(3, 20)
        result.append(
            {
                "id": f"s{g.getrandbits(40):010x}",
                "type": "labels",
                "value": {
                    "start": start,
                    "end": end,
                    "text": text[start:end],
                    "labels": [g.choice(LABELS)],
                },
                "from_name": "label",
                "to_name": "text",
                "origin": "manual",
            }
        )
    return result


def write_prodigy(path, annotations):
    """Write Prodigy's JSON lines: choices."""
    g = random.Random(1)
    words = [f"word{i}" for i in range(500)]
    with path.open("w", encoding="utf-8") as file:
        for item in range(annotations // CODERS):
            text = " ".join(g.choices(words, k=60))
            for coder in range(CODERS):
                one = {
                    "text": text,
                    "meta": {"source": "x"},
                    "_input_hash": item * 7919 - 10**6,
                    "_task_hash": item,
                    "options": [{"id": label, "text": label} for label in LABELS],
                    "_view_id": "choice",
                    "accept": [LABELS[item % 4] if g.random() < 0.7 else g.choice(LABELS)],
                    "config": {"choice_style": "single"},
                    "answer": "ignore" if g.random() < 0.02 else "accept",
                    "_timestamp": 1_700_000_000 + item,
                    "_annotator_id": f"reviews-coder{coder}",
                    "_session_id": f"reviews-coder{coder}",
                }
                file.write(json.dumps(one) + "\n")


def read_json(path):
    """Read it with the standard library."""
    with path.open(encoding="utf-8") as file:
        return len(json.load(file))


def read_lines(path):
    """The same for JSON lines."""
    with path.open(encoding="utf-8") as file:
        return len([json.loads(line) for line in file])


def read_table(path):
    """Read the export and build the table of its first question."""
    export = _export(path)
    return len(export.table(export.questions[0]).labels.codes)


def read_units(path):
    """Read the export and build its units."""
    return len(_export(path).units(None).starts)


def _export(path):
    from agreement_fast.files.exports.bundle import Bundle
    from agreement_fast.files.exports.export import find_tool, read_export
    from agreement_fast.files.exports.tool import Options

    bundle = Bundle.of([str(path)])
    return read_export(find_tool(bundle, None), bundle, Options())


ROWS = {
    "Label Studio, choices and ratings": (write_choices, (read_json, read_table)),
    "Label Studio, two spans each": (write_spans, (read_json, read_units)),
    "Prodigy, choices": (write_prodigy, (read_lines, read_table)),
}


def measure(how, path):
    """Read in a process of its own."""
    output = subprocess.run(
        [sys.executable, __file__, "--read", how, path], check=True, capture_output=True, text=True
    )
    return json.loads(output.stdout)


def main(annotations):
    """Print a table."""
    for name, (write, readers) in ROWS.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "export.json"
            write(path, annotations)
            size = path.stat().st_size / 1e6
            print(f"{name}: {annotations:,} annotations, {size:,.0f} MB", flush=True)
            for reader in readers:
                result = measure(reader.__name__, str(path))
                print(
                    f"  {reader.__name__:<11}{result['seconds']:7.1f} s"
                    f"{result['megabytes']:8,.0f} MB{result['count']:12,}",
                    flush=True,
                )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        begin = time.perf_counter()
        count = globals()[sys.argv[2]](Path(sys.argv[3]))
        seconds = time.perf_counter() - begin
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"seconds": seconds, "megabytes": peak, "count": count}))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
