"""Answers queries with embedded ClickHouse: a line of JSON {"sql": …} in, a line with the rows or the error out."""

import json
import sys

from chdb.session import Session

session = Session(sys.argv[1])
session.query("SET output_format_json_quote_64bit_integers = 0")
session.query("SET output_format_json_escape_forward_slashes = 0")
for line in sys.stdin:
    try:
        result = session.query(json.loads(line)["sql"], "JSONEachRow").bytes()
        answer = {"rows": result.decode("utf-8")}
    except Exception as error:  # what chDB raises has no narrower type
        answer = {"error": str(error)}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
