#!/usr/bin/env python3
"""Writes random texts and what sacrebleu, jiwer and SQuAD's script say of them: tests/golden/metrics/text.json.

    python3 -m venv v && v/bin/pip install sacrebleu jiwer 'transformers<5' && v/bin/python text.py

SQuAD's script is the copy of it in transformers. The seed is fixed: the same versions write the same bytes.
"""
import json
import pathlib
import random

import jiwer
import sacrebleu
from transformers.data.metrics import squad_metrics

WORDS = ["the", "The", "a", "an", "AN", "cat", "sat", "on", "mat", "net", "of", "nets", "it's", "don't", "well-known", "3.14", "1,000", "$5-6",
         "(yes)", "[no]", "U.S.", "e.g.,", "Café", "ÉTÉ", "naïve", "日本語", "the’s", "“The", "a”", "Ünïcödé", "İstanbul", "ЖУК", "жук", "Ω",
         "tab\there", "x\u00a0y", "<skipped>", "&amp;", "&quot;quoted&quot;", "&lt;b&gt;", "end.", "end,", "wait...", "2-3", "-", "'", "_", "a_b",
         "100%", "ß", "ǅ", "١٢", "x²", "\U00010400", "e\u0301te", "well-\nknown", "line\nend"]
SPACES = [" ", " ", " ", " ", "  ", " \t", "\u2003 "]


def text(dice, most):
    count = dice.randrange(most + 1)
    return "".join(dice.choice(WORDS) + dice.choice(SPACES) for _ in range(count))


def near(dice, words):
    """Words, of which some are exchanged, taken out or put in."""
    changed = []
    for word in words.split(" "):
        luck = dice.random()
        if luck < 0.1:
            continue
        changed.append(dice.choice(WORDS) if luck < 0.25 else word)
        if luck > 0.92:
            changed.append(dice.choice(WORDS))
    return " ".join(changed)


def answers(dice):
    cases = []
    for _ in range(300):
        right = [text(dice, 5) for _ in range(dice.randrange(4))]
        given = near(dice, dice.choice(right)) if right and dice.random() < 0.8 else text(dice, 5)
        # As get_raw_scores does it for one question.
        known = [one for one in right if squad_metrics.normalize_answer(one)] or [""]
        cases.append({"given": given, "right": right, "normal": squad_metrics.normalize_answer(given),
                      "exact": max(squad_metrics.compute_exact(one, given) for one in known),
                      "f1": max(squad_metrics.compute_f1(one, given) for one in known)})
    return cases


def rates(dice):
    cases = []
    for _ in range(60):
        said = [text(dice, 12) for _ in range(dice.randrange(1, 6))]
        heard = [near(dice, one) for one in said]
        cases.append({"said": said, "heard": heard, "wer": jiwer.wer(said, heard), "cer": jiwer.cer(said, heard)})
    return cases


def bleus(dice):
    cases = []
    for _ in range(60):
        count, ways = dice.randrange(1, 6), dice.randrange(1, 4)
        said = [text(dice, 25) for _ in range(count)]
        right = [[near(dice, one) for one in said] for _ in range(ways)]
        if dice.random() < 0.15:
            said = [text(dice, 3) for _ in said]
        bleu = sacrebleu.corpus_bleu(said, right)
        cases.append({"said": said, "right": [list(one) for one in zip(*right)], "runs_of_four": bleu.totals[3], "bleu": bleu.score})
    lines = [text(dice, 10) for _ in range(200)]
    tokenize = sacrebleu.metrics.BLEU().tokenizer
    return cases, [{"line": line, "tokens": tokenize(line.rstrip()).split()} for line in lines]


def main():
    dice = random.Random(48)
    cases, tokens = bleus(dice)
    value = {"answers": answers(dice), "rates": rates(dice), "bleu": cases, "tokens": tokens}
    written = json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n"
    (pathlib.Path(__file__).resolve().parent / "text.json").write_text(written)
    print(f"text.json: {len(written)} characters")


if __name__ == "__main__":
    main()
