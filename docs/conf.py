"""Settings of Sphinx, which makes the documentation site from this folder.

``sphinx-build -W --keep-going docs build/site`` in an environment with the extra ``docs``.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import command_pages

from satcross import __version__

project = "satcross"
author = "The satcross authors"
copyright = f"2025-2026, {author}"  # noqa: A001
version = release = __version__

extensions = [
    "command_pages",  # beside this file
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["bench", "Thumbs.db"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
default_role = "code"  # docstrings put code between single or double backquotes
highlight_language = "none"
smartquotes = False  # they would turn the hyphens of options into dashes
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_class_signature = "mixed"
python_maximum_signature_line_length = 80

man_pages = command_pages.man_pages()  # sphinx-build -b man docs man

html_theme = "furo"
html_title = "satcross"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
