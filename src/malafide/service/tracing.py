"""Requests and rulings as OpenTelemetry spans, where the operator names an endpoint; no span holds words of a message.

The endpoint is named as everywhere: OTEL_EXPORTER_OTLP_ENDPOINT, or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from opentelemetry import trace

from malafide.errors import MissingExtra
from malafide.version import VERSION

if TYPE_CHECKING:
    from fastapi.telemetry import TelemetryConfig
    from opentelemetry.sdk.trace import TracerProvider

_ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
# What a caller writes: a name of a file, words that are searched for.
_WORDS: Final = ("url.query", "url.full", "url.path")
tracer: Final = trace.get_tracer("malafide", VERSION)


def telemetry(environ: Mapping[str, str] = os.environ) -> TelemetryConfig:
    """What the framework records: nothing, or requests by their route."""
    wanted = any(environ.get(name) for name in _ENDPOINTS)
    if wanted and environ.get("OTEL_SDK_DISABLED", "").lower() != "true":
        provider = _provider()
        trace.set_tracer_provider(provider)
        return {
            "tracer_provider": provider, "tracing": True, "metrics": False, "logs": False,
            "operation_spans": False, "auto_configure": False,
        }  # fmt: skip
    return {
        "tracing": False, "metrics": False, "logs": False, "operation_spans": False, "auto_configure": False,
    }  # fmt: skip


def _provider() -> TracerProvider:
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import Span, SpanProcessor, TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise MissingExtra(
            f"{_ENDPOINTS[0]} is set, and traces need the extra 'otel': pip install 'malafide[otel]'"
        ) from None

    class Wordless(SpanProcessor):
        """Blots out what a caller wrote, before a span goes anywhere."""

        def on_start(self, span: Span, parent_context: object = None) -> None:  # noqa: ARG002
            for name in _WORDS:
                if name in (span.attributes or {}):
                    span.set_attribute(name, "")

    provider = TracerProvider(
        resource=Resource.create({SERVICE_NAME: "malafide", "service.version": VERSION})
    )
    provider.add_span_processor(Wordless())
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider
