"""Input and output that Ray itself reads and writes, as in s3://bucket/mails: rows in, rows out, none by way of here.

Such a batch is not journalled: Ray gives lost work to others while it runs, and a run that ends early begins anew.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

from malafide.errors import BadSetting, UnreadableInput
from malafide.intake.labelled_files import Row
from malafide.volume.desk import Orders
from malafide.volume.output import format_of, put_in_place
from malafide.volume.over_ray import CPUS, Actor, Ledger, actors_for, connected
from malafide.volume.pieces import CHUNK, Form, Piece
from malafide.volume.purse import Purse
from malafide.volume.rows import Tally, schema
from malafide.volume.run import Plan, State
from malafide.volume.tables import as_text, with_columns

_NAMES: Final = ("id", "name", "message_id", "post_id", "email_id")
_LOOKED_AT: Final = 100
_PATH: Final = "path"
_BYTES: Final = "bytes"


def is_address(named: str) -> bool:
    """Whether Ray is to read or write it."""
    return "://" in named


class Rows(Actor):
    """Judges rows that Ray read, in place of chunks."""

    def __call__(self, batch: Mapping[str, Any]) -> Any:
        import pyarrow as pa

        columns = list(batch)
        rows = [dict(zip(columns, values, strict=True)) for values in zip(*batch.values(), strict=True)]
        pieces = [Piece(_name(row), cells={k: _plain(v) for k, v in row.items()}) for row in rows]
        task = hashlib.blake2b(repr(pieces).encode("utf-8", "replace"), digest_size=12).hexdigest()
        done = self.judge(task, pieces)
        if self._orders.output == "jsonl":
            return {"done": [done.rows]}
        return pa.ipc.open_stream(done.rows).read_all()


def _name(row: Mapping[str, Any]) -> str:
    named = next((str(row[key]) for key in _NAMES if row.get(key) is not None), "")
    path = PurePosixPath(str(row.get(_PATH, ""))).name
    return named if _BYTES not in row and named else path or named


def _plain(value: Any) -> Any:
    """A value as Python has it: Ray hands out numpy's."""
    return value.item() if hasattr(value, "item") else value.tolist() if hasattr(value, "tolist") else value


def run_on_addresses(plan: Plan, source: str, target: str, address: str | None) -> State:
    """Judges what is at one address, and writes it to another or to a file here."""
    if is_address(target) and not target.rstrip("/").endswith(".parquet"):
        raise BadSetting(f"the output {target!r} must end with .parquet; Ray writes a folder of that name")
    started = time.monotonic()
    form = format_of(Path(target.rstrip("/")))
    ray = connected(plan, address)
    try:
        tally = _run(ray, plan, source, target, address)
    finally:
        ray.shutdown()
    if form == "jsonl" or not is_address(target):
        put_in_place(_part(target), Path(target), form)
    seconds = time.monotonic() - started
    return State(tally, 0, 1.0, tally.cases / seconds, seconds, 0.0)


def _part(target: str) -> Path:
    return Path(f"{target}.part")


def _run(ray: Any, plan: Plan, source: str, target: str, address: str | None) -> Tally:
    from ray.data import ActorPoolStrategy

    rows = _read(source)
    form = _form(plan, rows, source)
    actors = actors_for(ray, plan, address)
    settings = Purse(plan.settings, actors).settings(0)
    orders = Orders(form, format_of(Path(target.rstrip("/"))), settings, plan.catalog)
    ledger = ray.remote(Ledger).options(num_cpus=0).remote()
    judged = (rows.limit(plan.limit) if plan.limit else rows).map_batches(
        Rows,
        fn_constructor_kwargs={"orders": orders, "ledger": ledger},
        batch_size=CHUNK,
        batch_format="numpy",
        compute=ActorPoolStrategy(size=actors),
        num_cpus=CPUS,
    )
    _write(judged, target, orders)
    tally = Tally()
    for one in ray.get(ledger.tallies.remote()):
        tally.add(Tally.of(one))
    return tally


def _read(source: str) -> Any:
    import ray.data

    suffix = PurePosixPath(source.rstrip("/")).suffix.lower()
    if suffix == ".parquet":
        return ray.data.read_parquet(source, include_paths=True)
    if suffix in (".jsonl", ".ndjson"):
        return ray.data.read_json(source, lines=True, include_paths=True)
    if suffix == ".csv":
        return ray.data.read_csv(source, include_paths=True)
    return ray.data.read_binary_files(source, include_paths=True)


def _form(plan: Plan, rows: Any, source: str) -> Form:
    form = Form(plan.panel, kind="cells")
    head = [{k: v for k, v in row.items() if k != _PATH} for row in rows.take(_LOOKED_AT)]
    if not head:
        raise UnreadableInput(f"there is nothing to judge in {source!r}")
    if _BYTES in head[0]:
        return replace(form, text=_BYTES)
    cells = [Row(n, f"row {n}", {k: as_text(v) for k, v in row.items()}) for n, row in enumerate(head, 1)]
    return with_columns(form, source, tuple(head[0]), cells, plan.columns, plan.labelled)


def _write(judged: Any, target: str, orders: Orders) -> None:
    if is_address(target):
        judged.write_parquet(target, mode="overwrite")
        return
    with _part(target).open("wb") as part:
        if orders.output == "jsonl":
            for row in judged.iter_rows():
                part.write(row["done"])
            return
        import pyarrow as pa

        for batch in judged.iter_batches(batch_format="pyarrow", batch_size=1_000):
            with pa.ipc.new_stream(part, schema()) as writer:
                writer.write_table(batch.cast(schema()))
