#!/usr/bin/env bash
# Checks the models that choose_models.py names, and writes the summary of the job. The exit code is that of culprit check, but
# 0 in place of 3 if CULPRIT_NOT_JUDGED=warn. All variables are set in action.yml.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
run=$RUNNER_TEMP/culprit-run
list=$RUNNER_TEMP/culprit-models

python3 "$here/choose_models.py" >"$list"
mapfile -d '' -t models <"$list"
echo "models=${#models[@]}" >>"$GITHUB_OUTPUT"
if [ ${#models[@]} -eq 0 ]; then
  echo "### culprit check: no model to check" | tee -a "$GITHUB_STEP_SUMMARY"
  exit 0
fi

words=(--fail-on "$CULPRIT_FAIL_ON" --quiet --run-dir "$run")
[ -z "$CULPRIT_KNOWN" ] || words+=(--known "$CULPRIT_KNOWN")
read -r -a more <<<"$CULPRIT_ARGUMENTS"
code=0
rm -rf "$run"
culprit check "${models[@]}" "${words[@]}" "${more[@]}" || code=$?
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
python3 "$here/summary.py" "$run/report.json" "$code" >>"$GITHUB_STEP_SUMMARY"

if [ "$code" -eq 3 ] && [ "$CULPRIT_NOT_JUDGED" = warn ]; then
  echo "::warning title=culprit check::A model could not be judged. The summary of the job says why."
  exit 0
fi
exit "$code"
