"""Taking one change back: planning is pure, applying is guarded."""
