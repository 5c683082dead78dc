"""Verdicts, and the tables and lists that are made of them."""

import collections
import dataclasses


@dataclasses.dataclass
class Row:
    folder: str
    kind: str  # accepted, rejected, lowered, run, only run, translated
    name: str
    verdict: str  # ok, wrong, other (rejected, but for another reason), refused, slow, apart (not counted)
    reason: str = ""


def folder_of(relative):
    return relative.parts[0] if len(relative.parts) > 1 else "."


def print_table(rows, kinds, sums, markdown):
    """A line for each folder and each sum; `sums` names those that a folder counts for."""
    counts = collections.defaultdict(collections.Counter)
    last = []
    for row in rows:
        for group in sums(row.folder):
            if group not in last:
                last.append(group)
        for group in (row.folder, *sums(row.folder)):
            count(counts[group], row)
    table = [["folder", *kinds]]
    for folder in sorted(set(counts) - set(last)) + sorted(last):
        table.append([folder, *(part(counts[folder], kind) for kind in kinds)])
    print_lines(table, markdown)


def count(counter, row):
    if row.verdict == "apart":
        return
    good = row.verdict == "ok" or (row.kind == "rejected" and row.verdict == "other")
    counter[row.kind] += good
    counter["all", row.kind] += 1
    if row.kind == "rejected":
        counter["for this reason"] += row.verdict == "ok"
        counter["all", "for this reason"] += 1


def part(counter, kind):
    whole = counter["all", kind]
    return f"{counter[kind]} of {whole}" if whole else "-"


def print_lines(table, markdown):
    print("\n".join(table_lines(table, markdown)))


def table_lines(table, markdown, left=1):
    """The table in aligned lines; the first row is its head, and the first `left` columns are words."""
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    lines = []
    for number, row in enumerate(table):
        cells = [cell.ljust(width) if i < left else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        lines.append("| " + " | ".join(cells) + " |" if markdown else "  ".join(cells))
        if number == 0 and markdown:
            lines.append("|" + "|".join("-" * (width + 2) if i < left else "-" * (width + 1) + ":" for i, width in enumerate(widths)) + "|")
    return lines


def print_failures(rows, titles, markdown):
    """Lists by kind and verdict, as `titles` names them; those of a "refused" verdict by reason."""
    for (kind, verdict), title in titles.items():
        failed = [row for row in rows if (row.kind, row.verdict) == (kind, verdict)]
        if not failed:
            continue
        print(f"\n{'### ' if markdown else ''}{title}: {len(failed)}\n")
        lines = by_reason(failed, markdown) if verdict == "refused" else one_by_one(failed, markdown)
        print("\n".join(lines))


def one_by_one(rows, markdown):
    return [f"- `{row.name}`: {row.reason}" if markdown else f"  {row.name}: {row.reason}" for row in rows]


def by_reason(rows, markdown):
    """A line for each reason, the most frequent first."""
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row.reason].append(f"`{row.name}`" if markdown else row.name)
    order = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    return [f"{'- ' if markdown else '  '}{reason}: {len(names)}: {', '.join(names)}" for reason, names in order]
