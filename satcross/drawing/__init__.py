"""Pictures and pages: PNG, SVG, PDF, terminal."""
