"""What may be asked over a wire: its words as types, and what is done with them, once for HTTP and MCP."""
