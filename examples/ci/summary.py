#!/usr/bin/env python3
"""Prints the summary of a job, in Markdown: summary.py RUN/report.json EXIT_CODE"""
import json
import pathlib
import sys

WORDS = {"diverged": "wrong", "deviates": "small difference"}  # as culprit check prints them


def words_for(name):
    return WORDS.get(name, name.replace("_", " "))


def counted(number, thing):
    return f"{number} {thing}{'' if number == 1 else 's'}"


def cell(text):
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def rows_of(model):
    """(outcome, step, text) of each fault; one row if there is none."""
    rows = [(f"known {fault['known']['id']}" if fault["known"] else f"**{words_for(fault['verdict'])}**",
             ", ".join(fault["culprits"]), fault["workaround"] or fault["message"]) for fault in model["faults"]]
    return rows or [(words_for(model["outcome"]), "", model["error"] or model["baseline"]["message"] or "")]


def lines_of(report, code):
    summary = report["summary"]
    yield (f"### culprit check: {counted(summary['faults'], 'new fault')} in {counted(summary['models'], 'model')}, "
           f"{summary['known_faults']} known, {counted(summary['not_judged'], 'model')} not judged, exit code {code}")
    yield ""
    yield "| model | result | step | what to do, or why |"
    yield "|---|---|---|---|"
    for model in report["models"]:
        for outcome, step, text in rows_of(model):
            yield f"| {cell(model['model']['path'])} | {outcome} | {cell(step)} | {cell(text)} |"


def main(file, code):
    if not pathlib.Path(file).exists():
        print(f"### culprit check: no report, exit code {code}\n\nThe log of this job says why.")
        return
    print("\n".join(lines_of(json.loads(pathlib.Path(file).read_text(encoding="utf-8")), code)))


if __name__ == "__main__":
    main(*sys.argv[1:])
