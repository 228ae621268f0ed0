"""Games in words: views, events and moves of the engine in words and in shapes for templates.

Pure functions of what the engine's `view` and `view_event` let through.
"""
