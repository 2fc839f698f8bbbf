"""The benchmark report as one self-contained HTML page with tables, plots and all runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from satcross.compare.limits import CPU_LIMIT, TIME_LIMIT
from satcross.compare.plots import Plot
from satcross.compare.records import Record
from satcross.compare.scores import (
    PENALTY,
    VIRTUAL_BEST,
    Change,
    InstanceKey,
    RunResult,
    Score,
    Standings,
    crashed_on_all,
    reason_lines,
)
from satcross.compare.verdict import Verdict

_STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1b1b1f; --faint: #5d5d66;
  --line: #d8d8de; --stripe: #f5f5f8; --bad: #b3001b; --bad-ground: #fde8ea; --good: #00694a; }
@media (prefers-color-scheme: dark) { :root { --ground: #17181c; --ink: #e8e8ec;
  --faint: #a0a0aa; --line: #3a3b42; --stripe: #202127; --bad: #ff8b98;
  --bad-ground: #43161c; --good: #6fd6ad; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 75rem; background: var(--ground);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
p, li { max-width: 45rem; } .faint { color: var(--faint); font-size: .9rem; }
.bad { background: var(--bad-ground); color: var(--bad); border-left: .4rem solid var(--bad);
  padding: .6rem 1rem; margin: 1rem 0; } .bad h2 { margin: 0; } .bad li { max-width: none; }
.good { color: var(--good); font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; margin: .5rem 0; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid var(--line);
  font-variant-numeric: tabular-nums; white-space: nowrap; }
th { font-weight: 600; vertical-align: bottom; }
td:first-child, th:first-child, td.text, th.text { text-align: left; }
tbody tr:nth-child(even) { background: var(--stripe); }
td.best { font-weight: 700; } td.none { color: var(--faint); } td.wrong { color: var(--bad);
  font-weight: 700; } tr.virtual td { color: var(--faint); font-style: italic; }
figure { margin: 0; } figcaption { font-size: .9rem; color: var(--faint); }
.plots { display: grid; gap: 1.5rem;
  grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); }
.plots figure:first-child { grid-column: 1 / -1; max-width: 46rem; }
svg { width: 100%; height: auto; font-family: system-ui, sans-serif; }
summary { cursor: pointer; font-weight: 600; margin-top: 1rem; }
"""


def render(
    title: str,
    records: Sequence[Record],
    table: Standings,
    verdict: Verdict,
    plots: Sequence[Plot] | None,
    changes: Sequence[Change] | None,
    unmatched: Sequence[str] = (),
) -> str:
    """Return the HTML of the report.

    ``plots`` is None if matplotlib is not installed, ``changes`` is None without a baseline.
    ``unmatched`` has a line for each contender that can't be compared with the baseline.
    """
    parts = [
        f"<h1>{escape(title)}</h1>",
        _verdict(verdict),
        _about(records, table),
        "<h2>All puzzles</h2>",
        _scores(table.scores()) if table.shared else "<p>No puzzle was run by all contenders.</p>",
        _explanation(table),
        _unsolved(table),
    ]
    if changes is not None:
        parts += ["<h2>Since the baseline</h2>", _changes(changes, unmatched)]
    parts += ["<h2>Plots</h2>", _plots(plots, table)]
    families = table.families()
    if len(families) > 1:
        parts.append("<h2>Families</h2>")
        for family, instances in families.items():
            parts += [f"<h3>{escape(family or 'without a family')}</h3>"]
            parts.append(_scores(table.scores(instances)))
    parts += ["<h2>Every run</h2>", _runs(table)]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _verdict(verdict: Verdict) -> str:
    problems = verdict.problems()
    if not problems:
        return '<p class="good">No answer is wrong: no contradictions, every fill verified.</p>'
    items = "".join(f"<li>{escape(line)}</li>" for line in problems)
    return f'<div class="bad" role="alert"><h2>Wrong answers</h2><ul>{items}</ul></div>'


