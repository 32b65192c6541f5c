#!/usr/bin/env python3
"""Draws what a command of culprit prints on a terminal, as an SVG: text as text, with the tool's own colours.

    terminal.py build/release/bin/culprit          makes terminal.svg beside this file again

The command runs on a copy of examples/, on a terminal of its own (a pty), so colours and line breaks are those of a real
run. The picture has its own dark background, so it looks the same on a light page and on a dark one.
"""
import argparse
import fcntl
import html
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import tempfile
import termios

here = pathlib.Path(__file__).resolve().parent
root = here.parents[1]

COMMAND = ["culprit", "check", "detector.onnx", "--run-dir", "run"]
COLUMNS, LINES = 80, 100
CELL, LINE, MARGIN, BAR = 8.4, 19, 16, 32  # pixels: a character, a line, around the text, the bar at the top
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
# By the code that sets it (src/tool/report/layout.cc, `painted`): colour, and whether it is bold.
PLAIN = ("#d5dbe3", False)
INKS = {"32": ("#7ee787", False), "1;31": ("#ff7b72", True), "33": ("#f0c360", False), "2": ("#8b949e", False),
        "1": ("#ffffff", True)}


def printed_on_a_terminal(culprit, folder):
    """What the command writes to a terminal of COLUMNS, with the codes of its colours."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    with subprocess.Popen([culprit, *COMMAND[1:]], cwd=folder, env={**environment, "TERM": "xterm-256color"},
                          stdin=subprocess.DEVNULL, stdout=its, stderr=subprocess.DEVNULL):
        os.close(its)
        written = b""
        while True:
            try:
                block = os.read(ours, 65536)
            except OSError:  # how a pty says that nobody writes to it any more
                break
            if not block:
                break
            written += block
    os.close(ours)
    return written.decode().replace("\r\n", "\n").rstrip("\n")


def runs_of(line):
    """The line as (text, ink) from left to right."""
    runs, ink = [], PLAIN
    for at, part in enumerate(re.split(r"\x1b\[([0-9;]*)m", line)):
        if at % 2 == 1:
            ink = INKS.get(part, PLAIN)
        elif part:
            runs.append((part, ink))
    return runs


def text_element(line, number):
    spans = []
    for text, (colour, is_bold) in runs_of(line):
        look = f' fill="{colour}"' if colour != PLAIN[0] else ""
        look += ' font-weight="bold"' if is_bold else ""
        spans.append(f"<tspan{look}>{html.escape(text, quote=False)}</tspan>" if look else html.escape(text, quote=False))
    y = BAR + MARGIN + LINE * number + 13
    return f'<text x="{MARGIN}" y="{y}" xml:space="preserve">{"".join(spans)}</text>'


def picture_of(lines):
    width = round(2 * MARGIN + COLUMNS * CELL)
    height = BAR + 2 * MARGIN + LINE * len(lines)
    dots = "".join(f'<circle cx="{20 + 20 * i}" cy="{BAR // 2}" r="6" fill="{colour}"/>'
                   for i, colour in enumerate(("#ff5f57", "#febc2e", "#28c840")))
    texts = "\n".join(text_element(line, number) for number, line in enumerate(lines))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">
<title>{html.escape(" ".join(COMMAND))}, in a terminal</title>
<rect width="{width}" height="{height}" rx="8" fill="#161b22" stroke="#57606a"/>
<path d="M1 {BAR}H{width - 1}" stroke="#30363d"/>
{dots}
<g font-family="{FONT}" font-size="14" fill="{PLAIN[0]}" style="white-space: pre">
{texts}
</g>
</svg>
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("culprit", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=here / "terminal.svg")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="culprit-picture-") as folder:
        for model in (root / "examples").glob("*.onnx"):
            shutil.copy(model, folder)
        printed = printed_on_a_terminal(arguments.culprit.resolve(), folder)
    prompt = f"\x1b[32m$\x1b[0m \x1b[1m{' '.join(COMMAND)}\x1b[0m"
    arguments.output.write_text(picture_of([prompt, *printed.split("\n")]))


if __name__ == "__main__":
    main()
