"""The child process: one request a line on standard input, one answer a line on standard output, both JSON.

`python -P -m regpress_lint.semantics.server ROOT...` loads libclang, confines itself to reading below the given roots
and says that it is ready. A request names the question, the file and what `translation.Translation` takes. A request
that fails is answered with an error; what kills the process is the client's to notice.
"""

from __future__ import annotations

import base64
import json
import sys
from collections import OrderedDict
from typing import Any

from regpress_lint.semantics.confine import confine
from regpress_lint.semantics.translation import Translation, make_index

_MOST_OPEN = 3  # translation units kept: a whole parse of a file with real headers takes 100 MB and more
_QUESTIONS = frozenset(("type_named", "type_declared", "value", "definition"))


class Server:
    """Open translation units by the name that the client gave them, least recently used first out."""

    def __init__(self) -> None:
        self._index = make_index()
        self._open: OrderedDict[str, Translation] = OrderedDict()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        question = request["question"]
        if question == "open":
            self._open[request["unit"]] = Translation(
                self._index, request["path"], base64.b64decode(request["data"]), request["arguments"], request["probe"]
            )
            self._open.move_to_end(request["unit"])
            while len(self._open) > _MOST_OPEN:
                self._open.popitem(last=False)
            return {"known": True}
        unit = self._open.get(request["unit"])
        if unit is None:
            return {"known": False}
        self._open.move_to_end(request["unit"])
        if question not in _QUESTIONS:
            raise ValueError(f"no such question: {question}")
        answered = getattr(unit, question)(*request["about"])
        return {"known": True, "answer": answered, "missing": unit.missing if answered is not None else []}


def main() -> None:
    """Serve until standard input is closed."""
    server = Server()
    confined = confine(sys.argv[1:])
    print(json.dumps({"ready": True, "confined": confined}), flush=True)
    for line in sys.stdin:
        try:
            reply = server.answer(json.loads(line))
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
