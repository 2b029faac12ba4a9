"""Threads: the same bits for any number of them, in children of any kind, and among the user's own.

The number of threads and the size from which they are used are set by the tests, so that small
tables are cut as large ones are.
"""

import gc
import itertools
import multiprocessing
import os
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
import reference
from loops import nonempty
from route_names import ROUTES, sums_by
from strategies import seeded
from test_against_reference import CELLS, assert_cells, wide

import agreement_fast as af
from agreement_fast._kernels import parallel
from agreement_fast.reading.kept_moments import group_counts

DISTANCES = ["nominal", "ordinal", "interval", "linear", "ratio", "circular:24", "bipolar:0:1000"]
MANY = [2, 3, 7]

SMALL = {
    "agreement_fast._kernels.parallel.SMALL": 10,
    "agreement_fast.patterns.FEW_ROWS": 1,
    "agreement_fast.patterns.CELLS_A_ROW": 1 << 17,
    "agreement_fast.distances.sums.rows.FEW": 16,
    "agreement_fast.reading.kept_moments.CHUNK": 16,
    "agreement_fast.distances.sums.categories.CELLS_A_JUDGMENT": 1 << 17,
    "agreement_fast.distances.sums.categories.CHUNK": 16,
    "agreement_fast.distances.sums.categories.ROWS_AT_ONCE": 16,
    "agreement_fast.distances.forms.RATIONAL_ROWS": 2,
}


@pytest.fixture
def threads(monkeypatch):
    """Cut small tables for threads; set their number by calling the fixture."""
    for name, value in SMALL.items():
        monkeypatch.setattr(name, value)

    def use(number):
        monkeypatch.setattr("agreement_fast._kernels.parallel.available", lambda: number)

    return use


@pytest.fixture
def pools(monkeypatch):
    """How many threads shared work each time that any did."""
    options = []

    class Watched(parallel.Helpers):
        def ask(self, call, number):
            options.append(number + 1)
            super().ask(call, number)

    watched = Watched()
    monkeypatch.setattr("agreement_fast._kernels.parallel.HELPERS", watched)
    yield options
    watched.end()


def integers(n=300, width=4, k=5, seed=0):
    """A table of small integers, -1 being missing."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, (n, 1))
    table = np.where(rng.random((n, width)) < 0.6, truth, rng.integers(0, k, (n, width)))
    table[rng.random((n, width)) < 0.2] = -1
    return table.astype(np.int8)


WEIGHTS = np.random.default_rng(1).integers(0, 10**12, 300)


def judgments(keep=slice(None)):
    """Three columns: 900 judgments of 300 items by 400 coders."""
    items = np.repeat(np.arange(300), 3)
    coders = (items * 31 + np.tile([0, 101, 205], 300)) % 400
    return items[keep], coders[keep], np.random.default_rng(2).integers(0, 6, 900)[keep]


def floats():
    """Numbers that are not whole, some missing."""
    array = integers(k=25) * 0.37 + 1.1
    array[array < 1.1] = np.nan
    return array


def uncounted():
    """Annotations of numbers that nobody counted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agreement_fast.reading.labels.FEW", 0)
        data = af.Annotations.from_wide(floats())
    assert data.uncounted
    return data


DATA = {
    "table": lambda: af.Annotations.from_wide(integers(), missing=-1),
    "Fortran": lambda: af.Annotations.from_wide(np.asfortranarray(integers()), missing=-1),
    "weights": lambda: af.Annotations.from_wide(integers(), missing=-1, weights=WEIGHTS),
    "complete": lambda: af.Annotations.from_wide(np.abs(integers())),
    "wide": lambda: af.Annotations.from_wide(integers(width=20), missing=-1),
    "categories": lambda: af.Annotations.from_wide(integers(k=127).astype("i2") * 3, missing=-3),
    "lists": lambda: af.Annotations.from_long(*judgments()),
    "floats": lambda: af.Annotations.from_wide(floats()),
    "uncounted": uncounted,
    "counts": lambda: af.Annotations.from_counts((integers() + 1).astype(np.int8)),
    "merged": lambda: af.concat(
        [af.Annotations.from_wide(integers(seed=s), missing=-1) for s in range(3)], keep_items=False
    ),
}


