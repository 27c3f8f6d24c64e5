"""The one place that speaks SQL: entries, snapshots, governance, retention."""
