"""The OpenAPI document: our routes, the models of the questions, and the shape of every error."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import models_json_schema

from .._version import __version__
from .answers import ANSWERS, Answer

Document = dict[str, Any]

INFO = {
    "title": "qontrast",
    "version": __version__,
    "summary": "Why P rather than Q? Contrastive explanations for quantitative argumentation.",
    "description": "Stateless: every question brings its graph, as native JSON. See docs/api-server.md.",
}
SUMMARIES = {  # of what is asked by GET
    "tables": "Methods, semantics, formats, figures, palettes, limits",
    "start": "The graph that this server was started with",
    "examples": "The bundled examples, by name",
    "examples/{example}": "One example as native JSON",
}
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
    404: "no such name",
    408: "the body did not arrive in time",
    413: "the body is over the limit",
    415: "the body is not JSON",
    422: "the question makes no sense, or asks for more than the limits allow; or strengths are undefined",
    503: "no answer in time, or too many questions at once; try again",
}
FAILURES_OF_GET = (400, 401, 403, 404)
FAILURES_OF_POST = tuple(status for status in FAILURES if status != 404)
SCHEMAS = "#/components/schemas/"


def describe_api() -> Document:
    """Make the OpenAPI document of the server."""
    models = dict.fromkeys(answer.asks for answer in ANSWERS.values())
    _, found = models_json_schema([(model, "validation") for model in models], ref_template=f"{SCHEMAS}{{model}}")
    paths = {f"/api/{name}": {"get": _describe_get(name)} for name in SUMMARIES}
    paths |= {f"/api/{name}": {"post": _describe_post(name, answer)} for name, answer in ANSWERS.items()}
    return {
        "openapi": "3.1.0",
        "info": INFO,
        "paths": paths,
        "components": {"schemas": found["$defs"] | {"Error": ERROR}},
    }


def _describe_get(name: str) -> Document:
    operation = name.rpartition("{")[2].removesuffix("}")
    data: Document = {"operationId": operation, "summary": SUMMARIES[name]}
    if operation != name:
        data["parameters"] = [{"name": operation, "in": "path", "required": True, "schema": {"type": "string"}}]
    found = {"description": SUMMARIES[name], "content": {"application/json": {"schema": {"type": "object"}}}}
    return data | {"responses": {"200": found} | _describe_failures(FAILURES_OF_GET)}


def _describe_post(name: str, answer: Answer) -> Document:
    body = {"application/json": {"schema": {"$ref": SCHEMAS + answer.asks.__name__}}}
    found = {"description": answer.summary, "content": {media: {"schema": _schema(media)} for media in answer.media}}
    return {
        "operationId": name,
        "summary": answer.summary,
        "description": (answer.asks.__doc__ or "").strip(),
        "requestBody": {"required": True, "content": body},
        "responses": {"200": found} | _describe_failures(FAILURES_OF_POST),
    }


def _describe_failures(statuses: tuple[int, ...]) -> Document:
    content = {"application/json": {"schema": {"$ref": f"{SCHEMAS}Error"}}}
    return {str(status): {"description": FAILURES[status], "content": content} for status in statuses}


def _schema(media: str) -> Document:
    if media == "application/json":
        return {"type": "object", "required": ["schema"], "properties": {"schema": {"type": "string"}}}
    return {"type": "string"} if media.startswith(("text/", "image/svg")) else {"type": "string", "format": "binary"}
