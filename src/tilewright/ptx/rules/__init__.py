"""Rules of PTX beyond syntax and names, each as an iterator of what it finds."""
