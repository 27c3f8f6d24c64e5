"""Past runs of any harness: records, states rebuilt from them, and the way into the ledger."""
