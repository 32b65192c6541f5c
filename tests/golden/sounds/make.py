#!/usr/bin/env python3
"""Writes sounds, and what Python's soundfile, soxr and the formula of wav2vec2's feature extractor make of them:

    python3 -m venv v && v/bin/pip install soundfile soxr numpy && v/bin/python make.py

The tests read the files and need none of these packages. The same versions write the same samples; the OGG file has another
serial number each time.
"""
import json
import pathlib

import numpy
import soundfile
import soxr

here = pathlib.Path(__file__).resolve().parent


def noise(count):
    """The same samples as the test makes: a generator of whole numbers, so that no function of a library is in it."""
    state, samples = 1, []
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        samples.append(((state >> 16) - 16384) / 32768)
    return numpy.array(samples, numpy.float32)


def numbers(values):
    return [float(f"{v:.9g}") for v in values]


def resampling(count, before, after, step):
    samples = soxr.resample(noise(count), before, after, quality="HQ")
    assert samples.dtype == numpy.float32
    return {"count": count, "from": before, "to": after, "step": step, "length": len(samples), "samples": numbers(samples[::step])}


def normalized(samples):
    """transformers.Wav2Vec2FeatureExtractor.zero_mean_unit_var_norm without padding"""
    return (samples - numpy.mean(samples)) / numpy.sqrt(numpy.var(samples) + 1e-7)


def file(name, channels, count, **how):
    samples = (noise(count * channels) * 0.8).reshape(count, channels)
    soundfile.write(here / name, samples, 11025 if name.endswith("flac") else 16000, **how)
    read, rate = soundfile.read(here / name, dtype="float32", always_2d=True)
    return {"name": name, "rate": rate, "channels": read.shape[1], "count": len(read), "samples": numbers(read.reshape(-1)[:300])}


cases = {
    "resampled": [resampling(*one) for one in (
        (400, 44100, 16000, 1), (200, 8000, 16000, 1), (300, 48000, 16000, 1), (100, 16000, 44100, 1), (200, 11025, 16000, 1),
        (1, 16000, 48000, 1), (1, 44100, 16000, 1), (2, 44100, 16000, 1), (44101, 44100, 16000, 499), (200000, 44100, 16000, 997),
        (1000, 768000, 1000, 1), (10, 1000, 768000, 97), (300, 1000, 768000, 997))],
    "normalized": [{"count": count, "gain": gain, "samples": numbers(normalized(noise(count) * numpy.float32(gain)))}
                   for count, gain in ((1, 1), (50, 1), (200, 0.25), (30, 0.0009765625), (10, 0))],
    "files": [file("mono.flac", 1, 500, subtype="PCM_16"), file("pair.flac", 2, 300, subtype="PCM_24"), file("mono.ogg", 1, 400),
              file("eight.flac", 8, 50, subtype="PCM_16")],
}
rows = ",\n".join(f'"{key}": [\n' + ",\n".join(json.dumps(one) for one in some) + "\n]" for key, some in cases.items())
(here / "sounds.json").write_text("{\n" + rows + "\n}\n")
