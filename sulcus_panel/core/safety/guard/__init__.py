"""Is this text one plain command of those that take something back? Where it is unsure: no.

judge.py asks; words.py reads the text, forms.py says what a grammar is, rules.py is the table, dangers.py
names the refused.
"""