def bits(data, distances=DISTANCES, chances=reference.CHANCES):
    """Every cell of some distances, to the last bit, in the order asked."""
    result = []
    for distance in distances:
        for chance, item_weight, incomplete in CELLS:
            if chance not in chances:
                continue
            if data.coders is None and (chance == "individual" or incomplete == "complete"):
                continue
            cell = af.agreement(
                data,
                chance=chance,
                item_weight=item_weight,
                distance=distance,
                incomplete=incomplete,
            )
            result.append(
                (
                    cell.value.hex(),
                    cell.observed_disagreement.hex(),
                    cell.expected_disagreement.hex(),
                    cell.n_items,
                    cell.n_judgments,
                )
            )
    return result


# ---------------------------------------------------------------- any number of threads


@pytest.mark.few("table", "lists", "floats", "counts", "merged")
@pytest.mark.parametrize("name", DATA)
def test_results_are_the_same_bits_for_any_number_of_threads(threads, pools, name):
    """Sums are cut by the data, not by the threads, and added exactly."""
    threads(1)
    moments = ["pooled_unbiased", "pooled", "individual"]
    once = bits(DATA[name](), ["interval"], moments), bits(DATA[name]())
    assert not pools
    assert len({cell[0] for cell in once[1]}) > 10
    for number in MANY:
        threads(number)
        result = bits(DATA[name](), ["interval"], moments), bits(DATA[name]())
        assert result == once, number
        assert max(pools) <= number
    assert {2, 3, 7} <= set(pools)


@pytest.mark.few
@pytest.mark.parametrize("name", ["table", "weights", "complete", "lists", "categories"])
@pytest.mark.parametrize("route", ROUTES)
def test_every_route_gives_the_same_bits_for_any_number_of_threads(threads, route, name):
    """And so does each route, if it can be taken at all."""

    def run():
        data = DATA[name]()
        try:
            data.memo["sums", 1] = sums_by(data, route)
        except ValueError as error:
            return str(error)
        return bits(data, ["nominal", "ordinal", "linear"])

    threads(1)
    once = run()
    assert isinstance(once, list) or (name, route) in {
        ("lists", "keys"),
        ("weights", "keys"),
        ("categories", "keys"),
        ("categories", "counts"),
    }
    for number in MANY:
        threads(number)
        assert run() == once, number


@pytest.mark.parametrize("slots", [4, 16, 64, 256, 1024])
def test_how_counts_are_grouped_does_not_depend_on_threads(threads, monkeypatch, slots):
    """A hash table that one thread fills up is full for several: none of the items is lost."""
    monkeypatch.setattr("agreement_fast.reading.kept_moments.SLOTS", (slots,))
    table = np.random.default_rng(3).integers(0, 6, (500, 6)).astype(np.int8)

    def run():
        rows = af.Annotations.from_wide(table).rows
        result = group_counts(rows, 6)
        return None if result is None else (result.repeats.tolist(), result.weights.tolist())

    threads(1)
    once = run()
    assert (once is None) == (slots < 1024)
    for number in MANY:
        threads(number)
        assert run() == once, number


@pytest.mark.parametrize("name", ["table", "weights", "lists", "merged", "categories"])
def test_tables_are_the_same_for_any_number_of_threads(threads, name):
    """Marginals, contingency tables, coincidences and patterns."""

    def run():
        data = DATA[name]()
        few = data.select(coders=data.coders[:5])
        return (
            data.categories,
            data.to_counts().tolist(),
            data.coder_marginals().tolist(),
            few.contingency_tables().tolist(),
            data.coincidence_matrix().tolist(),
            [part.tolist() for part in few.patterns()],
            data.n_judgments,
            [float.hex(x) for x in (af.observed_agreement(data).value,)],
        )

    threads(1)
    once = run()
    for number in MANY:
        threads(number)
        assert run() == once, number


