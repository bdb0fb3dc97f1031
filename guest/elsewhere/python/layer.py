"""A middleware in Python: refuses calls whose arguments name a password, and passes everything else on."""

from componentize_py_types import Err
from wit_world.exports import Tools
from wit_world.imports import tools


class Tools(Tools):
    async def call_tool(self, connection: str, tool: str, arguments: str) -> tools.ToolCallResult:
        if "password" in arguments:
            detail = f"python layer: the arguments of `{tool}` name a password"
            raise Err(tools.CallError_Refused(tools.Refusal(tools.RefusalReason.DENIED, detail)))
        # What is behind raises `Err` with one of the four cases; it passes through as it is.
        return await tools.call_tool(connection, tool, arguments)
