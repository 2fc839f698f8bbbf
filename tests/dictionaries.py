"""Tiny dictionaries for tests, in the formats of the real ones."""

from __future__ import annotations

import gzip
import io
import string
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

_DIGITS = string.ascii_uppercase + string.ascii_lowercase + "0123456789+/"

_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_SYNSETS = """
noun / animal beast / a living being that moves / ~ noun camel 0000
noun / camel / a humped ruler of dry places; "a camel carries water" / @ noun animal 0000
noun / desert / dry land with little rain /
noun / uncle / the brother of a parent / ! noun aunt 0101
noun / aunt / the sister of a parent / ! noun uncle 0101
noun / hot_dog / a sausage in a roll /
noun / goose / a bird that honks / @ noun animal 0000
verb / run / move fast on foot / ~ verb sprint 0000
verb / sprint dash / run very fast / @ verb run 0000
verb / give_up / stop trying /
adj / big large / of great size / ! adj small 0101 & adj huge 0000
adj / huge / very great / & adj big 0000
adj / small / of little size / ! adj big 0101
adv / fast / at speed /
"""
"""Part of speech, lemmas, gloss, and pointers: symbol, part of speech, lemma, and which words of
both synsets are meant (0000: all)."""
_LICENCE = "  1 A line of licence, as the real files begin with.\n"


def write_wordnet(folder: Path) -> None:
    """A WordNet database: data.*, index.*, *.exc."""
    synsets = [tuple(map(str.split, line.split("/"))) for line in _SYNSETS.strip().splitlines()]
    offsets: dict[tuple[str, str], int] = {}
    for _ in range(2):  # in the second pass, the offsets are known
        texts, lines = (dict.fromkeys(_PARTS, _LICENCE) for _ in range(2))
        for [part], lemmas, gloss, pointers in synsets:
            offsets |= {(part, lemma): len(texts[part]) for lemma in lemmas}
            fours = [pointers[start : start + 4] for start in range(0, len(pointers), 4)]
            pointed = [
                f"{sign} {offsets.get((other, lemma), 0):08d} {_PARTS[other]} {which}"
                for sign, other, lemma, which in fours
            ]
            start = f"{offsets[part, lemmas[0]]:08d} 03 {_PARTS[part]} {len(lemmas):02x}"
            counted = " ".join(f"{lemma} 0" for lemma in lemmas)
            fields = [start, counted, f"{len(pointed):03d}", *pointed, f"| {' '.join(gloss)}  \n"]
            texts[part] += " ".join(fields)
            signs = sorted({sign for sign, *_ in fours})
            found = " ".join([str(len(signs)), *signs, "1 0"])
            for lemma in lemmas:
                lines[part] += f"{lemma} {_PARTS[part]} 1 {found} {offsets[part, lemma]:08d}  \n"
    for part in _PARTS:
        (folder / f"data.{part}").write_text(texts[part], "utf-8")
        index = "".join(sorted(lines[part].splitlines(keepends=True)))
        (folder / f"index.{part}").write_text(index, "utf-8")
        (folder / f"{part}.exc").write_text("animalia animal\n" * (part == "noun"), "utf-8")


def write_moby(folder: Path) -> None:
    """The Moby thesaurus as its npm package has it."""
    (folder / "words.txt").write_text(
        "joy,bliss,delight,glee,null and void\nrapture,bliss,glee,joy\nwalk,amble,hike,stroll\n",
        "utf-8",
    )


def write_dictd(folder: Path, name: str, entries: Sequence[tuple[str, str]]) -> None:
    """A dictionary in the format of the DICT server."""
    text, lines = b"", ""
    for word, entry in entries:
        content = entry.encode()
        lines += f"{word}\t{_number(len(text))}\t{_number(len(content))}\n"
        text += content
    (folder / f"{name}.index").write_text(lines, "utf-8")
    (folder / f"{name}.dict.dz").write_bytes(gzip.compress(text))


def write_all(folder: Path) -> None:
    """All dictionaries that ``satcross sources setup --from`` takes."""
    write_wordnet(folder)
    write_moby(folder)
    gcide = [
        ("00-database-info", "not an entry"),
        (
            "oasis",
            'Oasis \\O"a*sis\\, n. [L., fr. Gr.]\n   A green place with water in the desert.\n'
            "   [1913 Webster]\n\n   Syn: spring; {well}.\n",
        ),
        ("sea legs", "Sea legs\n   The ability to walk on a rolling ship.\n"),
    ]
    write_dictd(folder, "gcide", gcide)


def as_deb(files: Mapping[str, bytes]) -> bytes:
    """A Debian package: an ar archive with a tar archive in it."""
    members = {"debian-binary": b"2.0\n", "data.tar.gz": as_tgz(files)}
    packed = b"!<arch>\n"
    for name, content in members.items():
        packed += f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode()
        packed += content + b"\n" * (len(content) % 2)
    return packed


def as_tgz(files: Mapping[str, bytes]) -> bytes:
    """A gzipped tar archive, as npm packages are."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def as_wheel(files: Mapping[str, bytes]) -> bytes:
    """A zip archive, as Python's packages are."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.removeprefix("./"), content)
    return packed.getvalue()


def _number(value: int) -> str:
    digits = _DIGITS[value % 64]
    while value := value // 64:
        digits = _DIGITS[value % 64] + digits
    return digits