def test_contingency_tables_of_all_pairs_are_those_of_each(threads):
    """Counted by bits over threads, or pair by pair: the same."""
    table = integers(n=1000, width=6)
    data = af.Annotations.from_wide(table, missing=-1)
    for number in (1, 3):
        threads(number)
        result = data.contingency_tables()
        pairs = [(a, b) for a in range(6) for b in range(a + 1, 6)]
        assert len(result) == len(pairs)
        for (a, b), counts in zip(pairs, result, strict=True):
            by_hand = np.zeros((5, 5), int)
            both = (table[:, a] >= 0) & (table[:, b] >= 0)
            np.add.at(by_hand, (table[both, a], table[both, b]), 1)
            np.testing.assert_array_equal(counts, by_hand)
            np.testing.assert_array_equal(data.contingency_table(a, b), by_hand)


@pytest.mark.parametrize("number", [1, *MANY])
def test_threads_give_what_the_definitions_give(threads, number):
    """Not only the same: the rational reference."""
    threads(number)
    table = seeded(5, 60, 4, range(5), missing=0.2, heaviest=4)
    for distance, exact in (("nominal", reference.nominal), ("ordinal", reference.ordinal)):
        assert_cells(wide(table), distance, table.cube(exact))


# ---------------------------------------------------------------- the pool


def test_small_work_stays_on_the_calling_thread(pools):
    """Below the size at which a second thread pays, none is started."""
    table = integers(n=2000)
    bits(af.Annotations.from_wide(table, missing=-1), ["nominal", "interval", "ratio"])
    af.Annotations.from_wide(table, missing=-1).contingency_tables()
    assert pools == []


@pytest.mark.skipif(parallel.available() < 2, reason="one processor")
def test_large_work_is_shared_out(pools):
    """From two million short rows on, threads are used without being asked for."""
    table = np.tile(integers(n=1000), (2100, 1))
    large = af.alpha(af.Annotations.from_wide(table, missing=-1))
    assert pools
    assert large.observed_disagreement == pytest.approx(
        af.alpha(af.Annotations.from_wide(table[:1000], missing=-1)).observed_disagreement,
        rel=1e-14,
    )


def test_results_come_in_the_order_of_the_pieces(monkeypatch):
    """No matter which thread finishes first."""
    monkeypatch.setattr("agreement_fast._kernels.parallel.available", lambda: 4)
    turn = [threading.Event() for _ in range(5)]
    turn[4].set()

    def work(first, last):
        assert turn[first + 1].wait(30)  # the last piece is done first
        turn[first].set()
        return (first, last)

    pieces = parallel.ranges(4, 4)
    assert parallel.run(work, pieces, 10**9) == pieces == [(0, 1), (1, 2), (2, 3), (3, 4)]


@pytest.mark.parametrize("others_too", [False, True])
def test_an_error_in_a_thread_reaches_the_caller(monkeypatch, others_too):
    """The first piece's of those that raise, in any order of threads, and holds no memory."""
    monkeypatch.setattr("agreement_fast._kernels.parallel.available", lambda: 3)
    gc.disable()
    try:
        for _ in range(50):
            array = np.zeros(10)
            gone = weakref.ref(array)

            def work(first, last, array=array):
                if others_too or first == 1:
                    raise ZeroDivisionError(first + array[0])
                return first

            with pytest.raises(ZeroDivisionError, match="0.0" if others_too else "1.0"):
                parallel.run(work, [(i, i + 1) for i in range(9)], 10**9)
            del work, array
            assert eventually(lambda gone=gone: gone() is None)
    finally:
        gc.enable()


def eventually(true, patience=10.0):
    """Whether something becomes true soon; a helper lets go of its work after the caller has it."""
    end = time.monotonic() + patience
    while not true() and time.monotonic() < end:
        time.sleep(0.001)
    return true()


def helping():
    """The threads that help."""
    return {thread for thread in threading.enumerate() if thread.name == "agreement_fast"}


