"""From what a harness says to ledger entries: one file a harness."""
