"""The part of a finished run in, the output out, whole or not at all; and its rows again, for who measures them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from malafide.errors import BadSetting, MissingExtra, UnwritableOutput
from malafide.volume.rows import Format, schema

_GROUP: Final = 10_000  # rows to a row group
_SUFFIXES: Final[dict[str, Format]] = {".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}


def format_of(output: Path) -> Format:
    """By its suffix. Parquet is refused here where it could not be written at the end."""
    found = _SUFFIXES.get(output.suffix.lower())
    if found is None:
        raise BadSetting(f"the output {output.name!r} must end with {', '.join(_SUFFIXES)}")
    if found == "parquet":
        try:
            import pyarrow.parquet  # noqa: F401
        except ImportError:
            raise MissingExtra(
                "Parquet needs pyarrow; install it with: pip install 'malafide[parquet]'"
            ) from None
    return found


def put_in_place(part: Path, output: Path, form: Format) -> None:
    """Nothing happens where the part is gone: it took its place before a kill."""
    if not part.exists():
        return
    try:
        if form == "parquet":
            fresh = output.with_name(f".{output.name}.new")
            _to_parquet(part, fresh)
            fresh.replace(output)
            part.unlink()
        else:
            part.replace(output)
    except OSError as error:
        raise UnwritableOutput(f"cannot write {str(output)!r}: {error.strerror or error}") from None


def rows_in(output: Path, form: Format) -> Iterator[dict[str, Any]]:
    """The rows of a finished output."""
    if form == "jsonl":
        with output.open("rb") as lines:
            for line in lines:
                yield json.loads(line)
        return
    import pyarrow.parquet as parquet

    with parquet.ParquetFile(output) as file:
        for batch in file.iter_batches(batch_size=1_000):
            for row in batch.to_pylist():
                yield {**row, "contract": json.loads(row["contract"]) if row["contract"] else None}


def _to_parquet(part: Path, fresh: Path) -> None:
    """Streams of one chunk each become row groups of many; no more than one of these is held."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    held: list[Any] = []
    rows = 0
    with part.open("rb") as stream, parquet.ParquetWriter(fresh, schema(), compression="zstd") as writer:
        size = os.fstat(stream.fileno()).st_size
        while stream.tell() < size:
            with pa.ipc.open_stream(stream) as reader:
                for batch in reader:
                    held.append(batch)
                    rows += batch.num_rows
            if rows >= _GROUP:
                writer.write_table(pa.Table.from_batches(held), row_group_size=rows)
                held, rows = [], 0
        writer.write_table(pa.Table.from_batches(held, schema=schema()), row_group_size=max(rows, 1))
