"""Sections of reports."""
