#!/usr/bin/env python3
"""Trains tokenizers of each kind on texts of many scripts, and writes what `tokenizers` decodes: tests/golden/tokens.

    python3 -m venv v && v/bin/pip install tokenizers==0.23.3 && v/bin/python tokens.py

For each kind: NAME.json, the tokenizer, and NAME.jsonl, a list on each line of ids, what they are without special
tokens, and with them. made.jsonl has made-up tokenizers, a line each with their cases: chains of decoders that nobody
has trained for. The seed is fixed, but trainers break ties as they like. The unit test reads another folder where
CULPRIT_TOKENS_GOLDEN names one:

    v/bin/python tokens.py --lines 10000 --vocabulary 4000 --out FOLDER
"""
import argparse
import collections
import importlib
import json
import pathlib
import random

import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

BLOCKS = [(0x20, 0x7F), (0x20, 0x7F), (0xA0, 0x180), (0x370, 0x400), (0x400, 0x530), (0x590, 0x600), (0x600, 0x700), (0x900, 0x980), (0xE00, 0xE80),
          (0x10A0, 0x1100), (0x1100, 0x1200), (0x1E00, 0x1F00), (0x2000, 0x2070), (0x2190, 0x2400), (0x2580, 0x25A0), (0x3040, 0x3100),
          (0x4E00, 0x4E80), (0xAC00, 0xAC80), (0xFB00, 0xFB50), (0xFF00, 0xFF60), (0x1F300, 0x1F650), (0x1D400, 0x1D440), (0x10400, 0x10450)]
SIGNS = ["\U0001F468\u200d\U0001F469\u200d\U0001F467", "\U0001F1E9\U0001F1EA", "e\u0301", "o\u0308\u0323", "\u0938\u094d\u0924\u0947", "\0", "\x07", "\x1b[0m", "\t", "\n",
         "\r\n", "\u00ad", "\ufeff", "\ufffd", "\u2028", "\u0085", "\u3000", "\u00a0", "\u2581", "##", "</w>", "<0xE5>", "<s>", "[CLS]", "|", "<pad>", "don't",
         "do not", "I'm", " 's", " .", " ?", "' '", "we 've", "\U0010FFFF", "\uE000", "   "]


def docstring_words():
    texts = []
    for name in ("argparse", "ast", "asyncio", "collections", "decimal", "difflib", "email", "json", "logging", "random", "string", "tarfile", "unittest"):
        module = importlib.import_module(name)
        texts += [getattr(vars(module)[member], "__doc__", None) for member in sorted(vars(module))]
    words = [word for text in texts if isinstance(text, str) for word in text.split(" ")]
    return [word for word in words if word]


def random_line(dice, words):
    parts = []
    for _ in range(dice.randrange(1, 12)):
        luck = dice.random()
        if luck < 0.5:
            parts.append(" ".join(dice.choice(words) for _ in range(dice.randrange(1, 6))))
        elif luck < 0.8:
            first, last = dice.choice(BLOCKS)
            letters = [chr(dice.randrange(first, last)) for _ in range(dice.randrange(1, 9))]
            parts.append("".join(letters))
        elif luck < 0.95:
            parts.append(dice.choice(SIGNS))
        else:
            parts.append("".join(chr(dice.choice([dice.randrange(0x20), dice.randrange(0x300, 0x370), dice.randrange(0xE000), dice.randrange(0xE000, 0x110000)]))
                                 for _ in range(4)))
    return dice.choice(["", " "]).join(parts) if dice.random() < 0.5 else " ".join(parts)


def trained(model, trainer, lines, decoder, pre_tokenizer, normalizer=None, processor=None):
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.decoder = decoder
    if pre_tokenizer:
        tokenizer.pre_tokenizer = pre_tokenizer
    if normalizer:
        tokenizer.normalizer = normalizer
    tokenizer.train_from_iterator(lines, trainer)
    if processor:
        tokenizer.post_processor = processor(tokenizer)
    return tokenizer


