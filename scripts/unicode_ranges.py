#!/usr/bin/env python3
"""Writes src/decisions/text/unicode_ranges.cc from the Unicode data of this Python: letters and digits, and lower case.

    scripts/unicode_ranges.py

The tables are those of the Python that writes them; 3.11 has Unicode 14.
"""
import pathlib
import subprocess
import sys
import unicodedata

PLACE = pathlib.Path(__file__).resolve().parents[1] / "src/decisions/text/unicode_ranges.cc"


def word_ranges():
    """[first, last] of code points for which str.isalnum() is true."""
    ranges = []
    for code in range(sys.maxunicode + 1):
        if not chr(code).isalnum():
            continue
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return ranges


def lower_ranges():
    """[first, last, step, distance] of code points whose str.lower() is one other code point."""
    ranges = []
    for code in range(sys.maxunicode + 1):
        lower = chr(code).lower()
        if len(lower) != 1 or ord(lower) == code:
            continue
        distance = ord(lower) - code
        last = ranges[-1] if ranges else None
        if last and last[3] == distance and code - last[1] in (1, 2) and (last[0] == last[1] or last[2] == code - last[1]):
            last[2], last[1] = code - last[1], code
        else:
            ranges.append([code, code, 1, distance])
    return ranges


def main():
    words = ", ".join(f"{{{first:#x}, {last:#x}}}" for first, last in word_ranges())
    lowers = ", ".join(f"{{{first:#x}, {last:#x}, {step}, {distance}}}" for first, last, step, distance in lower_ranges())
    PLACE.write_text(f"""// Written by scripts/unicode_ranges.py from Unicode {unicodedata.unidata_version}.
#include "text/unicode_ranges.h"

#include <array>

namespace culprit {{
namespace {{

constexpr auto words = std::to_array<WordRange>({{{words}}});

constexpr auto lowers = std::to_array<LowerRange>({{{lowers}}});

}}  // namespace

std::span<const WordRange> word_ranges() {{ return words; }}
std::span<const LowerRange> lower_ranges() {{ return lowers; }}

}}  // namespace culprit
""")
    subprocess.run(["clang-format-14", "-i", PLACE], check=True)


if __name__ == "__main__":
    main()
