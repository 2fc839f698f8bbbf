"""The API against its OpenAPI description: no request causes an internal error."""

from __future__ import annotations

from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from satcross.web.app import Workbench
from satcross.web.limits import Limits
from satcross.web.openapi import openapi_document, operations_of

BUSY = 503
MAX_EXAMPLES = 10
"""Requests of a kind; hundreds have been tried, which takes minutes."""
CHECKS = [status_code_conformance, content_type_conformance, response_schema_conformance]

SCHEMA: Any = schemathesis.openapi.from_dict(openapi_document(operations_of(Workbench(Limits()))))
OPERATIONS = {one.ok().label: one.ok() for one in SCHEMA.get_all_operations()}


MODES = [
    (label, mode)
    for label, operation in OPERATIONS.items()
    for mode in schemathesis.GenerationMode
    # Operations without a body, or with any name, have no invalid requests.
    if mode is schemathesis.GenerationMode.POSITIVE or operation.body
]


@pytest.mark.parametrize(("label", "mode"), MODES, ids=str)
def test_any_request_is_answered_as_described(
    address: str, label: str, mode: schemathesis.GenerationMode
) -> None:
    """Requests that follow the description, and requests that do not, get described answers."""
    operation = OPERATIONS[label]
    with requests.Session() as session:

        @given(operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=MAX_EXAMPLES if operation.body else 3,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def answered(case: Any) -> None:
            response = case.call(base_url=address, session=session)
            assert response.status_code < 500 or response.status_code == BUSY, response.text
            case.validate_response(response, checks=CHECKS)
            if response.status_code >= 400:
                assert response.json()["error"]
            elif response.status_code == 202:  # a job, which would keep the server busy
                session.delete(f"{address}api/jobs/{response.json()['id']}")

        answered()
