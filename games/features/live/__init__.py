"""Tells open pages that something they show has changed: a process of its own, beside the web.

It never says what. The page fetches itself again, through the same view as always.
"""
