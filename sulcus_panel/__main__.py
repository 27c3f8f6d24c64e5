"""`python -m sulcus_panel` is the command `sulcus-panel`."""

from sulcus_panel.cli.main import run

if __name__ == "__main__":
    run()
