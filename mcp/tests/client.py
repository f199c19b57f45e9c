"""Speaks to the server with the official client. Arguments: the server's path, a home folder."""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters, stdio_client


async def main() -> None:
    server = StdioServerParameters(command=sys.argv[1], args=[], env={"HOME": sys.argv[2]})
    told = {}
    async with Client(stdio_client(server)) as client:
        told["protocol"] = client.protocol_version
        told["tools"] = [tool.name for tool in (await client.list_tools()).tools]
        read = await client.call_tool("read_transcript", {"conversationId": "c1", "lastTurns": 2})
        told["read"] = [read.is_error, read.content[0].text]
        query = await client.call_tool("query_transcript", {"query": "answer 4", "summaryOnly": True})
        told["query"] = [query.is_error, query.content[0].text]
        wrong = await client.call_tool("read_transcript", {"conversationId": "../x"})
        told["wrong"] = [wrong.is_error, wrong.content[0].text]
        health = await client.call_tool("check_context_health", {})
        told["health"] = [health.is_error, health.content[0].text]
        told["prompts"] = [prompt.name for prompt in (await client.list_prompts()).prompts]
        shield = await client.get_prompt("context_shield")
        told["shield"] = shield.messages[0].content.text
        told["resources"] = [str(resource.uri) for resource in (await client.list_resources()).resources]
        rules = await client.read_resource(told["resources"][0])
        told["rules"] = rules.contents[0].text
    print(json.dumps(told))


asyncio.run(main())
