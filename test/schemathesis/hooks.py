"""What the document's own formats mean, and what a schema cannot say of two parameters together."""

import datetime
import re

import schemathesis
from hypothesis import strategies as st

PROJECTS = ["demo", "shop", "nobody"]


def two_digits(low, high):
    return st.integers(low, high).map(lambda number: f"{number:02d}")


# Not the first and the last day: with a zone they may lie outside of the years 1 to 9999.
DAYS = st.dates(datetime.date(1, 1, 2), datetime.date(9999, 12, 30)).map(str)
TIMES = st.builds(
    lambda hour, minute, rest, zone: f"{hour}:{minute}{rest}{zone}",
    two_digits(0, 23),
    two_digits(0, 59),
    st.sampled_from(["", ":07", ":59.1", ":59,123456789"]),
    st.sampled_from(["", "Z", "z", "+02:00", "-0530", " 01"]),
)
INSTANTS = st.one_of(DAYS, st.builds("{}{}{}".format, DAYS, st.sampled_from(["T", "t", " "]), TIMES))

EXPRESSIONS = [*PROJECTS, ".*", "^https://demo[.]", "demo|shop", "x{2,3}", "(?i)DEMO", r"\d+"]

GOOGLESQL = [
    "",
    "select id, timestamp, event_message, metadata from edge_logs limit 3",
    "select * from edge_logs order by timestamp desc",
    "select count(*), max(timestamp) as newest from edge_logs",
    "select 1 as one, 9007199254740993 as big, 1 = 1 as b, [1.5] as list, struct(null as a, 2) as s, "
    "current_timestamp() as now, json '{\"a\":[1]}' as j, b'ab' as bytes, date '2026-01-31' as d",
    "select ieee_divide(0, 0) as nan, numeric '1.50' as n, datetime '2026-01-31 12:00:00' as t",
]

LQL = ["", "f:edge_logs", "f:edge_logs m.response.status_code:>=500", "f:edge_logs c:count(*) c:group_by(t::hour)"]

schemathesis.openapi.format("iso-8601", INSTANTS)
schemathesis.openapi.format("re2", st.sampled_from(EXPRESSIONS))
schemathesis.openapi.format("googlesql", st.sampled_from(GOOGLESQL))
schemathesis.openapi.format("lql", st.sampled_from(LQL))
# Only the service can write one, and the demo logs fill no answer to its end.
schemathesis.openapi.format("lqe-cursor", st.just(""))

# The example in the endpoints' settings is a project that has no demo logs.
PROJECT_WITHOUT_LOGS = "abcdefghijklmnopqrst"


# Text of the document's own formats. What breaks nothing but one of them counts as data that fits, for schemathesis
# does not know what they ask for.
FORMATTED = {
    "sql": str.isascii,
    "lql": str.isascii,
    "iso_timestamp_start": re.compile(r"(\d{4}-\d\d-\d\d.*)?", re.ASCII).fullmatch,
    "iso_timestamp_end": re.compile(r"(\d{4}-\d\d-\d\d.*)?", re.ASCII).fullmatch,
}


@schemathesis.hook
def filter_case(context, case):
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return True
    given = [parameters for parameters in (case.query, case.body) if isinstance(parameters, dict)]
    texts = [(fits, one[name]) for one in given for name, fits in FORMATTED.items() if name in one]
    return all(fits(text) for fits, text in texts if isinstance(text, str))


@schemathesis.hook
def before_call(context, case, kwargs):
    for parameters in (case.query, case.body):
        if isinstance(parameters, dict):
            adapt(parameters)


def adapt(parameters):
    if parameters.get("project") == PROJECT_WITHOUT_LOGS:
        parameters["project"] = "demo"
    # `meta=true` goes with JSON only, which is a 400 that no schema of one parameter can foretell.
    if parameters.get("format") in ("ndjson", "csv") and parameters.get("meta") in (True, "true"):
        del parameters["meta"]
    # Numbers and booleans count by their JSON text, and `false` is LQL where the endpoint has one source: what is no
    # text is sent as what no endpoint takes.
    if isinstance(parameters.get("lql"), (bool, int, float)):
        parameters["lql"] = []
    # `sql` wins and leaves `lql` unread, so what is wrong with `lql` shows without `sql` only.
    if parameters.get("sql") and "lql" in parameters:
        del parameters["lql" if parameters["lql"] in [None, *LQL] else "sql"]