def together(number):
    """Work with one piece for each thread, and threads that wait for each other."""
    barrier = threading.Barrier(number)

    def work(first, last):
        barrier.wait(30)
        return threading.current_thread()

    return parallel.run(work, [(i, i + 1) for i in range(number)], 10**9, number)


def test_one_pool_is_kept(pools):
    """Threads are started once, and no more than were asked for."""
    before = helping()
    first = set(together(3))
    assert threading.current_thread() in first
    assert len(first) == 3
    for _ in range(20):
        assert set(together(3)) == first
    assert len(set(together(4)) - first) == 1
    assert len(helping() - before) == 3
    assert pools == [3] * 21 + [4]


def test_the_pool_holds_nothing_afterwards():
    """Neither what was worked on nor what came of it."""
    array = np.zeros(10)
    gone = weakref.ref(array)

    def work(first, last, array=array):
        return array[first:last]

    result = parallel.run(work, parallel.ranges(10, 5), 10**9, 3)
    assert len(result) == 5
    del work, array, result
    assert eventually(lambda: gone() is None)


def test_an_error_of_a_helper_holds_nothing_afterwards():
    """Its traceback ends with it, without a collection of garbage."""
    both, caller = threading.Barrier(2), threading.current_thread()
    array = np.zeros(10)
    gone = weakref.ref(array)

    def work(first, last, array=array):
        both.wait(30)
        if threading.current_thread() is not caller:
            raise ZeroDivisionError(array[0])

    gc.disable()
    try:
        with pytest.raises(ZeroDivisionError):
            parallel.run(work, [(0, 1), (1, 2)], 10**9, 2)
        del work, array
        assert eventually(lambda: gone() is None, 2.0)
    finally:
        gc.enable()


@pytest.mark.parametrize("number", [2, 3])
def test_calls_inside_calls_need_no_further_thread(number):
    """Every thread may be busy: who asks does the work."""

    def sums(first, last):
        return sum(parallel.run(lambda a, b: b - a, parallel.ranges(100, 7), 10**9, number))

    def deep(task):
        return [*parallel.in_order(lambda more: more + sums(0, 1), range(task, task + 5), number)]

    result = list(parallel.in_order(deep, range(12), number))
    assert result == [[task + i + 100 for i in range(5)] for task in range(12)]


def test_calls_at_the_same_time_share_the_pool():
    """Each gets its own results, in any thread."""

    def ask(i):
        return parallel.run(lambda a, b: (i, a), parallel.ranges(200, 50), 10**9, 3)

    with ThreadPoolExecutor(6) as pool:
        for i, result in enumerate(pool.map(ask, range(60))):
            assert result == [(i, a) for a in range(0, 200, 4)]


@pytest.mark.parametrize("number", [2, 3])
def test_tasks_are_taken_a_few_ahead_and_dropped_when_nobody_wants_them(number):
    """As long studies and Ctrl-C need it."""
    begun, release = [], threading.Event()

    def work(task):
        begun.append(task)
        if task > 3:
            release.wait(30)
        return task

    drawn = []
    tasks = (drawn.append(i) or i for i in range(10**6))
    results = parallel.in_order(work, tasks, number)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    assert len(drawn) <= 3 + 2 * number
    release.set()
    results.close()
    assert len(begun) <= 3 + 2 * number
    before = list(begun)
    together(2)
    assert begun == before


def test_ctrl_c_ends_a_call_and_the_pool_goes_on():
    """What helpers have begun ends first; nothing else is begun."""
    begun, ended, both = [], [], threading.Barrier(2)

    def work(first, last):
        begun.append(first)
        if first < 2:
            both.wait(30)
        if threading.current_thread() is threading.main_thread():
            raise KeyboardInterrupt
        time.sleep(0.05)
        ended.append(first)

    with pytest.raises(KeyboardInterrupt):
        parallel.run(work, [(i, i + 1) for i in range(20)], 10**9, 2)
    assert len(begun) == 2
    assert len(ended) == 1
    assert len(set(together(2))) == 2