def _about(records: Sequence[Record], table: Standings) -> str:
    runs = [result.record for row in table.results.values() for result in row.values()]
    versions = Counter(
        ", ".join(f"{name} {value}" for name, value in one.versions.items()) for one in runs
    )
    machines = Counter(
        f"{one.machine.get('platform', '?')}, {one.machine.get('cpus', '?')} processors"
        for one in runs
    )
    lines = [
        f"{len(runs)} runs of {len(table.results)} contenders on "
        f"{len({one.puzzle for one in runs})} puzzles",
        *(f"{text} ({number} runs)" for text, number in versions.items()),
        *(f"{text} ({number} runs)" for text, number in machines.items()),
        *(f"limits: {text}" for text in dict.fromkeys(map(_limits, runs))),
    ]
    if table.unshared:
        lines.append(
            f"{table.unshared} puzzles are in no table, because not all contenders were run on them"
        )
    if table.note:
        lines.append(table.note)
    if table.superseded:
        lines.append(f"{table.superseded} runs are left out, because they were repeated later")
    return f'<ul class="faint">{"".join(f"<li>{escape(line)}</li>" for line in lines)}</ul>'


def _limits(record: Record) -> str:
    names = {"wall": "s of wall-clock time", "cpu": "s of processor time", "memory": "MiB"}
    limits = [
        f"{value:g} {names[name]}" for name, value in record.limits.items() if value is not None
    ]
    return f"{', '.join(limits) or 'none'}; {record.workers} worker(s)"


def _explanation(table: Standings) -> str:
    return (
        f'<p class="faint">Times are {table.measure.upper()} seconds of whole runs, summed over '
        f"their processes. PAR-2 is the mean time over all puzzles, where an unsolved puzzle costs "
        f"{PENALTY} times the limit. The median counts an unsolved puzzle as slower than any "
        "other, and is - if at least half are unsolved. Alone: puzzles that no other contender "
        "solved, except auto, which runs the other backends. Fastest: puzzles that no contender "
        "solved in less time. The virtual best is the fastest contender on each puzzle.</p>"
    )


def _unsolved(table: Standings) -> str:
    lines = [*reason_lines(table), *crashed_on_all(table)]
    if not lines:
        return ""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<h2>Why puzzles are unsolved</h2><ul>{items}</ul>"


def _scores(scores: Sequence[Score]) -> str:
    head = ("contender", "solved", "PAR-2 s", "median s", "alone", "fastest")
    real = [one for one in scores if one.contender != VIRTUAL_BEST]
    max_solved = max(one.solved for one in real)
    min_par2 = min(one.par2 for one in real)
    rows = []
    for one in scores:
        virtual = one.contender == VIRTUAL_BEST
        cells = [
            ("", one.contender),
            (
                "best" if one.solved == max_solved and not virtual else "",
                f"{one.solved}/{one.instances}",
            ),
            ("best" if one.par2 == min_par2 and not virtual else "", f"{one.par2:.2f}"),
            ("", "-" if one.median is None else f"{one.median:.2f}"),
            ("", "" if virtual else str(one.alone)),
            ("", "" if virtual else str(one.fastest)),
        ]
        rows.append(_row(cells, "virtual" if virtual else ""))
    return _table(head, rows)


def _changes(changes: Sequence[Change], unmatched: Sequence[str]) -> str:
    others = "".join(f"<li>{escape(line)}</li>" for line in unmatched)
    if not changes:
        return f"<p>No contender can be compared with the baseline.</p><ul>{others}</ul>"
    head = ("contender", "pairs", "time now / baseline", "95% interval", "", "lost", "gained")
    rows = []
    lists = []
    for one in changes:
        mark = {"slower": "wrong", "faster": "best"}.get(one.judgement, "none")
        rows.append(
            _row(
                [
                    ("", one.contender),
                    ("", str(one.pairs)),
                    (mark, f"{one.ratio:.3f}"),
                    ("", f"{one.low:.3f} to {one.high:.3f}"),
                    (mark, one.judgement),
                    ("wrong" if one.lost else "", str(len(one.lost))),
                    ("best" if one.gained else "", str(len(one.gained))),
                ]
            )
        )
        for word, records in (("no longer solves", one.lost), ("now solves", one.gained)):
            if records:
                names = ", ".join(record.puzzle_name for record in records)
                lists.append(f"<li>{escape(f'{one.contender} {word} {names}')}</li>")
    return (
        _table(head, rows)
        + f"<ul>{''.join(lists)}{others}</ul>"
        + '<p class="faint">Geometric mean of the ratio of costs (time, or twice the limit for an '
        "unsolved puzzle) over the puzzles solved now or in the baseline, with a bootstrap "
        "confidence interval.</p>"
    )


