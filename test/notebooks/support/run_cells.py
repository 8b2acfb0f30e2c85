"""Runs cells in one namespace, as a notebook does: a JSON list of texts on standard input, what each prints on standard output."""

import contextlib
import io
import json
import sys

printed = []
namespace = {'__name__': '__main__'}
for number, cell in enumerate(json.load(sys.stdin), 1):
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(cell, f'<cell {number}>', 'exec'), namespace)
    printed.append(output.getvalue())
json.dump(printed, sys.stdout)
