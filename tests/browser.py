"""A browser for tests: Chromium without a window, driven by its DevTools protocol over two pipes.

The protocol (chromedevtools.github.io/devtools-protocol) is JSON, a message ended by a zero byte;
with ``--remote-debugging-pipe`` Chromium reads it from file 3 and writes it to file 4, so that
neither a driver program nor a library for web sockets is needed.

A test takes the fixture ``page``, or ``browser`` to open several. Where there is no Chromium they
skip the test and pytest's summary says so; when SATCROSS_BROWSER names one that can't be started,
they fail.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

VARIABLE = "SATCROSS_BROWSER"
"""The environment variable that names another Chromium."""
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")

_PATIENCE = 240.0  # seconds; only a busy machine needs them
_STEP = 0.02
_SWITCHES = (
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",  # Chromium has no sandbox when it runs as root
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--no-default-browser-check",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
)
_PREFERENCES = {
    "autofill": {"profile_enabled": False, "credit_card_enabled": False},
    "credentials_enable_service": False,
}
"""Without autofill: guessing which cells of a grid ask for an address takes 50 ms per page."""
_KEYS = {  # name -> Windows' number of the key
    "Backspace": 8,
    "Tab": 9,
    "Enter": 13,
    "Escape": 27,
    "Insert": 45,
    "Delete": 46,
    "PageUp": 33,
    "PageDown": 34,
    "End": 35,
    "Home": 36,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
}
_ALT, _CONTROL, _META, _SHIFT = 1, 2, 4, 8


class BrowserError(Exception):
    """The browser has ended, or rejected a request."""


def find_browser() -> str | None:
    """Return the path of Chromium, or None."""
    named = os.environ.get(VARIABLE)
    return named or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A running Chromium with an empty profile of its own."""

    def __init__(self, program: str) -> None:
        self._profile = tempfile.mkdtemp(prefix="satcross-browser-")
        preferences = Path(self._profile, "Default", "Preferences")
        preferences.parent.mkdir()
        preferences.write_text(json.dumps(_PREFERENCES), "utf-8")
        # Higher than the two descriptors in the browser, so that they do not collide.
        commands, self._to = _pipe()
        self._from, answers = _pipe()
        null = os.open(os.devnull, os.O_RDWR)
        try:
            self.pid = os.posix_spawn(
                program,
                [program, *_SWITCHES, f"--user-data-dir={self._profile}", "about:blank"],
                os.environ,
                file_actions=[
                    *((os.POSIX_SPAWN_DUP2, null, standard) for standard in (0, 1, 2)),
                    (os.POSIX_SPAWN_DUP2, commands, 3),
                    (os.POSIX_SPAWN_DUP2, answers, 4),
                ],
                setpgroup=0,
            )
        except OSError as error:
            shutil.rmtree(self._profile, ignore_errors=True)
            raise BrowserError(f"{program}: {error.strerror}") from None
        finally:
            for end in (commands, answers, null):
                os.close(end)
        self._number = 0
        self._received = b""
        self.events: list[dict[str, Any]] = []

    def call(self, method: str, session: str | None = None, **parameters: object) -> dict[str, Any]:
        """Send a request and wait for its answer. Raises BrowserError if it is rejected."""
        return self.call_all([(method, parameters)], session)[0]

    def call_all(
        self, requests: list[tuple[str, dict[str, object]]], session: str | None = None
    ) -> list[dict[str, Any]]:
        """Send requests without a pause, then wait for all answers.

        Raises BrowserError if one is rejected.
        """
        numbers = {}
        for method, parameters in requests:
            self._number += 1
            numbers[self._number] = method
            message: dict[str, object] = {
                "id": self._number,
                "method": method,
                "params": parameters,
            }
            if session is not None:
                message["sessionId"] = session
            try:
                _write_all(self._to, json.dumps(message).encode() + b"\0")
            except BrokenPipeError:
                raise BrowserError("the browser has ended") from None
        answers: dict[int, dict[str, Any]] = {}
        while len(answers) < len(numbers):
            answer = self._receive(", ".join(numbers.values()))
            if answer.get("id") in numbers:
                answers[answer["id"]] = answer
            else:
                self.events.append(answer)
        for number, answer in answers.items():
            if "error" in answer:
                raise BrowserError(f"{numbers[number]}: {answer['error'].get('message')}")
        return [answers[number]["result"] for number in numbers]

    def _receive(self, awaited: str) -> dict[str, Any]:
        until = time.monotonic() + _PATIENCE
        while b"\0" not in self._received:
            ready, _, _ = select.select([self._from], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise BrowserError(f"no answer to {awaited} in {_PATIENCE:.0f} s")
            chunk = os.read(self._from, 1 << 20)
            if not chunk:
                raise BrowserError("the browser has ended")
            self._received += chunk
        message, _, self._received = self._received.partition(b"\0")
        data: dict[str, Any] = json.loads(message)
        return data

    def close(self) -> None:
        """End the browser and remove its profile."""
        with suppress(BrowserError):
            self.call("Browser.close")
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._to)
        os.close(self._from)
        shutil.rmtree(self._profile, ignore_errors=True)