def _plots(plots: Sequence[Plot] | None, table: Standings) -> str:
    if plots is None:
        return "<p>Plots need matplotlib: <code>pip install 'satcross[report]'</code>.</p>"
    figures = "".join(
        f'<figure role="img" aria-label="{escape(one.title)}">{one.svg}'
        f"<figcaption>{escape(one.title)}</figcaption></figure>"
        for one in plots
    )
    return (
        f'<div class="plots">{figures}</div><p class="faint">The cactus plot shows how many '
        "puzzles a contender solves within a time limit for each; further right and lower is "
        "better. In the scatter plots, each point is a puzzle; points on a dotted line are "
        "unsolved.</p>"
    )


def _runs(table: Standings) -> str:
    instances = list(dict.fromkeys(one for its in table.results.values() for one in its))
    several = len({seed for _, seed in instances}) > 1
    head = ["puzzle", "family", "expected", *table.contenders]
    rows = [_run_row(table, one, several) for one in instances]
    return (
        "<details open><summary>Seconds, or why there is no answer</summary>"
        + _table(head, rows, texts=3)
        + "</details>"
    )


def _run_row(table: Standings, instance: InstanceKey, several: bool) -> str:
    record = table.record(instance)
    results = {name: its.get(instance) for name, its in table.results.items()}
    known = [one.seconds for one in results.values() if one and one.seconds is not None]
    fastest = min(known) if len(known) > 1 else None
    seed = f", seed {instance[1]}" if several else ""
    about = (record.puzzle_name + seed, record.family, record.expected or "")
    cells = [("text", text) for text in about]
    cells += [_run_cell(table, one, fastest) for one in results.values()]
    return _row(cells)


def _run_cell(table: Standings, result: RunResult | None, fastest: float | None) -> tuple[str, str]:
    if result is None:
        return "none", "not run"
    record = result.record
    if result.seconds is not None:
        text = f"{record.status} {result.seconds:.2f}"
        return ("best" if result.seconds == fastest else ""), text
    if record.answered or record.status == "wrong":
        return "wrong", f"wrong: {record.status}"
    text = record.reason or record.status
    # The limit that ended the run may be on another clock than the measured one.
    for reason, name, clock in ((TIME_LIMIT, "wall", "on the clock"), (CPU_LIMIT, "cpu", "CPU")):
        limit = record.limits.get(name)
        if text == reason and limit is not None:
            return "none", f"over {limit:g} s {clock}"
    return "none", text


def _row(cells: Iterable[tuple[str, str]], style: str = "") -> str:
    inner = "".join(
        f'<td class="{mark}">{escape(text)}</td>' if mark else f"<td>{escape(text)}</td>"
        for mark, text in cells
    )
    return f'<tr class="{style}">{inner}</tr>' if style else f"<tr>{inner}</tr>"


def _table(head: Sequence[str], rows: Sequence[str], *, texts: int = 1) -> str:
    """Return an HTML table whose first ``texts`` columns are text and whose others are numbers."""
    titles = "".join(
        f'<th scope="col"{" class=text" if index < texts else ""}>{escape(one)}</th>'
        for index, one in enumerate(head)
    )
    return (
        f'<div class="wide"><table><thead><tr>{titles}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
