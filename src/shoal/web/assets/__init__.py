"""What the browser loads besides NiceGUI's own files: one script and one style sheet."""
