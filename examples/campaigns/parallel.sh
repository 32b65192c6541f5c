#!/usr/bin/env bash
# parallel.sh CAMPAIGN PARTS FOLDER: a campaign in so many parts at once, then put together in FOLDER/all.
set -euo pipefail
campaign=$1 parts=$2 folder=$3
mkdir -p "$folder"
part() { culprit run "$1" --shard "$2/$3" --run-dir "$4/part-$2" --resume --jobs 1 --quiet >/dev/null || [[ $? == [13] ]]; }
export -f part
seq "$parts" | parallel --will-cite --jobs "$parts" part "$campaign" {} "$parts" "$folder"
culprit merge "$folder/all" "$folder"/part-*
culprit show "$folder/all"
