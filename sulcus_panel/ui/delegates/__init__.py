"""One main class a file: delegates."""
