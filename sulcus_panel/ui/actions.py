"""One table of verbs: menus, tool bars and key sheet are made from it, so they cannot disagree.

A verb with `letter` set works by that single key too, but only while the table or the diff has the focus, so
that typing into the search field stays typing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget


class Verb(StrEnum):
    """What a person can ask of the window."""

    UNDO = "surgical_undo"
    REDO = "redo"
    UNDO_TURN = "undo_turn"
    DECIDE_LATER = "decide_later"
    PIN = "pin"
    LABEL = "label"
    LOOKED = "looked"
    HOLDS = "holds"
    COPY_PATCH = "copy_patch"
    EXPORT = "export"
    QUIT = "quit"
    SEARCH = "search"
    REFRESH = "refresh"
    VIEW_CHANGE = "view_change"
    VIEW_NOW = "view_now"
    VIEW_AFTER = "view_after"
    UNIFIED = "unified"
    SIDE_BY_SIDE = "side_by_side"
    IGNORE_BLANKS = "ignore_blanks"
    SHOW_BLANKS = "show_blanks"
    NEXT_DIFFERENCE = "next_difference"
    PREVIOUS_DIFFERENCE = "previous_difference"
    NEXT_PANE = "next_pane"
    PREVIOUS_PANE = "previous_pane"
    THEME_SYSTEM = "theme_system"
    THEME_LIGHT = "theme_light"
    THEME_DARK = "theme_dark"
    RESET_LAYOUT = "reset_layout"
    TRIGGERS = "triggers"
    KEYS = "key_sheet"


@dataclass(frozen=True, slots=True)
class VerbRow:
    """How one verb looks and where it is found. `choice` names a group of which one is checked at a time.

    `row_key` is a key that the table itself answers. The letter of a verb that `swaps` with another chooses
    whichever of the two is not chosen now.
    """

    verb: Verb
    menu: str
    text: str
    tip: str
    keys: tuple[str, ...] = ()
    letter: str = ""
    checkable: bool = False
    choice: str = ""
    row_key: str = ""
    swaps: Verb | None = None
    needs_row: bool = False


TABLE: tuple[VerbRow, ...] = (
    VerbRow(
        Verb.UNDO,
        "&Change",
        "Surgical &Undo…",
        "Take back this one change and keep everything later",
        ("Ctrl+Backspace",),
        row_key="Enter",
        needs_row=True,
    ),
    VerbRow(
        Verb.REDO,
        "&Change",
        "&Redo…",
        "Bring back what an undo took away",
        ("Ctrl+Shift+Z",),
        needs_row=True,
    ),
    VerbRow(
        Verb.UNDO_TURN,
        "&Change",
        "Undo This &Turn…",
        "Take back everything that this request did, all or nothing",
        ("Ctrl+Shift+Backspace",),
        needs_row=True,
    ),
    VerbRow(
        Verb.DECIDE_LATER,
        "&Change",
        "&Decide Later",
        "Mark this change as waiting for your decision",
        ("Ctrl+Shift+D",),
        needs_row=True,
    ),
    VerbRow(
        Verb.COPY_PATCH,
        "&Change",
        "&Copy as Patch",
        "Copy this change as a patch",
        ("Ctrl+Shift+C",),
        needs_row=True,
    ),
    VerbRow(
        Verb.PIN,
        "&Change",
        "&Pin",
        "Keep this change, however full the ledger is",
        ("Ctrl+D",),
        checkable=True,
        needs_row=True,
    ),
    VerbRow(
        Verb.LABEL,
        "&Change",
        "&Labels…",
        "Give this change a word of yours, or take one away",
        ("Ctrl+L",),
        needs_row=True,
    ),
    VerbRow(
        Verb.LOOKED,
        "&Change",
        "I &Have Looked",
        "A trigger asked you to look before this is undone; say that you have",
        needs_row=True,
    ),
    VerbRow(
        Verb.HOLDS,
        "&Change",
        "&Waiting for You…",
        "What agents asked to take back, and what you answer",
        ("Ctrl+Shift+W",),
    ),
    VerbRow(Verb.EXPORT, "&File", "&Export…", "Write the shown changes to a file", ("Ctrl+E",)),
    VerbRow(Verb.QUIT, "&File", "&Quit", "Close the window and end the program", ("Ctrl+Q",)),
    VerbRow(Verb.SEARCH, "&View", "&Search", "Find changes by path, command or request", ("Ctrl+F",), "/"),
    VerbRow(Verb.REFRESH, "&View", "&Refresh", "Read the ledger and the disk again", ("F5",)),
    VerbRow(
        Verb.VIEW_CHANGE,
        "&View",
        "T&his Change",
        "What this change did, before and after",
        letter="1",
        checkable=True,
        choice="view",
    ),
    VerbRow(
        Verb.VIEW_NOW,
        "&View",
        "Since The&n",
        "What happened to the file after this change, up to now",
        letter="2",
        checkable=True,
        choice="view",
    ),
    VerbRow(
        Verb.VIEW_AFTER,
        "&View",
        "&After Undo",
        "What undoing this change would do to the file on disk",
        letter="3",
        checkable=True,
        choice="view",
    ),
    VerbRow(
        Verb.UNIFIED,
        "&View",
        "&Unified",
        "Show old and new lines below each other",
        checkable=True,
        choice="layout",
    ),
    VerbRow(
        Verb.SIDE_BY_SIDE,
        "&View",
        "Side &by Side",
        "Show old and new next to each other",
        letter="U",
        swaps=Verb.UNIFIED,
        checkable=True,
        choice="layout",
    ),
    VerbRow(
        Verb.IGNORE_BLANKS,
        "&View",
        "Ignore &White Space",
        "Leave out differences in white space only",
        letter="W",
        checkable=True,
    ),
    VerbRow(
        Verb.SHOW_BLANKS,
        "&View",
        "Sh&ow Blanks",
        "Make blanks and tabs visible",
        letter="Shift+W",
        checkable=True,
    ),
    VerbRow(Verb.NEXT_DIFFERENCE, "&View", "Next &Difference", "Go to the next changed lines", ("F7",)),
    VerbRow(
        Verb.PREVIOUS_DIFFERENCE,
        "&View",
        "&Previous Difference",
        "Go to the changed lines before",
        ("Shift+F7",),
    ),
    VerbRow(Verb.NEXT_PANE, "&View", "Ne&xt Pane", "Go to the next part of the window", ("F6",)),
    VerbRow(
        Verb.PREVIOUS_PANE, "&View", "Pre&vious Pane", "Go to the part of the window before", ("Shift+F6",)
    ),
    VerbRow(
        Verb.THEME_SYSTEM,
        "&View",
        "S&ystem Colours",
        "Light or dark as the desktop",
        checkable=True,
        choice="theme",
    ),
    VerbRow(Verb.THEME_LIGHT, "&View", "&Light", "Light colours", checkable=True, choice="theme"),
    VerbRow(Verb.THEME_DARK, "&View", "Dar&k", "Dark colours", checkable=True, choice="theme"),
    VerbRow(Verb.RESET_LAYOUT, "&View", "Reset Layou&t", "Give every pane and column its first size again"),
    VerbRow(
        Verb.TRIGGERS,
        "&View",
        "Led&ger and Triggers",
        "What is kept, who has a key, and the triggers that watch what happens",
        ("Ctrl+T",),
    ),
    VerbRow(Verb.KEYS, "&Help", "&Keys", "Every action and its key", ("F1",), letter="?"),
)

_ROWS = {row.verb: row for row in TABLE}
MENUS = ("&File", "&Change", "&View", "&Help")
_SEPARATED = {
    Verb.COPY_PATCH,
    Verb.PIN,
    Verb.HOLDS,
    Verb.QUIT,
    Verb.VIEW_CHANGE,
    Verb.UNIFIED,
    Verb.NEXT_DIFFERENCE,
}
_SEPARATED |= {Verb.NEXT_PANE, Verb.THEME_SYSTEM, Verb.RESET_LAYOUT, Verb.TRIGGERS}


class Actions(QObject):
    """The QActions of one window, by verb."""

    asked = Signal(object)
    """A Verb, when a person chose it by menu, key or button."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._by_verb: dict[Verb, QAction] = {}
        self._letters: dict[Verb, QAction] = {}
        self._groups: dict[str, QActionGroup] = {}
        for row in TABLE:
            self._by_verb[row.verb] = self._make(row)

    def __getitem__(self, verb: Verb) -> QAction:
        return self._by_verb[verb]

    def fill_menu_bar(self, bar: QMenuBar) -> None:
        """Put every verb under its menu."""
        for title in MENUS:
            menu = bar.addMenu(title)
            menu.setToolTipsVisible(True)
            for row in TABLE:
                if row.menu == title:
                    self._append(menu, row.verb)

    def context_menu(self, parent: QWidget) -> QMenu:
        """Return the menu of one row: the verbs that act on it."""
        menu = QMenu(parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for row in TABLE:
            if row.needs_row:
                self._append(menu, row.verb)
        return menu

    def give_letters(self, widgets: Iterable[QWidget]) -> None:
        """Let the single keys work while one of `widgets`, or a part of it, has the focus."""
        for widget in widgets:
            widget.addActions(list(self._letters.values()))

    def set_row_verbs(self, enabled: dict[Verb, bool]) -> None:
        """Enable or disable the verbs that act on the selected row."""
        for row in TABLE:
            if row.needs_row:
                self._by_verb[row.verb].setEnabled(enabled.get(row.verb, False))

    def explain(self, verb: Verb, why_not: str) -> None:
        """Say in the tip of a verb why it cannot be done now; empty gives back its own tip."""
        action, row = self._by_verb[verb], _ROWS[verb]
        action.setToolTip(why_not or _tip(row))
        action.setStatusTip(why_not or row.tip)

    def _append(self, menu: QMenu, verb: Verb) -> None:
        if verb in _SEPARATED and not menu.isEmpty():
            menu.addSeparator()
        menu.addAction(self._by_verb[verb])

    def _make(self, row: VerbRow) -> QAction:
        shown_key = f"\t{row.letter}" if row.letter and not row.keys else ""
        action = QAction(row.text + shown_key, self._window)
        action.setIconText(row.text.replace("&", ""))
        action.setObjectName(row.verb.value)
        action.setData(row.verb)
        action.setToolTip(_tip(row))
        action.setStatusTip(row.tip)
        action.setCheckable(row.checkable)
        action.setShortcuts([QKeySequence(key) for key in row.keys])
        if row.choice:
            self._group(row.choice).addAction(action)
        action.triggered.connect(self._on_triggered)
        self._window.addAction(action)
        if row.letter:
            self._letters[row.verb] = self._letter(row, action)
        return action

    def _letter(self, row: VerbRow, action: QAction) -> QAction:
        """Make the quiet twin that owns the single key and passes it on; menus show only `action`."""
        twin = QAction(row.text, action)
        twin.setObjectName(f"{row.verb.value}_letter")
        twin.setShortcut(QKeySequence(row.letter))
        twin.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        twin.setData(row.verb)
        twin.triggered.connect(self._on_letter)
        return twin

    def _group(self, name: str) -> QActionGroup:
        if name not in self._groups:
            self._groups[name] = QActionGroup(self._window)
        return self._groups[name]

    @Slot()
    def _on_letter(self) -> None:
        twin = self.sender()
        if isinstance(twin, QAction):
            row = _ROWS[Verb(twin.data())]
            action = self._by_verb[row.verb]
            if row.swaps is not None and action.isChecked():
                action = self._by_verb[row.swaps]
            action.trigger()

    @Slot()
    def _on_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.asked.emit(Verb(action.data()))


def _tip(row: VerbRow) -> str:
    keys = keys_of(row)
    return f"{row.tip} ({keys})" if keys else row.tip


def keys_of(row: VerbRow) -> str:
    """Return every key of a verb, `Ctrl+Backspace, Enter`."""
    return ", ".join(key for key in (*row.keys, row.letter, row.row_key) if key)
