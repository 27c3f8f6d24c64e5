"""The widgets of the main window and how they stand to each other; nothing here acts."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import Workspace
from sulcus_panel.ui.actions import Actions
from sulcus_panel.ui.models.ledger_model import LedgerModel
from sulcus_panel.ui.models.runs_model import RunsModel
from sulcus_panel.ui.pages.records_page import RecordsPage
from sulcus_panel.ui.pages.triggers_page import TriggersPage
from sulcus_panel.ui.views.banner import Banner
from sulcus_panel.ui.views.change_pane import ChangePane
from sulcus_panel.ui.views.details_panel import DetailsPanel
from sulcus_panel.ui.views.empty_state import EmptyState
from sulcus_panel.ui.views.filter_bar import FilterBar
from sulcus_panel.ui.views.holds_strip import HoldsStrip
from sulcus_panel.ui.views.ledger_table import LedgerTable
from sulcus_panel.ui.views.new_rows_pill import NewRowsPill
from sulcus_panel.ui.views.runs_sidebar import RunsSidebar
from sulcus_panel.ui.views.status_line import StatusLine
from sulcus_panel.ui.views.thin_splitter import ThinSplitter
from sulcus_panel.ui.views.top_bar import TopBar

FIRST_SIZES = {"columns": (262, 886, 292), "rows": (380, 470)}

LEAST_WIDTHS = {"sidebar": 156, "details": 240}
THREE_COLUMNS_FROM = 900
"""Below this width the table and the difference need what the details would take."""
SHARES = (1, 3, 1)
"""How sidebar, middle and details share what a larger or smaller window gives or takes."""


@dataclass(frozen=True, slots=True)
class WindowParts:
    """Every widget that the main window wires."""

    top: TopBar
    standing: Banner
    """What holds as long as the window is open."""
    silence: Banner
    """That hooks are silent, until they fire again."""
    messages: Banner
    holds: HoldsStrip
    """What others asked for and the person has not answered yet."""
    sidebar: RunsSidebar
    filters: FilterBar
    pill: NewRowsPill
    table: LedgerTable
    empty: EmptyState
    rows_or_empty: QStackedWidget
    pane: ChangePane
    details: DetailsPanel
    records: RecordsPage
    triggers: TriggersPage
    middle: QStackedWidget
    status: StatusLine
    columns: QSplitter
    rows: QSplitter
    body: QWidget

    @property
    def splitters(self) -> dict[str, QSplitter]:
        """What a person can drag, by the name it is remembered under."""
        return {"columns": self.columns, "rows": self.rows}

    @property
    def panes(self) -> tuple[QWidget, ...]:
        """The parts of the window in the order that a key goes around them."""
        search = self.filters.search
        pages = self.rows_or_empty, self.records, self.triggers
        return search, self.holds, self.sidebar, *pages, self.pane.diff, self.details

    @property
    def headers(self) -> dict[str, QHeaderView]:
        """Table headings, by the name they are remembered under."""
        return {"ledger": self.table.horizontalHeader()}

    def suit_width(self, width: int) -> None:
        """Leave the details out of a window that has no room for three columns."""
        self.details.setVisible(width >= THREE_COLUMNS_FROM)

    def reset_sizes(self) -> None:
        """Give every pane and column its first size."""
        self.table.reset_columns()
        for name, splitter in self.splitters.items():
            splitter.setSizes(list(FIRST_SIZES[name]))


def build_parts(workspace: Workspace, model: LedgerModel, runs: RunsModel, actions: Actions) -> WindowParts:
    """Make the widgets and lay them out: sidebar, table over diff, details."""
    filters = FilterBar(LedgerQuery(workspace_id=workspace.id))
    table, empty = LedgerTable(model), EmptyState()
    rows_or_empty = QStackedWidget()
    rows_or_empty.addWidget(table)
    rows_or_empty.addWidget(empty)
    pane = ChangePane(actions)
    rows = _splitter(Qt.Orientation.Vertical, rows_or_empty, pane)
    records, triggers, middle = RecordsPage(), TriggersPage(), QStackedWidget()
    middle.addWidget(_column(filters, rows))
    middle.addWidget(records)
    middle.addWidget(triggers)
    sidebar, details = RunsSidebar(runs), DetailsPanel()
    sidebar.setMinimumWidth(LEAST_WIDTHS["sidebar"])
    details.setMinimumWidth(LEAST_WIDTHS["details"])
    columns = _splitter(Qt.Orientation.Horizontal, sidebar, middle, details)
    for place, share in enumerate(SHARES):
        columns.setStretchFactor(place, share)
    top, status = TopBar(workspace, filters.search, actions), StatusLine()
    standing, silence, messages, holds = Banner(), Banner(), Banner(), HoldsStrip()
    pill = NewRowsPill()
    filters.add_at_end(pill)
    parts = WindowParts(
        top=top,
        standing=standing,
        silence=silence,
        messages=messages,
        holds=holds,
        sidebar=sidebar,
        filters=filters,
        pill=pill,
        table=table,
        empty=empty,
        rows_or_empty=rows_or_empty,
        pane=pane,
        details=details,
        records=records,
        triggers=triggers,
        middle=middle,
        status=status,
        columns=columns,
        rows=rows,
        body=_column(top, standing, silence, messages, holds, columns, status),
    )
    parts.reset_sizes()
    return parts


def _column(*widgets: QWidget) -> QWidget:
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for widget in widgets:
        column.addWidget(widget, 1 if isinstance(widget, QSplitter) else 0)
    return box


def _splitter(orientation: Qt.Orientation, *widgets: QWidget) -> QSplitter:
    splitter = ThinSplitter(orientation)
    for widget in widgets:
        splitter.addWidget(widget)
    return splitter
