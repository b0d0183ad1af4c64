"""The parts of SARIF 2.1.0 that tilewright writes, as a JSON Schema of our own.

The standard's schema allows much that is never written here, and is not part of this repository.  This one is closed: a
key that is written anew has to be entered, after a look into the standard (sections 3.13 to 3.52 of OASIS SARIF 2.1.0).
"""

from __future__ import annotations

from typing import Any

Object = dict[str, Any]
TEXT: Object = {"type": "string", "minLength": 1}
COUNTED: Object = {"type": "integer", "minimum": 1}


def closed(required: Object, **optional: Object) -> Object:
    """An object with these keys and no others."""
    return {
        "type": "object",
        "properties": required | optional,
        "required": sorted(required),
        "additionalProperties": False,
    }


def listed(item: Object, **more: Any) -> Object:
    """A list of such items."""
    return {"type": "array", "items": item, **more}


MESSAGE = closed({"text": TEXT})
REGION = closed({"startLine": COUNTED}, startColumn=COUNTED)
ARTIFACT = closed({"uri": {"type": "string", "format": "uri-reference", "pattern": r"^[^\s\\]+$"}})
LOCATION = closed({"physicalLocation": closed({"artifactLocation": ARTIFACT}, region=REGION)})
RULE = closed({"id": TEXT, "shortDescription": MESSAGE, "fullDescription": MESSAGE})
RESULT = closed(
    {
        "level": {"enum": ["none", "note", "warning", "error"]},
        "message": MESSAGE,
        "locations": listed(LOCATION),
    },
    ruleId=TEXT,
)
DRIVER = closed({"name": TEXT, "version": TEXT, "rules": listed(RULE, uniqueItems=True)})
RUN = closed({"tool": closed({"driver": DRIVER}), "results": listed(RESULT)})
LOG = closed({"$schema": TEXT, "version": {"const": "2.1.0"}, "runs": listed(RUN)})
