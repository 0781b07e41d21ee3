"""HTML reports of identifications."""
