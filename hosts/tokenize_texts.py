"""Turns texts into tokens with the Python package `tokenizers`, once; later nobody needs Python.

    python tokenize_texts.py SETTINGS.json TEXTS.jsonl TOKENS.jsonl

SETTINGS has `tokenizer` (a tokenizer.json), `max_length` (0: none), `stride` (tokens that two windows of a long context
share), `side` (on which texts are cut: left or right; "": as the tokenizer itself says) and `windows` (whether a long
context is cut into windows; else it is cut off). A line of TEXTS is
{"text": ..., "context": ..., "target": ...}, of which the last two may be missing. TOKENS begins with a line that tells
of the tokenizer; then comes a line for each text: `ids`, `mask`, `types`, a list for each window; of a context `places`
(in characters), null for what is no part of it; `target`; `cut`, where something was cut off; or `error`. If nothing can
be done, all of TOKENS is {"cannot": why}, {"refused": what was asked for wrongly} or {"lacks": package}.
"""
import json
import sys


def give_up(tokens, told):
    """Says why in the place of the tokens."""
    with open(tokens, "w", encoding="utf-8") as file:
        json.dump(told, file)
    sys.exit(1)


def tokenizer_at(path, tokens):
    try:
        import tokenizers
    except ImportError:
        give_up(tokens, {"lacks": "tokenizers"})
    try:
        tokenizer = tokenizers.Tokenizer.from_file(path)
    except Exception as error:  # whatever the library says of a file that it cannot read
        give_up(tokens, {"cannot": str(error)})
    tokenizer.no_padding()
    return tokenizer, tokenizers.__version__


def first_known(tokenizer, names, otherwise):
    ids = (tokenizer.token_to_id(name) for name in names)
    return next((number for number in ids if number is not None), otherwise)


def known_of(tokenizer, version):
    """What is kept of a tokenizer: what decoding needs."""
    whole = json.loads(tokenizer.to_str())
    whole["model"].pop("merges", None)
    for part in ("pre_tokenizer", "truncation", "padding"):
        whole[part] = None
    pad = first_known(tokenizer, ("[PAD]", "<pad>", "</s>", "<|endoftext|>"), 0)
    end = first_known(tokenizer, ("</s>", "<|endoftext|>", "<|end_of_text|>", "<eos>", "<|im_end|>", "[SEP]"), None)
    return {"tokenizer": whole, "pad": pad, "end": end, "version": version}


def places_of(window):
    return [None if of != 1 else list(place) for of, place in zip(window.sequence_ids, window.offsets)]


def following(item, settings):
    """What follows the text, as it would stand there: GPT-2's tokens of words begin with the space before them."""
    text, target = item["text"], item["target"]
    is_apart = text[-1:].isspace() or target[:1].isspace()
    return target if is_apart or not settings["spaces_count"] else " " + target


def expect_room(windows, context, max_length):
    """A question may be so long that nothing of its context fits beside it."""
    if max_length and any(len(w.ids) > max_length for w in windows):
        raise ValueError(f"it has more than {max_length} tokens, and cannot be cut")
    if context is not None and not all(1 in w.sequence_ids for w in windows):
        raise ValueError("the question leaves no room for its context")


def tokens_of(tokenizer, item, settings):
    context = item.get("context")
    if context is None:
        whole = tokenizer.encode(item["text"])
    else:
        whole = tokenizer.encode(item["text"], context)
    windows = [whole] + (whole.overflowing if settings["windows"] else [])
    expect_room(windows, context, settings["max_length"])
    told = {"ids": [w.ids for w in windows], "mask": [w.attention_mask for w in windows], "types": [w.type_ids for w in windows]}
    if context is not None:
        told["places"] = [places_of(w) for w in windows]
    if whole.overflowing and not settings["windows"]:
        told["cut"] = True
    if "target" in item:
        told["target"] = tokenizer.encode(following(item, settings)).ids
    return told


def main(settings_file, texts, tokens):
    with open(settings_file, encoding="utf-8") as file:
        settings = json.load(file)
    tokenizer, version = tokenizer_at(settings["tokenizer"], tokens)
    settings["spaces_count"] = '"ByteLevel"' in json.dumps(json.loads(tokenizer.to_str()).get("pre_tokenizer"))
    own_side = (tokenizer.truncation or {}).get("direction", "right")
    tokenizer.no_truncation()
    if settings["max_length"]:
        special = tokenizer.num_special_tokens_to_add(settings["pairs"])
        if special + settings["stride"] >= settings["max_length"]:
            give_up(tokens, {"refused": f"a stride of {settings['stride']} leaves nothing of {settings['max_length']} tokens, of which {special} are the tokenizer's own"})
        strategy = "only_second" if settings["pairs"] else "longest_first"
        tokenizer.enable_truncation(settings["max_length"], stride=settings["stride"], strategy=strategy,
                                    direction=settings["side"] or own_side)
    with open(texts, encoding="utf-8") as read, open(tokens, "w", encoding="utf-8") as write:
        write.write(json.dumps(known_of(tokenizer, version), ensure_ascii=False) + "\n")
        for line in read:
            try:
                told = tokens_of(tokenizer, json.loads(line), settings)
            except Exception as error:  # one text that the tokenizer refuses: a question longer than max_length
                told = {"error": str(error)}
            write.write(json.dumps(told, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