def test_a_system_that_gives_no_thread_computes_without(monkeypatch):
    """And holds no calls for threads that there are not."""
    watched = parallel.Helpers()
    monkeypatch.setattr("agreement_fast._kernels.parallel.HELPERS", watched)

    def start(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    result = parallel.run(lambda a, b: a, parallel.ranges(40, 8), 10**9, 4)
    assert result == list(range(0, 40, 5))
    assert watched._calls.empty()


@pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity") or parallel.available() < 2, reason="one processor"
)
def test_helpers_keep_to_the_processors_of_who_asks():
    """Also where a program gives processors back, and takes them again."""
    everything = os.sched_getaffinity(0)
    few = {min(everything)}

    def where():
        both = threading.Barrier(2)

        def work(first, last):
            both.wait(30)
            return os.sched_getaffinity(0)

        return parallel.run(work, [(0, 1), (1, 2)], 10**9, 2)

    try:
        assert where() == [everything] * 2
        os.sched_setaffinity(0, few)
        assert parallel.available() == 1
        assert where() == [few] * 2
    finally:
        os.sched_setaffinity(0, everything)
    assert where() == [everything] * 2
    assert eventually(lambda: len(helping()) <= 6)


PROGRAM = """
import atexit, os, sys, threading
import numpy as np
import agreement_fast as af
from agreement_fast._kernels import parallel

parallel.available = lambda: 3
parallel.SMALL = 10
table = np.random.default_rng(1).integers(0, 5, (20_000, 3))
expected = af.alpha(table).value

def again():
    assert af.alpha(table).value == expected
    print("computed", flush=True)

again()
assert any(thread.name == "agreement_fast" for thread in threading.enumerate())
"""


