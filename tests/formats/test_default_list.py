"""The default list is the one that its script built."""

from __future__ import annotations

from hashlib import sha256

from helpers import ROOT


def test_the_files_are_those_that_were_built() -> None:
    """``python data/build_default_list.py --check`` compares every byte with the sources."""
    digests = (ROOT / "data" / "sources" / "built.sha256").read_text("ascii").split()
    names = dict(zip(digests[1::2], digests[::2], strict=True))
    assert names.keys() == {"english.txt", "english-written.txt.gz", "abbreviations.txt"}
    for name, digest in names.items():
        content = (ROOT / "satcross" / "resources" / name).read_bytes()
        if name.endswith(".txt"):  # git may have changed line ends
            content = content.replace(b"\r\n", b"\n")
        assert sha256(content).hexdigest() == digest, name
