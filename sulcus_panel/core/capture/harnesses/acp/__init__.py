"""Agents that speak the Agent Client Protocol with an editor: what they say on the way."""