def of_usual_letters(lines, most):
    """A model of one character for each token and more has no place for all of them."""
    counted = collections.Counter("".join(lines))
    usual = set(letter for letter, _ in counted.most_common(most))
    return ["".join(letter for letter in line if letter in usual) for line in lines]


def gpt2(lines, size):
    return trained(models.BPE(), trainers.BpeTrainer(vocab_size=size, special_tokens=["<|endoftext|>"], show_progress=False,
                                                     initial_alphabet=pre_tokenizers.ByteLevel.alphabet()),
                   lines, decoders.ByteLevel(), pre_tokenizers.ByteLevel(add_prefix_space=False))


def bert(lines, size):
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    return trained(models.WordPiece(unk_token="[UNK]"), trainers.WordPieceTrainer(vocab_size=size, special_tokens=special, show_progress=False, limit_alphabet=size // 2),
                   lines, decoders.WordPiece(), pre_tokenizers.BertPreTokenizer(), normalizers.BertNormalizer(),
                   lambda made: processors.BertProcessing(("[SEP]", made.token_to_id("[SEP]")), ("[CLS]", made.token_to_id("[CLS]"))))


def t5(lines, size):
    trainer = trainers.UnigramTrainer(vocab_size=size, special_tokens=["<pad>", "</s>", "<unk>"], unk_token="<unk>", show_progress=False)
    return trained(models.Unigram(), trainer, of_usual_letters(lines, size // 2), decoders.Metaspace(), pre_tokenizers.Metaspace(), normalizers.NFKC(),
                   lambda made: processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", made.token_to_id("</s>"))]))


def llama(lines, size):
    special = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=special, show_progress=False, limit_alphabet=200, max_token_length=16)
    decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    made = trained(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True), trainer, lines, decoder, None,
                   normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]))
    described = json.loads(made.to_str())
    described["added_tokens"] = described["added_tokens"][:3]  # its bytes are no special tokens
    return tokenizers.Tokenizer.from_str(json.dumps(described))


def clip(lines, size):
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=["<unk>"], end_of_word_suffix="</w>", show_progress=False, limit_alphabet=150)
    return trained(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"), trainer, lines, decoders.BPEDecoder(), pre_tokenizers.BertPreTokenizer())


def wav2vec2(lines, size):
    counted = collections.Counter("".join(lines).upper().replace(" ", "|"))
    tokens = ["<pad>", "<s>", "</s>", "<unk>"] + [letter for letter, _ in counted.most_common(size)]
    tokenizer = tokenizers.Tokenizer(models.WordLevel({token: i for i, token in enumerate(tokens)}, unk_token="<unk>"))
    tokenizer.decoder = decoders.CTC()
    tokenizer.add_special_tokens(tokens[:4])
    return tokenizer


def ids_of_line(dice, name, tokenizer, line):
    if name != "wav2vec2":
        return tokenizer.encode(line).ids
    ids = []
    for letter in line.upper().replace(" ", "|"):
        ids += [tokenizer.token_to_id(letter) or 3] * dice.choice([1, 1, 2]) + [0] * dice.choice([0, 0, 0, 1])
    return ids


def changed_ids(dice, ids, size):
    """Ids of no text: some are left out, exchanged or unknown."""
    changed = [dice.randrange(size + 3) if dice.random() < 0.2 else one for one in ids if dice.random() < 0.9]
    if dice.random() < 0.2:
        dice.shuffle(changed)
    if dice.random() < 0.05:
        changed.append(dice.choice([10**6, 2**32 - 1]))
    return changed


# Where UTF-8 draws lines: ends of ranges of first and second bytes.
BYTES = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF]


