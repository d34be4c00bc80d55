"""Holds bodies to the request types of the official SDKs, and sends them through those clients to a local server.

usage: judge.py DIRECTORY

In the directory lie files NAME.N.json, NAME being a dialect's. Prints one line a body that a type refuses or that arrives
otherwise than it was given; the last line says how many were judged.
"""

import json
import pathlib
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import anthropic
import openai
from pydantic import TypeAdapter, ValidationError
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming

received = []


class Server(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers["content-length"])
        received.append((self.path, json.loads(self.rfile.read(length))))
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def judges(address):
    messages = anthropic.Anthropic(api_key="none", base_url=address, max_retries=0)
    others = openai.OpenAI(api_key="none", base_url=address + "/v1", max_retries=0)
    return {
        "anthropic": (MessageCreateParamsNonStreaming, messages.messages.with_raw_response.create, "/v1/messages"),
        "openai-responses": (
            ResponseCreateParamsNonStreaming, others.responses.with_raw_response.create, "/v1/responses"),
        "openai-chat": (
            CompletionCreateParamsNonStreaming, others.chat.completions.with_raw_response.create,
            "/v1/chat/completions"),
    }


def read(value):
    """Reads a validated value to its end: lists in these types are any iterable, which is checked as it is read."""
    if isinstance(value, dict):
        value = value.values()
    elif isinstance(value, str) or not hasattr(value, "__iter__"):
        return
    for item in value:
        read(item)


def judge(adapter, send, path, body):
    read(adapter.validate_python(body))
    received.clear()
    send(**body)
    if received != [(path, body)]:
        raise ValueError(f"arrived otherwise: {json.dumps(received)[:400]}")


def main(directory):
    server = HTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    table = judges(f"http://127.0.0.1:{server.server_port}")
    adapters = {name: TypeAdapter(kind) for name, (kind, _, _) in table.items()}
    judged = refused = 0
    for file in sorted(pathlib.Path(directory).glob("*.json")):
        name = file.name.split(".")[0]
        _, send, path = table[name]
        judged += 1
        try:
            judge(adapters[name], send, path, json.loads(file.read_text("utf-8")))
        except (ValidationError, ValueError, TypeError) as error:
            refused += 1
            print(f"{file.name}: {str(error)[:2000]}")
    print(f"{judged} judged, {refused} refused")
    return 1 if refused or not judged else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
