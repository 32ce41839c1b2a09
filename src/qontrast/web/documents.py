"""The OpenAPI document: FastAPI's, with the models of our questions and the shape of our errors."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from .answers import ANSWERS, Answer

ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {"type": "string", "description": "what is wrong, and the way out"},
        "kind": {"type": "string", "description": "the kind of error, such as InvalidQbaf or UndefinedStrength"},
        "arguments": {"type": "array", "items": {"type": "string"}, "description": "the arguments that still move"},
    },
}
FAILURES = {
    400: "the host is not one that this server answers to",
    401: "the token is missing",
    403: "the request comes from a page of another origin",
    408: "the body did not arrive in time",
    413: "the body is over the limit",
    415: "the body is not JSON",
    422: "the question makes no sense, or asks for more than the limits allow; or strengths are undefined",
    503: "no answer in time, or too many questions at once; try again",
}


def responses(call: Answer) -> dict[int | str, dict[str, Any]]:
    """What a question may be answered with."""
    made: dict[int | str, dict[str, Any]] = {
        200: {
            "description": call.summary,
            "content": {media: {"schema": _schema(media)} for media in call.media},
        }
    }
    for status, description in FAILURES.items():
        made[status] = _failure(description)
    return made


def _schema(media: str) -> dict[str, Any]:
    if media == "application/json":
        return {"type": "object", "required": ["schema"], "properties": {"schema": {"type": "string"}}}
    return {"type": "string"} if media.startswith(("text/", "image/svg")) else {"type": "string", "format": "binary"}


def _failure(description: str) -> dict[str, Any]:
    return {
        "description": description,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }


def described(made: FastAPI) -> dict[str, Any]:
    """The document, made once."""
    if made.openapi_schema is None:
        document = get_openapi(
            title=made.title,
            version=made.version,
            summary=made.summary,
            description=made.description,
            routes=made.routes,
        )
        models = {call.asks: None for call in ANSWERS.values()}
        _, schemas = models_json_schema(
            [(model, "validation") for model in models], ref_template="#/components/schemas/{model}"
        )
        components = document.setdefault("components", {}).setdefault("schemas", {})
        for unused in ("HTTPValidationError", "ValidationError"):
            components.pop(unused, None)
        components |= schemas.get("$defs", {}) | {"Error": ERROR}
        for path in document["paths"].values():
            for operation in path.values():
                _complete(operation)
        made.openapi_schema = document
    return made.openapi_schema


def _complete(operation: dict[str, Any]) -> None:
    """The failures that every route has; FastAPI's own 422 is never sent."""
    if "requestBody" not in operation:
        operation["responses"].pop("422", None)
        for status in (400, 401, 403, 404):
            description = FAILURES.get(status, "no such name")
            operation["responses"][str(status)] = _failure(description)
