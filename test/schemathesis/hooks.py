"""What the document's own formats mean, and what a schema cannot say of two parameters together."""

import schemathesis

PROJECTS = ["demo", "default", "nobody"]

# Texts of the formats that only the service can check. What would break nothing but a format can be told neither from
# good data nor from bad, so these take the place of the format.
TEXTS = {
    "iso-8601": [
        "",
        "2026-01-31",
        "2026-01-31T12:00:00Z",
        "2026-01-31T12:10:00.123456+02:00",
        "2026-01-31T12:10:00 02:00",
        "2026-01-30 23:59",
        "2024-02-29t00:00:00,5z",
        "0001-01-01",
        "9999-12-31T23:59:59.999999Z",
    ],
    "re2": [*PROJECTS, ".*", "^https://demo[.]", "demo|default", "x{2,3}", "(?i)DEMO", r"\d+"],
    "googlesql": [
        "",
        "select id, timestamp, event_message, metadata from edge_logs limit 3",
        "select * from edge_logs order by timestamp desc",
        "select count(*), max(timestamp) as newest from edge_logs",
        "select 1 as one, 9007199254740993 as big, [1.5] as list, struct(null as a, 2) as s, true as b, "
        "current_timestamp() as now, json '{\"a\":[1]}' as j, b'ab' as bytes, date '2026-01-31' as d",
        "select ieee_divide(0, 0) as nan, numeric '1.50' as n, datetime '2026-01-31 12:00:00' as t",
    ],
    "lql": [
        "",
        "f:edge_logs",
        "f:edge_logs m.response.status_code:>=500",
        "f:edge_logs c:count(*) c:group_by(t::hour)",
    ],
    # Only the service can write one, and the demo logs fill no answer to its end.
    "lqe-cursor": [""],
}

# The example in the endpoints' settings is a project that has no demo logs.
PROJECT_WITHOUT_LOGS = "abcdefghijklmnopqrst"


@schemathesis.hook
def before_load_schema(context, raw_schema):
    TEXTS["googlesql"] += [sql for sql in texts_of_examples(raw_schema, "sql") if sql not in TEXTS["googlesql"]]
    replace_formats(raw_schema)


def texts_of_examples(part, name):
    """The values of a parameter in the bodies that the document shows."""
    if isinstance(part, list):
        return [text for one in part for text in texts_of_examples(one, name)]
    if not isinstance(part, dict):
        return []
    value = part.get("value")
    own = [value[name]] if isinstance(value, dict) and name in value else []
    return own + [text for one in part.values() for text in texts_of_examples(one, name)]


def replace_formats(part):
    if isinstance(part, list):
        for one in part:
            replace_formats(one)
    if not isinstance(part, dict):
        return
    texts = TEXTS.get(part.get("format")) if isinstance(part.get("format"), str) else None
    if texts is not None and "type" in part:
        types = part["type"] if isinstance(part["type"], list) else [part["type"]]
        choices = [{"enum": texts}, *({"type": one} for one in types if one != "string")]
        part.clear()
        part.update(choices[0] if len(choices) == 1 else {"anyOf": choices})
    for one in list(part.values()):
        replace_formats(one)


@schemathesis.hook
def filter_case(context, case):
    """Nearly any text is LQL, or a regular expression: whether another one than those above is can only be tried."""
    query = case.query if isinstance(case.query, dict) else {}
    body = case.body if isinstance(case.body, dict) else {}
    # An empty list or object is not there in a URL, so nothing about it can be wrong.
    if any(value in ([], {}) for value in query.values()):
        return False
    # In a URL everything is text.
    in_url = {name: str(value) if isinstance(value, (bool, int, float)) else value for name, value in query.items()}
    return all(is_known(parameters) for parameters in (in_url, body))


def is_known(parameters):
    lql, project = parameters.get("lql"), parameters.get("project")
    if parameters.get("histogram") not in (None, "") and not selects_entries(parameters):
        return False
    if isinstance(lql, str) and lql not in TEXTS["lql"]:
        return False
    # Which fields there are depends on the query.
    if parameters.get("facet") not in (None, "") and not isinstance(parameters["facet"], (list, dict)):
        return False
    is_expression = "interval" in parameters and isinstance(project, str)
    return not is_expression or project in ["", PROJECT_WITHOUT_LOGS, *TEXTS["re2"]]


def selects_entries(parameters):
    """There are histograms of such queries alone; the own one of the endpoint with an interval is none."""
    sql, lql = parameters.get("sql"), parameters.get("lql")
    if sql not in (None, ""):
        return sql in TEXTS["googlesql"] and "count(" not in sql and " from edge_logs" in sql
    if lql not in (None, ""):
        return lql in TEXTS["lql"] and " c:" not in lql
    return "interval" not in parameters


@schemathesis.hook
def before_call(context, case, kwargs):
    # Numbers and booleans count by their JSON text, and `false` is LQL where the endpoint has one source: what is no
    # text is sent as what no endpoint takes.
    if isinstance(case.body, dict) and isinstance(case.body.get("lql"), (bool, int, float)):
        case.body["lql"] = []
    for parameters in (case.query, case.body):
        if isinstance(parameters, dict):
            adapt(parameters)


def adapt(parameters):
    if parameters.get("project") == PROJECT_WITHOUT_LOGS:
        parameters["project"] = "demo"
    # So does `histogram_by` with a histogram.
    if parameters.get("histogram_by") == "severity" and parameters.get("histogram") in (None, ""):
        del parameters["histogram_by"]
    # `meta=true` goes with JSON only, which is a 400 that no schema of one parameter can foretell.
    if parameters.get("format") in ("ndjson", "csv") and parameters.get("meta") in (True, "true"):
        del parameters["meta"]
    # `sql` wins and leaves `lql` unread, so what is wrong with `lql` shows without `sql` only.
    if parameters.get("sql") and "lql" in parameters:
        del parameters["lql" if parameters["lql"] in [None, *TEXTS["lql"]] else "sql"]
