"""Our hooks in every harness's own config: one file a harness, planned as a diff, taken out without a trace."""
