"""From what a harness says to ledger entries."""