def ids_of_bytes(dice, name, tokenizer):
    """Bytes that are hardly ever characters, for tokenizers that have a token for each byte."""
    parts = [dice.choice(BYTES) if dice.random() < 0.5 else dice.choice([0x80, 0x90, 0xA0, 0xBF, 0xE0, 0xED, 0xF0, 0xF4]) for _ in range(dice.randrange(1, 9))]
    letters = [letter_of_byte(part) if name == "gpt2" else f"<0x{part:02X}>" for part in parts]
    return [tokenizer.token_to_id(letter) for letter in letters]


def letter_of_byte(byte):
    others = [one for one in range(256) if not (0x21 <= one <= 0x7E or 0xA1 <= one <= 0xAC or one >= 0xAE)]
    return chr(0x100 + others.index(byte) if byte in others else byte)


def decoded(tokenizer, ids):
    return [ids, tokenizer.decode(ids, skip_special_tokens=True), tokenizer.decode(ids, skip_special_tokens=False)]


PIECES = ["a", "b", "ab", "", " ", "  ", "é", "日", "\u2581", "\u2581a", "a\u2581b", "\u2581\u2581", "##", "##ing", "#", "</w>", "a</w>", "<0x41>", "<0xE6>", "<0x97>", "<0xA5>",
          "<0xe6>", "<0xFF>", "<0x+F>", "<0x-1>", "<0xG1>", "<0xé>", "<0x4>", "Ġ", "Ġa", "Ã", "©", "Ãī", "æĹ¥", "æ", "Ĺ", "¥", "ð", "Ł", "ĺ", "Ģ", "í", "ł", "ô", "À", "ÿ", "<pad>", "|", ".", ",", "?",
          "!", "'", " '", "' ", "n't", " n't", "do", " do not", "do not", "'s", " 's", "'ve", "'re", "'m", "\0", "\n", "\U0001F600", "e\u0301", "İ", "Σ", "<s>", "</s>", "Hello", "HÉ", "\u3000x\u2003", "\x1cx \x1f"]


