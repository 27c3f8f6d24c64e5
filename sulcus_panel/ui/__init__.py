"""The only Qt: models hold rows, views hold pixels, the main window wires."""
