"""A GGUF file as a server in this process, on a loopback port that speaks the OpenAI format."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any, Final

from malafide.errors import BadSetting

_CONTEXT_TOKENS: Final = 16_384
_lock = threading.Lock()
_running: dict[str, Any] = {}  # by file; a model is loaded once and lives as long as the process


def start(file: str) -> str:
    """The address of the server of that file, started when it is not running yet."""
    import xllamacpp

    with _lock:
        key = str(Path(file).expanduser().resolve())
        if key not in _running:
            _running[key] = _server(xllamacpp, key)
        address: str = _running[key].listening_address
        return address


def _server(xllamacpp: Any, file: str) -> Any:
    params = xllamacpp.CommonParams()
    params.model.path = file
    params.port = 0
    params.n_ctx = _CONTEXT_TOKENS
    params.n_parallel = 1
    params.verbosity = -1
    # More threads than free cores make it far slower: on two busy cores two threads fell to 0.5 tokens a second.
    threads = max(1, (os.cpu_count() or 1) // 2)
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise BadSetting(f"model file {file!r} cannot be run: {error}") from None
