"""Copies public AD benchmarks, and edits what is written differently today."""

import shutil
import sys

EDITS = {
    "sc22/kmeans/sparse/kmeans_sparse.fut": [
        ("unflatten k columns cluster_centers_flat", "unflatten cluster_centers_flat"),
    ],
    "sc22/lbm/lbm.fut": [
        ("unflatten N_CELL_ENTRIES TOTAL_PADDED_CELLS grid_init",
         "unflatten (sized (N_CELL_ENTRIES * TOTAL_PADDED_CELLS) grid_init)"),
        ("flatten_to f (gather looped)", "sized f (flatten (gather looped))"),
    ],
}


def copy_programs(source, target):
    for path in source.rglob("*.fut"):
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


def edit_all(folder, *tables):
    """Tables of edits by file, such as EDITS."""
    for table in tables:
        for name, edits in table.items():
            edit(folder / name, edits)


def edit(path, edits):
    text = path.read_text()
    for old, new in edits:
        if text.count(old) != 1:
            sys.exit(f"{path.name}: `{old}` does not occur once")
        text = text.replace(old, new)
    path.write_text(text)