def run_program(more):
    """How often a program computes that is run with warnings as errors."""
    options = ["-X", "dev", "-W", "error"]
    result = subprocess.run(
        [sys.executable, *options, "-c", PROGRAM + more],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (result.returncode, result.stderr) == (0, ""), result.stderr
    return result.stdout.count("computed")


def test_a_program_ends_with_its_helpers():
    """Without a word, and computing while it ends."""
    assert run_program("") == 1
    assert run_program("atexit.register(again)") == 2
    assert run_program("parallel.atexit.unregister(parallel.HELPERS.end)") == 1
    later = "lambda: (threading.main_thread().join(), again())"
    assert run_program(f"threading.Thread(target={later}).start()") == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_fork_finds_no_helpers():
    """So that Python does not warn of threads that the child lacks, and no lock is held there."""
    forking = """
child = os.fork()
assert not any(thread.name == "agreement_fast" for thread in threading.enumerate())
again()
if not child:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""
    assert run_program(forking * 2) == 5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_fork_waits_for_no_helper_that_works():
    """Its thread is lost to the child, which computes all the same."""
    busy = """
done = threading.Event()
both = threading.Barrier(2)

def work(first, last):
    both.wait()
    done.wait()

user = threading.Thread(target=parallel.run, args=(work, [(0, 1), (1, 2)], 10**9, 2))
user.start()
import time, warnings
time.sleep(0.2)
warnings.simplefilter("ignore", DeprecationWarning)
child = os.fork()
again()
if not child:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
done.set()
user.join()
"""
    assert run_program(busy) == 3


@pytest.mark.parametrize("n", [0, 1, 2, 7, 10**6])
@pytest.mark.parametrize("pieces", [1, 2, 3, 7])
def test_ranges_cover_everything_once(n, pieces):
    """Runs of nearly equal length, none empty unless nothing is there."""
    result = parallel.ranges(n, pieces)
    assert result[0][0] == 0
    assert result[-1][1] == n
    assert all(a[1] == b[0] for a, b in itertools.pairwise(result))
    assert len(result) == max(1, min(n, pieces))
    lengths = {last - first for first, last in result}
    assert max(lengths) - min(lengths) <= 1


# ---------------------------------------------------------------- children, and the user's threads


def large():
    """Annotations of enough rows for threads at their usual size."""
    return af.Annotations.from_wide(np.tile(integers(n=1000), (2100, 1)), missing=-1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_computes_after_its_parent_used_threads(pools):
    """A child does not wait for threads that it does not have."""
    data = large()
    here = af.alpha(data, "ordinal")
    if parallel.available() > 1:
        assert pools
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(1, mp_context=context) as child:
        fresh = child.submit(af.alpha, np.tile(integers(n=1000), (2100, 1)), "ordinal")
        same = child.submit(af.alpha, data, "ordinal")
        tables = child.submit(af.Annotations.contingency_tables, data)
        assert same.result(60) == here
        assert fresh.result(60).n_items == 2_100_000
        np.testing.assert_array_equal(tables.result(60), data.contingency_tables())


def test_a_spawned_child_computes_the_same():
    """Annotations and results travel to a new interpreter and back."""
    data = large()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as child:
        results = [child.submit(af.alpha, data, name) for name in ("nominal", "interval")]
        outcome = [result.result(120) for result in results]
    assert outcome == [af.alpha(data, name) for name in ("nominal", "interval")]


@pytest.mark.few("table", "lists", "floats")
@pytest.mark.parametrize("name", DATA)
def test_several_threads_may_ask_the_same_annotations(threads, name):
    """What is computed once and remembered is the same in any order of threads."""
    threads(2)
    options = [("alpha", d) for d in DISTANCES] + [("ac", "nominal"), ("alpha_prime", "linear")]
    if name != "counts":
        options += [("beta", "interval"), ("kappa", "nominal")]
    expected = [af.agreement(DATA[name](), c, distance=d) for c, d in options]
    for _ in range(5):
        data = DATA[name]()
        start = threading.Barrier(len(options))

        def ask(one, data=data, start=start):
            start.wait(30)
            return af.agreement(data, one[0], distance=one[1])

        with ThreadPoolExecutor(len(options)) as pool:
            result = list(pool.map(ask, options))
        for here, there in nonempty(zip(result, expected, strict=True)):
            assert here.value == pytest.approx(there.value, rel=1e-12, nan_ok=True)
            assert here.n_judgments == there.n_judgments


def test_numbers_may_be_counted_by_several_threads_at_once(monkeypatch):
    """A thread that comes while another one still counts the categories waits or counts, too."""
    from agreement_fast import annotations

    slow, both = annotations.as_table, threading.Barrier(4)

    def as_table(*arguments):
        time.sleep(0.02)
        return slow(*arguments)

    monkeypatch.setattr("agreement_fast.annotations.as_table", as_table)
    data = uncounted()

    def ask(i):
        both.wait(30)
        time.sleep(0.005 * i)
        return data.to_counts().sum(), af.alpha(data).value

    with ThreadPoolExecutor(4) as pool:
        result = list(pool.map(ask, range(4)))
    assert len(set(result)) == 1
    assert result[0][1] == af.alpha(uncounted()).value


@pytest.mark.skipif(os.name == "nt", reason="SIGINT is POSIX")
@pytest.mark.parametrize(
    "call", ["diagnostics.pairwise_agreement(table).mean", "af.bootstrap(table, 'kappa')"]
)
def test_ctrl_c_ends_long_work_on_many_coders(call):
    """The work after the signal is a fraction of the seconds that all of it would take."""
    script = (
        "import os, signal, threading, time, numpy as np\n"
        "import agreement_fast as af\n"
        "from agreement_fast import diagnostics\n"
        "table = np.random.default_rng(0).integers(0, 5, (3000, 1500)).astype(np.int8)\n"
        "sent = []\n"
        "def send():\n"
        "    start = time.process_time()\n"
        "    while time.process_time() < start + 1.2:\n"
        "        time.sleep(0.01)\n"
        "    sent.append(time.process_time())\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Thread(target=send, daemon=True).start()\n"
        "try:\n"
        f"    {call}\n"
        "except KeyboardInterrupt:\n"
        "    print(time.process_time() - sent[0])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    # Kernels that a sanitizer watches take several times as long.
    watched = "libasan" in os.environ.get("LD_PRELOAD", "")
    assert float(done.stdout) < (10 if watched else 1), done.stdout
