"""A workflow in Python: makes the calls of its input, all at once, and returns what each heard."""

import asyncio
import json

from componentize_py_types import Err
from wit_world.exports import Run
from wit_world.exports.run import Failure
from wit_world.imports import tools


class Run(Run):
    async def run(self, input: str) -> str:
        # An exception that nobody catches is a trap, so everything that can go wrong becomes a failure here.
        try:
            calls = [call_one(call) for call in json.loads(input)]
        except (ValueError, TypeError) as error:
            raise Err(Failure("invalid-input", f"the input doesn't fit: {error}", None))
        return json.dumps(await asyncio.gather(*calls))


async def call_one(call: dict) -> dict:
    try:
        answer = await tools.call_tool(call["connection"], call["tool"], json.dumps(call["arguments"]))
        return {"output": json.loads(answer.output)}
    except Err as error:
        # `CallError_NotSent` is the case `NotSent`.
        return {"error": type(error.value).__name__.removeprefix("CallError_")}
