"""Getting dictionaries: the packages they come in, downloading and unpacking them.

Nothing here runs a package manager: a package is one file, found in a folder of the user's or
downloaded, checked against the digest below, and read with the standard library.
"""

from __future__ import annotations

import hashlib
import io
import lzma
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from satcross.errors import InputError, UnavailableError

_DEBIAN = "http://deb.debian.org/debian/pool/main"
_NPM = "https://registry.npmjs.org"
_TIMEOUT = 60.0  # seconds without a byte
_CHUNK = 1 << 18


@dataclass(frozen=True, slots=True)
class Package:
    """A file with a dictionary in it: a Debian package or an npm package (a .tgz).

    ``wanted`` are the ends of the names of those of its files that are needed. ``installed`` is
    the folder where a Debian package's files are when it is installed, or "".
    """

    url: str
    sha256: str
    megabytes: float
    wanted: tuple[str, ...]
    installed: str = ""

    @property
    def file(self) -> str:
        """The name of the file."""
        return self.url.rpartition("/")[2]


def _freedict(language: str, sha256: str, megabytes: float) -> Package:
    name = f"dict-freedict-eng-{language}"
    return Package(
        f"{_DEBIAN}/f/freedict/{name}_2022.04.21-1_all.deb",
        sha256,
        megabytes,
        (f"freedict-eng-{language}.index", f"freedict-eng-{language}.dict.dz"),
        "/usr/share/dictd",
    )


WORDNET = Package(
    f"{_DEBIAN}/w/wordnet/wordnet-base_3.0-37_all.deb",
    "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752",
    6.5,
    (
        *(
            f"{kind}.{part}"
            for kind in ("data", "index")
            for part in ("noun", "verb", "adj", "adv")
        ),
        *(f"{part}.exc" for part in ("noun", "verb", "adj", "adv")),
        "cntlist.rev",
    ),
    "/usr/share/wordnet",
)
MOBY = Package(
    f"{_NPM}/moby/-/moby-1.1.2.tgz",
    "68f8b3074d088efe33c1ef8064b76bece39f7774f1718fd7b48125386100b083",
    9.3,
    ("words.txt",),
)
GCIDE = Package(
    f"{_DEBIAN}/d/dict-gcide/dict-gcide_0.48.5+nmu2_all.deb",
    "7b0af5cfde3cbdef5e9d6e78f92ec335ced7c2790f37a40f49bebc6f7347ac0f",
    14.8,
    ("gcide.index", "gcide.dict.dz"),
    "/usr/share/dictd",
)
FREEDICT = {
    "fra": _freedict(
        "fra", "b8db6774b640ae8a372bee119b4304d88e6fd471a283d1326d7ec0abcc8b930e", 0.2
    ),
    "ita": _freedict(
        "ita", "aef18ac10bd7582f99b819f634edad0dc0060e59a06f3f041a40203c53e9bb22", 0.1
    ),
    "lat": _freedict(
        "lat", "659c9f87b5f6198ef575e805c09100add95038045987e25af2a1442346983f5d", 0.1
    ),
    "spa": _freedict(
        "spa", "1b6a624048eddad805dcf0473a74e53420fbe391e7f2638090bddf625e9ad2b6", 0.1
    ),
}


@contextmanager
def unpacked(package: Package, given: Path | None, tell: Callable[[str], None]) -> Iterator[Path]:
    """A folder with the package's wanted files, for as long as the context lasts.

    They are taken from ``given`` when it has them or the package's file, else from where the
    package is installed, else downloaded. ``tell`` is called with what is being done.

    Raises UnavailableError when the package can't be had, InputError when it is damaged.
    """
    for folder in filter(None, (given, Path(package.installed) if package.installed else None)):
        if all((folder / name).exists() for name in package.wanted):
            tell(f"taken from {folder}")
            yield folder
            return
    data = _find(package, given)
    if data is None:
        tell(f"downloading {package.url} ({package.megabytes:g} MB)")
        data = _download(package)
    with TemporaryDirectory(prefix="satcross-") as temporary:
        folder = Path(temporary)
        _unpack(package, data, folder)
        yield folder


def _find(package: Package, given: Path | None) -> bytes | None:
    if given is None:
        return None
    if not given.is_dir():
        raise InputError("no such folder", "name one with the packages", file=str(given))
    stem, _, _ = package.file.partition("_")
    for path in sorted(given.iterdir()):
        # The version that apt-get downloads has an epoch in its name, or is another one.
        if path.name == package.file or path.name.startswith(stem + "_"):
            return path.read_bytes()
    raise UnavailableError(f"{given} has no {package.file}; download it from {package.url}")


def _download(package: Package) -> bytes:
    from urllib.request import Request, urlopen

    from satcross import __version__

    request = Request(package.url, headers={"User-Agent": f"satcross/{__version__}"})
    taken = io.BytesIO()
    try:
        with urlopen(request, timeout=_TIMEOUT) as answer:
            while chunk := answer.read(_CHUNK):
                taken.write(chunk)
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise UnavailableError(
            f"{package.url} can't be had ({reason}); download it elsewhere and give its folder with"
            " --from"
        ) from None
    data = taken.getvalue()
    if hashlib.sha256(data).hexdigest() != package.sha256:
        raise UnavailableError(f"{package.url} is not the file it should be; try again later")
    return data


def _unpack(package: Package, data: bytes, folder: Path) -> None:
    wanted = set(package.wanted)
    try:
        if data.startswith(b"!<arch>\n"):
            data = _member_of_ar(data, b"data.tar")
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for member in archive:
                name = PurePosixPath(member.name).name
                if name in wanted and member.isfile():
                    content = archive.extractfile(member)
                    assert content is not None
                    (folder / name).write_bytes(content.read())
                    wanted.discard(name)
    except (tarfile.TarError, lzma.LZMAError, EOFError, OSError, ValueError) as error:
        raise InputError(
            f"damaged ({error})", "get a fresh copy of it", file=package.file
        ) from None
    if wanted:
        raise InputError(f"has no {min(wanted)}", "get a fresh copy of it", file=package.file)


def _member_of_ar(data: bytes, start: bytes) -> bytes:
    """The content of the first member whose name starts so. See deb(5), ar(5)."""
    place = 8
    while place + 60 <= len(data):
        header = data[place : place + 60]
        size = int(header[48:58])
        if header.startswith(start):
            return data[place + 60 : place + 60 + size]
        place += 60 + size + size % 2
    raise ValueError("no data in the archive")
