"""What is drawn: scenes and what a mouse does to them, pictures, recordings."""
