"""The scripts and the style sheet that the browser loads besides NiceGUI's own files."""
