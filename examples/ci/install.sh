#!/usr/bin/env bash
# Installs the wheel that CULPRIT_WHEEL names in an environment of its own, and puts the command culprit on the PATH of later steps.
set -euo pipefail
place=$RUNNER_TEMP/culprit-python
python3 -m venv "$place"
mapfile -t wheels < <(compgen -G "$CULPRIT_WHEEL" || printf '%s\n' "$CULPRIT_WHEEL")
"$place/bin/python" -m pip install --quiet "${wheels[@]}"
echo "$place/bin" >>"$GITHUB_PATH"
"$place/bin/culprit" --version
