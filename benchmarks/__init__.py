"""Figures that a person can make again: each against its floor, side by side in one run, as ratios."""