def made_decoder(dice, depth=0):
    kind = dice.randrange(11 if depth < 2 else 9)
    mark = dice.choice(["▁", "a", " ", "é", "_"])
    piece = dice.choice(PIECES)
    if kind == 0:
        return {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    if kind == 1:
        return {"type": "WordPiece", "prefix": dice.choice(["##", "##", "", "a"]), "cleanup": dice.random() < 0.5}
    if kind == 2:
        scheme = dice.choice(["always", "first", "never"])
        older = {"add_prefix_space": scheme != "never"} if dice.random() < 0.3 else {"split": False}
        return {"type": "Metaspace", "replacement": mark, "prepend_scheme": scheme, **older}
    if kind == 3:
        return {"type": "BPEDecoder", "suffix": dice.choice(["</w>", "</w>", "", "a"])}
    if kind == 4:
        return {"type": "ByteFallback"}
    if kind == 5:
        return {"type": "Fuse"}
    if kind == 6:
        return {"type": "Strip", "content": mark, "start": dice.randrange(3), "stop": dice.choice([0, 0, 1, 2])}
    if kind == 7:
        pattern = {"Regex": dice.choice(["a", "do", "▁", "é"])} if dice.random() < 0.3 else {"String": dice.choice([piece, mark, ""])}
        return {"type": "Replace", "pattern": pattern, "content": dice.choice(["", " ", "x", "▁", "ab"])}
    if kind == 8:
        return {"type": "CTC", "pad_token": dice.choice(["<pad>", "a", ""]), "word_delimiter_token": dice.choice(["|", "", " "]), "cleanup": dice.random() < 0.7}
    return {"type": "Sequence", "decoders": [made_decoder(dice, depth + 1) for _ in range(dice.randrange(5))]}


def made_normalizer(dice):
    return dice.choice([None, {"type": "Lowercase"}, {"type": "Prepend", "prepend": "▁"}, {"type": "NFC"}, {"type": "ByteLevel"},
                        {"type": "Strip", "strip_left": True, "strip_right": dice.random() < 0.5},
                        {"type": "BertNormalizer", "clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": True},
                        {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
                        {"type": "Replace", "pattern": {"Regex": "a"}, "content": "b"}])


def made_tokenizer(dice):
    tokens = dice.sample(PIECES, 30)
    ids = list(range(30)) if dice.random() < 0.7 else dice.sample(range(60), 30)
    kind = dice.choice(["WordLevel", "WordPiece", "BPE", "Unigram"])
    vocab = [[token, -1.0] for token in tokens] if kind == "Unigram" else dict(zip(tokens, ids))
    more = {"WordLevel": {"unk_token": "a"}, "WordPiece": {"unk_token": "a", "continuing_subword_prefix": "##", "max_input_chars_per_word": 9},
            "BPE": {"merges": []}, "Unigram": {"unk_id": 0}}[kind]
    added = []
    for token in dice.sample(PIECES, 8):
        normalized = dice.random() < 0.4
        # Accents and such are taken from what is normalized by rules that the decoder does not have.
        added.append({"id": len(added) + 30, "content": token, "single_word": False, "lstrip": False, "rstrip": False, "normalized": normalized and token != "e\u0301",
                      "special": dice.random() < 0.5})
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": made_normalizer(dice), "pre_tokenizer": None,
            "post_processor": None, "decoder": None if dice.random() < 0.05 else made_decoder(dice), "model": {"type": kind, **more, "vocab": vocab}}


def made_lines(dice, count):
    """What makes tokenizers panic is left out: strips of more than there is."""
    lines = []
    while len(lines) < count:
        described = made_tokenizer(dice)
        try:
            tokenizer = tokenizers.Tokenizer.from_str(json.dumps(described))
            cases = [decoded(tokenizer, [dice.randrange(62) for _ in range(dice.randrange(9))]) for _ in range(6)]
        except BaseException as error:
            if type(error).__name__ != "PanicException":
                raise
            continue
        kept = {part: described[part] for part in ("added_tokens", "normalizer", "decoder", "model") if described[part] is not None}
        for added in kept["added_tokens"]:
            for unused in ("single_word", "lstrip", "rstrip"):
                del added[unused]
        lines.append({"tokenizer": kept, "cases": cases})
    return lines


def written(path, lines):
    path.write_text("".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines), encoding="utf-8", newline="")


def main():
    here = pathlib.Path(__file__).parent
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=40, help="of each tokenizer")
    parser.add_argument("--vocabulary", type=int, default=400)
    parser.add_argument("--out", type=pathlib.Path, default=here)
    given = parser.parse_args()
    given.out.mkdir(exist_ok=True)
    dice = random.Random(7)
    words = docstring_words()
    lines = [random_line(dice, words) for _ in range(given.lines)]
    lines = [line.encode("utf-8", "replace").decode() for line in lines]
    for kind in (gpt2, bert, t5, llama, clip, wav2vec2):
        name = kind.__name__
        tokenizer = kind(lines, given.vocabulary + (256 if kind is llama else 0))
        described = json.dumps(json.loads(tokenizer.to_str()), ensure_ascii=False, separators=(",", ":"))
        (given.out / f"{name}.json").write_text(described + "\n", encoding="utf-8", newline="")
        size, cases = tokenizer.get_vocab_size(), []
        for line in lines:
            ids = ids_of_line(dice, name, tokenizer, line)
            cases += [decoded(tokenizer, ids), decoded(tokenizer, changed_ids(dice, ids, size))]
        if kind in (gpt2, llama):
            cases += [decoded(tokenizer, ids_of_bytes(dice, name, tokenizer)) for _ in range(max(given.lines, 150))]
        written(given.out / f"{name}.jsonl", cases)
        print(name, size, len(cases))
    written(given.out / "made.jsonl", made_lines(dice, max(given.lines, 80)))


if __name__ == "__main__":
    main()
