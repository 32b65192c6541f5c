"""`python -m culprit` is the command `culprit`."""

from __future__ import annotations

from ._command import main

main()
