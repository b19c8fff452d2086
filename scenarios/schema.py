"""The form of scenario files as JSON Schema, made from the scenarios themselves."""

import json
import re
from typing import Any

from pydantic.json_schema import models_json_schema

from trustscope.scenarios import pages
from trustscope.scenarios.versions import VERSION

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TITLE = "A scenario of Trustscope"
DESCRIPTION = (
    "What stands on one page: which data, the seed, the settings, and what is looked at. A field that is missing has "
    "its default; a field that is not listed is left out by the app and refused by the command."
)


def schema() -> dict[str, Any]:
    """One schema for the files of all pages."""
    kinds = {name: pages.kind_of(name) for name in pages.NAMES}
    places, found = models_json_schema([(kind, "validation") for kind in kinds.values()])
    definitions = found["$defs"]
    choices = []
    for name, kind in kinds.items():
        reference = places[kind, "validation"]["$ref"]
        body = definitions[reference.rsplit("/", 1)[-1]]
        said = {"trustscope": {"const": VERSION, "title": "Version"}, "page": {"const": name, "title": "Page"}}
        body["properties"] = said | body["properties"]
        body["required"] = ["trustscope", "page", *body.get("required", [])]
        choices.append({"$ref": reference})
    return _named(
        {"$schema": DIALECT, "title": TITLE, "description": DESCRIPTION, "oneOf": choices, "$defs": definitions}
    )


def _named(content: dict[str, Any]) -> dict[str, Any]:
    """The same with short names: the Settings of the Trust page are TrustSettings."""
    text = re.sub(r"trustscope__scenarios__([a-z])(\w+?)__scenario__(\w+)", _short, json.dumps(content))
    named: dict[str, Any] = json.loads(text)
    return named


def _short(found: re.Match[str]) -> str:
    return f"{found[1].upper()}{found[2]}{found[3]}"
