"""What is known of a command or a call beyond its files: where git moved, what is unsure, what was not seen."""

from collections.abc import Iterator

from sulcus_panel.core.credentials import redacted
from sulcus_panel.core.model import CommandFacts, NewEntry
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import git_movement, moved_references

Named = tuple[str, tuple[str, ...]]
"""A fact's name and its lines, in plain text."""


def command_facts(record: NewEntry) -> Iterator[Named]:
    """Return what is known, the gravest first; facts without lines have nothing to say."""
    ran = record.ran or CommandFacts()
    unsure = tuple(f"{plain(path, 300)}: {plain(why, 300)}" for path, why in ran.unsure.items())
    yield "Unsure", unsure
    yield "Not seen", tuple(plain(why, 300) for why in ran.unseen)
    yield "Git", (plain(git_movement(record.git), 400),) if record.git and git_movement(record.git) else ()
    yield "References", tuple(plain(line, 300) for line in moved_references(record.git)) if record.git else ()
    yield "Ran beside", tuple(plain(redacted(command), 300) for command in ran.at_once)
    yield "Background", ("it was left to go on",) if ran.in_background else ()
    yield "Printed", tuple(plain(line, 300) for line in ran.output.split("\n") if line.strip())
    yield "Input", (plain(redacted(record.input), 600),) if record.input else ()