class Page:
    """A page of the browser; ``call`` gives the whole protocol where a method is missing here."""

    def __init__(
        self,
        browser: Browser,
        width: int = 1000,
        height: int = 800,
        *,
        phone: bool = False,
        tab: bool = False,
    ) -> None:
        """Open an empty page of ``width`` by ``height`` CSS pixels.

        Only a page with a tab can be printed, photographed and, as that of a phone, touched.
        Looking for fields to complete in tabs, which no preference ends, takes half the CPU time.
        """
        hidden = not (phone or tab)
        target = browser.call("Target.createTarget", url="about:blank", hidden=hidden)["targetId"]
        session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._browser, self._target, self._session = browser, target, session
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.resize(width, height, phone=phone)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        return self._browser.call(method, self._session, **parameters)

    def open(self, address: str | Path) -> None:
        """Go to an address, or to a file, and wait until it is loaded."""
        url = address if isinstance(address, str) else address.resolve().as_uri()
        self.evaluate("window.leftBehind = true")
        answer = self.call("Page.navigate", url=url)
        if answer.get("errorText"):
            raise BrowserError(f"{url}: {answer['errorText']}")
        self.wait_for("!window.leftBehind && document.readyState === 'complete'")

    def reload(self) -> None:
        """Load the page again and wait until it is loaded."""
        self.evaluate("window.leftBehind = true")
        self.call("Page.reload")
        self.wait_for("!window.leftBehind && document.readyState === 'complete'")

    def evaluate(self, script: str) -> Any:
        """Return the value of a JavaScript expression or promise, as plain data."""
        answer = self.call(
            "Runtime.evaluate",
            expression=script,
            returnByValue=True,
            awaitPromise=True,
            userGesture=True,
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            thrown = details.get("exception", {}).get("description") or details["text"]
            raise BrowserError(f"{script}: {thrown}")
        return answer["result"].get("value")

    def wait_for(self, script: str) -> Any:
        """Wait until a JavaScript expression is true; return its value."""
        until = time.monotonic() + _PATIENCE
        while True:
            with suppress(BrowserError):  # the page may just be changing
                value = self.evaluate(script)
                if value:
                    return value
            if time.monotonic() > until:
                shown = self.evaluate("document.getElementById('status')?.textContent")
                raise BrowserError(f"not true in {_PATIENCE:.0f} s: {script}; status: {shown}")
            time.sleep(_STEP)

    def text(self, selector: str) -> str:
        """Return the visible text of the first element that a CSS selector finds."""
        text: str = self.evaluate(f"document.querySelector({json.dumps(selector)}).innerText")
        return text

    def count(self, selector: str) -> int:
        """Return the number of elements that a CSS selector finds."""
        number: int = self.evaluate(f"document.querySelectorAll({json.dumps(selector)}).length")
        return number

    def press(self, *keys: str, shift: bool = False, control: bool = False) -> None:
        """Press keys one after the other: single characters, or names such as ``ArrowLeft``."""
        modifiers = (_SHIFT if shift else 0) | (_CONTROL if control else 0)
        for key in keys:
            typed = ("\r" if key == "Enter" else "") if key in _KEYS else key
            number = _KEYS.get(key) or ord(key.upper()[0])
            code = key if key in _KEYS else "Space" if key == " " else f"Key{key.upper()}"
            about = {"key": key, "code": code, "windowsVirtualKeyCode": number}
            about["modifiers"] = modifiers
            text = {} if control or not typed else {"text": typed}
            kind = "keyDown" if text else "rawKeyDown"
            self.call("Input.dispatchKeyEvent", type=kind, **about, **text)
            self.call("Input.dispatchKeyEvent", type="keyUp", **about)

    def type(self, text: str) -> None:
        """Press the keys of a text."""
        self.press(*text)

    def insert(self, text: str) -> None:
        """Enter a text as a phone's keyboard does, without key events."""
        self.call("Input.insertText", text=text)

    def place(
        self, selector: str, at: tuple[float, float] = (0.5, 0.5), *, scroll: bool = True
    ) -> tuple[float, float]:
        """Wait until a press reaches an element that is at rest; return where, in CSS pixels.

        ``at`` is the point in the element, from 0 to 1. A page that is still answering may move the
        element, cover it or have it disabled; the page must not have to be faster than the test.
        Raises BrowserError for no such element, and for one that can't be pressed in time.
        """
        script = f"""(() => {{
          const element = document.querySelector({json.dumps(selector)});
          if (!element) return null;
          if ({int(scroll)}) element.scrollIntoView({{block: 'center', behavior: 'instant'}});
          const box = element.getBoundingClientRect();
          const [x, y] = [box.x + box.width * {at[0]}, box.y + box.height * {at[1]}];
          const top = document.elementFromPoint(x, y);
          const label = top?.closest('label');
          const reached = element.contains(top) || label?.control === element;
          return [x, y, reached && !element.matches(':disabled')];
        }})()"""
        until = time.monotonic() + _PATIENCE
        before = None
        while True:
            found = self.evaluate(script)
            if found is None:
                raise BrowserError(f"no element is {selector}")
            if found == before and found[2]:
                return found[0], found[1]
            if time.monotonic() > until:
                raise BrowserError(f"{selector} can't be pressed: it moves, is covered or disabled")
            before = found

    def click(self, selector: str, at: tuple[float, float] = (0.5, 0.5)) -> None:
        """Click with the mouse into an element, at a point of it from 0 to 1."""
        self._until_it_hits(selector, at, self._click)

    def _click(self, x: float, y: float) -> None:
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)

    def _until_it_hits(
        self, selector: str, at: tuple[float, float], press: Callable[[float, float], None]
    ) -> None:
        """Press an element, and again where the press has met another one, as people do.

        A page that is still loading its fonts or answering may move the element between the look
        at where it is and the press.
        """
        until = time.monotonic() + _PATIENCE
        while True:
            x, y = self.place(selector, at)
            self.evaluate(
                f"""(() => {{
                  const element = document.querySelector({json.dumps(selector)});
                  window.missed = false;
                  addEventListener("pointerdown", ({{target}}) => {{
                    const label = target.closest?.("label");
                    window.missed = !element.contains(target) && label?.control !== element;
                  }}, {{capture: true, once: true}});
                }})()"""
            )
            press(x, y)
            missed = False
            with suppress(BrowserError):  # it may have led to another page
                missed = self.evaluate("window.missed")
            if not missed:
                return
            if time.monotonic() > until:
                raise BrowserError(f"{selector} can't be pressed: something else is hit")

    def drag(self, start: str, *through: str) -> None:
        """Press the mouse on an element, move it to others, and release it on the last."""
        x, y = self.place(start)
        self.mouse("mousePressed", x, y)
        for selector in through:
            x, y = self.place(selector, scroll=False)
            self.mouse("mouseMoved", x, y)
        self.mouse("mouseReleased", x, y)

    def mouse(self, kind: str, x: float, y: float) -> None:
        """Send ``mousePressed``, ``mouseMoved`` with the button down, or ``mouseReleased``."""
        pressed = 0 if kind == "mouseReleased" else 1
        self._mouse(type=kind, x=x, y=y, button="left", buttons=pressed, clickCount=1)

    def hover(self, x: float, y: float) -> None:
        """Move the mouse, with no button down."""
        self._mouse(type="mouseMoved", x=x, y=y)

    def _mouse(self, **event: object) -> None:
        # A page without a tab draws no frame, for which a move waits, unless a key follows.
        key: dict[str, object] = {"type": "keyUp", "key": "Shift"}
        events = [("Input.dispatchMouseEvent", event), ("Input.dispatchKeyEvent", key)]
        self._browser.call_all(events[: 1 + (event["type"] == "mouseMoved")], self._session)

    def tap(self, selector: str) -> None:
        """Touch the middle of an element of a page for phones."""
        self._until_it_hits(selector, (0.5, 0.5), self._tap)

    def _tap(self, x: float, y: float) -> None:
        # Without a pause: a finger that rests half a second on a busy page is a long press.
        down: dict[str, object] = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
        up: dict[str, object] = {"type": "touchEnd", "touchPoints": []}
        touches = [("Input.dispatchTouchEvent", each) for each in (down, up)]
        self._browser.call_all(touches, self._session)

    def resize(self, width: int, height: int, *, phone: bool = False) -> None:
        """Give the page a size in CSS pixels; ``phone``: as phones show it, with touch."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if phone else 1,
            mobile=phone,
        )
        self.call("Emulation.setTouchEmulationEnabled", enabled=phone)

    def prefer(self, **features: str) -> None:
        """Set media features, ``_`` for ``-``: ``prefer(prefers_color_scheme="dark")``."""
        self.call(
            "Emulation.setEmulatedMedia",
            features=[
                {"name": name.replace("_", "-"), "value": value} for name, value in features.items()
            ],
        )

    def luminance(self, name: str) -> float:
        """Return the relative luminance (WCAG 2.2) of a custom property that is a colour."""
        light: float = self.evaluate(
            f"""(() => {{
              const probe = document.createElement("i");
              probe.style.color = "var(--{name})";
              document.body.append(probe);
              const [r, g, b] = getComputedStyle(probe).color.match(/[\\d.]+/g).map((value) => {{
                const share = Number(value) / 255;
                return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
              }});
              probe.remove();
              return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            }})()"""
        )
        return light

    def contrast(self, text: str, ground: str) -> float:
        """Return the contrast (WCAG 2.2) of two custom properties that are colours."""
        dim, bright = sorted(map(self.luminance, (text, ground)))
        return (bright + 0.05) / (dim + 0.05)

    def disable_scripts(self) -> None:
        """Turn JavaScript off for pages from now on (``evaluate`` still works)."""
        self.call("Emulation.setScriptExecutionDisabled", value=True)

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        """Write the visible part, or the ``whole`` page, as PNG."""
        picture = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(picture))

    def print_pdf(self, path: Path) -> None:
        """Print the page into a PDF file."""
        data = self.call("Page.printToPDF", preferCSSPageSize=True)["data"]
        path.write_bytes(base64.b64decode(data))

    def accessible(self) -> list[tuple[str, str]]:
        """Return what a screen reader gets: (role, name) of everything on the page, in order."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes
            if not node.get("ignored")
        ]

    @property
    def complaints(self) -> list[str]:
        """Return the errors on the page so far: in scripts, and rejected resources."""
        self.evaluate("0")  # waits for all reports until now
        found = []
        for event in self._events():
            about = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                details = about["exceptionDetails"]
                thrown = details.get("exception", {}).get("description") or details["text"]
                found.append(str(thrown))
            elif event["method"] == "Log.entryAdded" and about["entry"]["level"] == "error":
                found.append(str(about["entry"]["text"]))
        return found

    def watch_requests(self) -> None:
        """Report ``requests`` from now on, which takes half the time of loading our page again."""
        self.call("Network.enable")

    @property
    def requests(self) -> list[str]:
        """Return the addresses that the page has requested since ``watch_requests``."""
        self.evaluate("0")
        return [
            str(event["params"]["request"]["url"])
            for event in self._events()
            if event["method"] == "Network.requestWillBeSent"
        ]

    def _events(self) -> list[dict[str, Any]]:
        return [one for one in self._browser.events if one.get("sessionId") == self._session]

    def close(self) -> None:
        """Close the page and wait for its end: the last thing it does may be to store data."""
        self._browser.call("Target.closeTarget", targetId=self._target)
        until = time.monotonic() + _PATIENCE
        while self._is_open():
            if time.monotonic() > until:
                raise BrowserError(f"the page has not ended in {_PATIENCE:.0f} s")
            time.sleep(_STEP)

    def _is_open(self) -> bool:
        targets = self._browser.call("Target.getTargets")["targetInfos"]
        return any(one["targetId"] == self._target for one in targets)


@contextmanager
def open_browser() -> Iterator[Browser]:
    """A browser, ended afterwards. Raises BrowserError where there is none."""
    program = find_browser()
    if program is None:
        raise BrowserError(f"none of {', '.join(NAMES)} is installed")
    browser = Browser(program)
    try:
        yield browser
    finally:
        browser.close()


def _pipe() -> tuple[int, int]:
    """A pipe (reading end, writing end) with high numbers, not inherited."""
    ends = os.pipe()
    read, write = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
    for end in ends:
        os.close(end)
    return read, write


def _write_all(end: int, data: bytes) -> None:
    while data:
        data = data[os.write(end, data) :]
