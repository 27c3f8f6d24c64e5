"""Qt's own checks of a model, also while it changes; a broken rule is a Qt warning and fails the test."""

from PySide6.QtCore import QAbstractItemModel
from PySide6.QtTest import QAbstractItemModelTester


def watch_rules(model: QAbstractItemModel) -> QAbstractItemModelTester:
    """Check `model` now and at each of its signals, as long as the returned tester lives."""
    return QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
