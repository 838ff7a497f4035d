"""Batches: many messages in one upload, judged in the background; how far they are; all answers as JSON Lines."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict
from datetime import datetime
from itertools import islice
from pathlib import Path as FilePath
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel
from starlette.datastructures import UploadFile

from malafide.errors import UnknownName, UnreadableInput
from malafide.judging import PanelName
from malafide.service import examples
from malafide.service.api.cases import TheDesk
from malafide.service.desk import Desk, as_json
from malafide.service.reading import plain_name
from malafide.service.security import READ, SUBMIT, Caller
from malafide.service.splitting import split
from malafide.store import Batch as StoredBatch
from malafide.store import NewCase

router = APIRouter(tags=["batches"])
BatchId = Annotated[str, Path(pattern="^b[0-9a-f]{20}$", description="The id of a batch.")]
_AT_ONCE: Final = 100  # cases of one transaction, and rows of one piece of an answer


class Batch(BaseModel):
    """How far a batch is."""

    id: str
    panel: str
    name: str
    who: str
    total: int
    created_at: datetime
    submitted: int
    judged: int
    failed: int
    answers: dict[str, int]
    done: bool


class BatchList(BaseModel):
    """Batches, newest first."""

    items: list[Batch]


_UPLOAD: Final = {
    "requestBody": {
        "required": True,
        "description": "A mailbox (mbox), CSV or TSV with a header, or JSON Lines; as it is, or as a file of a form.",
        "content": {
            "application/octet-stream": {
                "schema": {"type": "string", "format": "binary"},
                "example": '{"text": "Your parcel is held, pay at http://192.0.2.7/pay"}\n{"text": "Lunch at noon?"}\n',
            },
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {"file": {"type": "string", "format": "binary"}},
                    "required": ["file"],
                }
            },
        },
    }
}


@router.post(
    "/v1/batches",
    status_code=202,
    response_model=Batch,
    responses=examples.refusals(413, 503),
    openapi_extra=_UPLOAD,
)
async def new_batch(
    request: Request,
    desk: TheDesk,
    panel: Annotated[PanelName, Query()] = "spam",
    name: Annotated[str, Query(max_length=200, description="Its ending tells a table: .csv, .tsv.")] = "",
    caller: Caller = SUBMIT,
) -> Response:
    """Keeps every message of a file; they are judged in the background. Answered when all are kept."""
    with tempfile.TemporaryDirectory(prefix="malafide-") as folder:
        file = FilePath(folder) / "batch"
        with file.open("wb") as spool:
            named = await _receive(request, spool, plain_name(name))
        new = _Batch(desk, panel, named, caller.name)
        batch = await desk.ask(new.keep, file)
    desk.arrived.set()
    await desk.ask(desk.store.note, caller.name, "batch submitted", batch.id, f"{batch.total} cases")
    return JSONResponse(_document(batch), 202, {"Location": f"/v1/batches/{batch.id}"})


async def _receive(request: Request, spool: Any, name: str) -> str:
    """Writes the upload to a file as it comes; what it is called."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "multipart/form-data":
        async with request.form(max_files=1, max_fields=5) as form:
            file = form.get("file")
            if not isinstance(file, UploadFile):
                raise UnreadableInput("the form has no file named `file`")
            while part := await file.read(1 << 20):
                spool.write(part)
            return name or plain_name(file.filename or "")
    async for part in request.stream():
        spool.write(part)
    return name


class _Batch:
    """A batch on its way into the store, in a thread."""

    def __init__(self, desk: Desk, panel: PanelName, name: str, who: str) -> None:
        self._store = desk.store
        self._panel: PanelName = panel
        self._name, self._who = name, who

    def keep(self, file: FilePath) -> StoredBatch:
        """Counts the messages, then keeps them. A batch that cannot be read leaves nothing behind."""
        total = sum(1 for _ in split(file, self._name, self._panel))
        if not total:
            raise UnreadableInput("there is no message in the batch")
        batch = self._store.new_batch(self._panel, self._name, self._who, total)
        parts = split(file, self._name, self._panel)
        while some := list(islice(parts, _AT_ONCE)):
            self._store.submit_many(
                [NewCase(self._panel, name, content, self._who, batch) for name, content in some]
            )
        found = self._store.batch(batch)
        assert found is not None
        return found


@router.get("/v1/batches", dependencies=[READ], response_model=BatchList, responses=examples.refusals())
async def batches(desk: TheDesk) -> Response:
    """The newest hundred batches."""
    found = await desk.ask(desk.store.batches)
    return JSONResponse({"items": [_document(batch) for batch in found]})


@router.get("/v1/batches/{id}", dependencies=[READ], response_model=Batch, responses=examples.refusals(404))
async def batch(id: BatchId, desk: TheDesk) -> Response:
    """How far a batch is."""
    return JSONResponse(_document(await _known(desk, id)))


@router.get(
    "/v1/batches/{id}/rows",
    dependencies=[READ],
    response_class=StreamingResponse,
    responses={
        **examples.refusals(404),
        200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}},
    },
)
async def rows(id: BatchId, desk: TheDesk) -> Response:
    """Every case of a batch as a line of JSON, in the order it came: name, state, and the contract once judged."""
    await _known(desk, id)
    headers = {"Content-Disposition": f'attachment; filename="{id}.jsonl"'}
    return StreamingResponse(_rows(desk, id), media_type="application/x-ndjson", headers=headers)


async def _rows(desk: Desk, id: str) -> AsyncIterator[bytes]:
    lines = _lines(desk, id)
    while some := await desk.ask(lambda: list(islice(lines, _AT_ONCE))):
        yield b"".join(some)


def _lines(desk: Desk, id: str) -> Iterator[bytes]:
    for row in desk.store.batch_rows(id):
        line = row.line
        document: dict[str, Any] = {"name": line.name, "id": line.id, "state": line.state}
        if line.error:
            document["error"] = line.error
        yield as_json({**document, **row.contract})


async def _known(desk: Desk, id: str) -> StoredBatch:
    found = await desk.ask(desk.store.batch, id)
    if found is None:
        raise UnknownName(f"there is no batch {id!r}")
    return found


def _document(batch: StoredBatch) -> dict[str, Any]:
    return {**asdict(batch), "created_at": batch.created_at.isoformat(), "done": batch.done}
