"""The door for agents that speak MCP: tools over the same requests as HTTP."""
