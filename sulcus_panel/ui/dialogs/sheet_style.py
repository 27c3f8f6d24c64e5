"""The look of the undo sheet: one style sheet made from the theme; widgets are found by object name."""

from sulcus_panel.ui.theme import Theme


def sheet_style(theme: Theme) -> str:
    """Return the style sheet of the sheet in `theme`."""
    return _pages(theme) + _buttons(theme)


def _pages(theme: Theme) -> str:
    return f"""
    #plan_page, #plan_content, #result_page {{ background: {theme.window}; }}
    #steps {{ background: {theme.raised}; border-right: 1px solid {theme.border}; }}
    #sheet_title {{ font-size: 12pt; font-weight: 700; }}
    #step_note {{ color: {theme.muted}; }}
    #step_note {{ font-size: 8.5pt; }}
    #page_title {{ font-size: 11.5pt; font-weight: 700; }}
    #section_title, #card_title {{ font-weight: 600; }}
    #section_title {{ padding-top: 8px; }}
    PlainLabel[tone="good"] {{ color: {theme.good}; }}
    PlainLabel[tone="caution"] {{ color: {theme.minus}; }}
    PlainLabel[tone="bad"] {{ color: {theme.danger}; }}
    PlainLabel[tone="quiet"] {{ color: {theme.muted}; }}
    #hunk_card, #write_card, #result_card, #review_card {{
        background: {theme.base}; border: 1px solid {theme.border}; border-radius: 7px; }}
    #review_card {{ border: 1px solid {theme.banner_border}; }}
    #review_card #card_head {{ background: {theme.banner}; }}
    #conflict_card {{ background: {theme.base}; border: 1px solid {theme.danger}; border-radius: 7px; }}
    #card_head {{
        background: {theme.raised}; border-top-left-radius: 6px; border-top-right-radius: 6px; }}
    #outside_card {{ background: {theme.base}; border-top: 1px solid {theme.banner_border}; }}
    #outside_card #card_head {{ background: {theme.base}; }}
    TickBox {{ spacing: 10px; }}
    #card_note {{ padding: 7px 12px; color: {theme.muted}; }}
    #result_path {{ padding: 8px 12px 0 12px; font-weight: 600; }}
    #result_hashes {{ padding: 2px 12px 9px 12px; color: {theme.muted}; font-family: monospace; }}
    #way_card {{
        background: {theme.accent_soft}; border: 1px solid {theme.accent}; border-radius: 7px; }}
    #who_card {{ background: {theme.raised}; border: 1px solid {theme.border}; border-radius: 7px; }}
    #way_number {{ font-weight: 600; }}
    #tick_page, #tick_list {{ background: {theme.window}; }}
    #drift_note, #sheet_note, #warning_note {{
        background: {theme.banner}; border: 1px solid {theme.banner_border}; border-radius: 7px; }}
    #sheet_note {{ padding: 8px 12px; }}
    """


def _buttons(theme: Theme) -> str:
    soft_danger = "#fdecea" if not theme.dark else "#3a2226"
    return f"""
    #way_button {{
        background: {theme.base}; color: {theme.accent}; border: 1px solid {theme.accent};
        border-radius: 6px; padding: 5px 12px; font-weight: 600; }}
    #way_button:hover {{ background: {theme.raised}; }}
    #way_button:focus {{ border: 2px solid {theme.accent}; padding: 4px 11px; }}
    #show_outside, #parts_bar QPushButton, #choice_0, #choice_1 {{
        border: none; background: transparent; color: {theme.accent}; padding: 3px 8px; }}
    #show_outside:focus, #parts_bar QPushButton:focus, #choice_0:focus, #choice_1:focus {{
        border: 1px solid {theme.accent}; border-radius: 5px; }}
    #footer {{ background: {theme.window}; border-top: 1px solid {theme.border}; }}
    #footer QPushButton {{
        background: {theme.base}; color: {theme.text}; border: 1px solid {theme.border};
        border-radius: 7px; padding: 8px 17px; }}
    #footer QPushButton:hover {{ background: {theme.raised}; }}
    #footer #keep_button {{ border: 1px solid {theme.accent}; font-weight: 600; }}
    #footer QPushButton:focus {{ border: 2px solid {theme.accent}; padding: 7px 16px; }}
    #footer QPushButton:disabled {{ color: {theme.muted}; border-color: {theme.border}; }}
    #footer #undo_button {{ color: {theme.danger}; border-color: {theme.danger}; font-weight: 600; }}
    #footer #undo_button:hover {{ background: {soft_danger}; }}
    #footer #undo_button:focus {{ border: 2px solid {theme.danger}; }}
    #footer #undo_button:disabled {{ color: {theme.muted}; border-color: {theme.border}; }}
    """
