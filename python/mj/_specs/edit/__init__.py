"""Editing of specs: attaching, deleting, simplifying, and keyframes that follow."""
