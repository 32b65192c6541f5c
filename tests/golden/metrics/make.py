#!/usr/bin/env python3
"""Writes random cases and what the reference implementations say of them: tests/golden/metrics/*.json.

    python3 -m venv v && v/bin/pip install scipy scikit-learn scikit-image pycocotools opencv-python-headless && v/bin/python make.py

The tests read the files and need none of these packages. The seeds are fixed: the same versions write the same bytes.
"""
import contextlib
import io
import json
import math
import pathlib

import numpy
import pycocotools.cocoeval
import scipy.stats
import scipy.special
import skimage.metrics
import sklearn.metrics
import sklearn.neighbors
from pycocotools.coco import COCO

from curves import curves
from tasks import tasks

here = pathlib.Path(__file__).resolve().parent


def save(name, value):
    text = json.dumps(value, separators=(",", ":")) + "\n"
    (here / f"{name}.json").write_text(text)
    print(f"{name}.json: {len(text)} bytes")


def statistics(random):
    wilson, mcnemar, sums = [], [], []
    for _ in range(40):
        cases = int(random.integers(1, 5000))
        yes = int(random.integers(0, cases + 1)) if random.random() < 0.8 else int(random.choice([0, cases]))
        ends = scipy.stats.binomtest(yes, cases).proportion_ci(0.95, method="wilson")
        wilson.append([yes, cases, ends.low, ends.high])
    for _ in range(40):
        first, second = (int(n) for n in random.integers(0, 60, 2))
        if first + second == 0:
            continue
        test = lambda side: scipy.stats.binomtest(first, first + second, alternative=side).pvalue
        mcnemar.append([first, second, test("two-sided"), test("greater")])
    for _ in range(20):
        values = (random.standard_normal(12) * 10.0 ** random.integers(-150, 150, 12)).tolist()
        values += [-v for v in values[:4]]
        sums.append({"values": values, "sum": math.fsum(values)})
    quantiles = []
    for count in (1, 2, 3, 40, 41, 100, 1000):
        values = numpy.round(random.standard_normal(count), 3)
        quantiles.append({"values": values.tolist(), "low": float(numpy.quantile(values, 0.025)), "high": float(numpy.quantile(values, 0.975))})
    return {"wilson": wilson, "mcnemar": mcnemar, "sums": sums, "quantiles": quantiles}


def top(scores, k):
    return sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:k]


def overlap(a, b, p):
    """Webber, Moffat, Zobel 2010, equation 32 for lists of one length."""
    depth, total, common = len(a), 0.0, 0
    for d in range(1, depth + 1):
        common = len(set(a[:d]) & set(b[:d]))
        total += common / d * p**d
    return common / depth * p**depth + (1 - p) / p * total


def ranking(random):
    cases = []
    for number in range(60):
        count = int(random.integers(6, 30))
        a = random.standard_normal(count)
        b = a + random.standard_normal(count) * random.choice([0.1, 0.5, 3])
        if number % 2:  # ties
            a, b = numpy.round(a, 0) + 0.0, numpy.round(b, 0) + 0.0
        a, b = numpy.round(a, 4).tolist(), numpy.round(b, 4).tolist()
        union = sorted(set(top(a, 5)) | set(top(b, 5)))
        tau = scipy.stats.kendalltau([a[i] for i in union], [b[i] for i in union], variant="b").statistic
        cases.append({"a": a, "b": b, "tau": None if math.isnan(tau) else float(tau), "rbo": overlap(top(a, 10), top(b, 10), 0.9)})
    soft = [{"logits": x, "softmax": scipy.special.softmax(x).tolist()} for x in (numpy.round(random.standard_normal(7) * 20, 3).tolist() for _ in range(6))]
    scores = numpy.round(random.random((60, 12)), 4)
    truth = random.integers(0, 12, 60)
    accuracy = {"scores": scores.tolist(), "truth": truth.tolist()}
    for k in (1, 5):
        accuracy[f"top{k}"] = float(sklearn.metrics.top_k_accuracy_score(truth, scores, k=k, labels=range(12)))
    return {"cases": cases, "softmax": soft, "accuracy": accuracy}


def random_boxes(random, count, near=None):
    """x, y, w, h in quarters, so that no sum is rounded."""
    boxes = []
    for i in range(count):
        if near and random.random() < 0.8:
            x, y, w, h = near[int(random.integers(len(near)))]
            box = [x + random.integers(-8, 9), y + random.integers(-8, 9), max(1, w + random.integers(-8, 9)), max(1, h + random.integers(-8, 9))]
        else:
            box = [*random.integers(0, 300, 2), *random.integers(4, 200, 2)]
        boxes.append([int(v) for v in box])
    return boxes


def coco_case(random, images, classes, most, crowds, dense):
    truths, found = [], []
    for image in range(images):
        boxes = random_boxes(random, int(random.integers(0, most)), random_boxes(random, 2) if dense else None)
        truths += [[image, int(random.integers(classes)), *b, int(random.random() < crowds)] for b in boxes]
        others = random_boxes(random, int(random.integers(0, most)), boxes)
        found += [[image, int(random.integers(classes)), *b, int(random.integers(1, 40)) / 40] for b in others]
    # Most of what is near something has its class.
    for box in found:
        same = [t for t in truths if t[0] == box[0] and abs(t[2] - box[2]) <= 8 and abs(t[3] - box[3]) <= 8]
        if same and random.random() < 0.8:
            box[1] = same[0][1]
    return truths, found


def coco_results(truths, found, images, classes, most_boxes):
    quarter = lambda box: [v / 4 for v in box]
    gt, dt = COCO(), COCO()
    ids = [{"id": i + 1} for i in range(images)]
    categories = [{"id": c, "name": str(c)} for c in range(classes)]
    gt.dataset = {"images": ids, "categories": categories, "annotations": [
        {"id": n + 1, "image_id": t[0] + 1, "category_id": t[1], "bbox": quarter(t[2:6]), "area": t[4] * t[5] / 16, "iscrowd": t[6]} for n, t in enumerate(truths)]}
    dt.dataset = {"images": ids, "categories": categories, "annotations": [
        {"id": n + 1, "image_id": d[0] + 1, "category_id": d[1], "bbox": quarter(d[2:6]), "area": d[4] * d[5] / 16, "score": d[6]} for n, d in enumerate(found)]}
    with contextlib.redirect_stdout(io.StringIO()):
        gt.createIndex()
        dt.createIndex()
        run = pycocotools.cocoeval.COCOeval(gt, dt, "bbox")
        run.params.maxDets = [most_boxes]
        run.evaluate()
        run.accumulate()
    results = []
    for area in range(4):
        precision, recall = run.eval["precision"][:, :, :, area, 0], run.eval["recall"][:, :, area, 0]
        mean = lambda values: None if not (values > -1).any() else float(values[values > -1].mean())
        results.append({"ap": [mean(p) for p in precision], "ar": [mean(r) for r in recall]})
    return results


def detection(random):
    cases = []
    for images, classes, most, crowds, most_boxes, dense in [
            (1, 1, 6, 0, 100, False), (8, 2, 8, 0.2, 100, False), (30, 3, 12, 0.1, 100, False), (12, 4, 20, 0.3, 5, False),
            (5, 1, 30, 0, 10, False), (20, 2, 14, 0.1, 100, True), (10, 1, 25, 0, 100, True)]:
        truths, found = coco_case(random, images, classes, most, crowds, dense)
        cases.append({"images": images, "most_boxes": most_boxes, "truths": truths, "found": found,
                      "results": coco_results(truths, found, images, classes, most_boxes)})
    copy = [[0, 0, 40 * (i % 15), 40 * (i // 15), 32, 32, 0] for i in range(150)]
    scored = [t[:6] + [(150 - i) / 200] for i, t in enumerate(copy)]
    cases.append({"images": 1, "most_boxes": 100, "truths": copy, "found": scored, "results": coco_results(copy, scored, 1, 1, 100)})
    return {"cases": cases}


def segmentation(random):
    cases = []
    for _ in range(12):
        classes = int(random.integers(2, 7))
        a = random.integers(0, classes, 80)
        b = numpy.where(random.random(80) < 0.6, a, random.integers(0, classes + 1, 80))
        labels = sorted(set(a.tolist()) | set(b.tolist()))
        each = sklearn.metrics.jaccard_score(a, b, average=None, labels=labels)
        cases.append({"a": a.tolist(), "b": b.tolist(), "classes": labels, "iou": each.tolist(),
                      "miou": float(sklearn.metrics.jaccard_score(a, b, average="macro", labels=labels)),
                      "agreement": float(sklearn.metrics.accuracy_score(a, b))})
    return {"cases": cases}


def pictures(random):
    cases = []
    for channels, height, width, reach in [(1, 11, 13, 255), (3, 16, 12, 255), (3, 20, 20, 1), (1, 15, 31, 1)]:
        smooth = numpy.cumsum(numpy.cumsum(random.standard_normal((channels, height, width)), 1), 2)
        smooth = (smooth - smooth.min()) / (smooth.max() - smooth.min())
        a = numpy.round(smooth * reach, 3 if reach == 1 else 1)
        b = numpy.round(numpy.clip(a + random.standard_normal(a.shape) * 0.05 * reach, 0, reach), 3 if reach == 1 else 1)
        ssim = lambda **how: float(skimage.metrics.structural_similarity(a, b, data_range=reach, channel_axis=0, **how))
        cases.append({"shape": a.shape, "range": reach, "a": a.ravel().tolist(), "b": b.ravel().tolist(),
                      "psnr": float(skimage.metrics.peak_signal_noise_ratio(a, b, data_range=reach)), "ssim": ssim(),
                      "ssim_gaussian": ssim(gaussian_weights=True), "ssim_wang": ssim(gaussian_weights=True, sigma=1.5, use_sample_covariance=False)})
    return {"cases": cases}


def embeddings(random):
    a = numpy.round(random.standard_normal((24, 8)), 3)
    b = numpy.round(a + random.standard_normal(a.shape) * 0.4, 3)
    cosine = [float(sklearn.metrics.pairwise.cosine_similarity(x[None], y[None])[0, 0]) for x, y in zip(a, b)]

    def nearest(values):
        found = sklearn.neighbors.NearestNeighbors(n_neighbors=6, metric="cosine", algorithm="brute").fit(values).kneighbors(values, return_distance=False)
        return [[int(n) for n in row if n != i][:5] for i, row in enumerate(found)]

    return {"a": a.tolist(), "b": b.tolist(), "cosine": cosine, "neighbours_a": nearest(a), "neighbours_b": nearest(b)}


def multi_label(random):
    """Chances of seven classes, several of which may be right; some scores are the same."""
    truth = (random.random((60, 7)) < numpy.linspace(0.1, 0.6, 7)).astype(int)
    truth[0] = 1  # each class is there
    scores = [numpy.round(numpy.clip(truth * 0.3 + random.random(truth.shape) * spread, 0, 1) * 64) / 64 for spread in (0.7, 0.9)]

    def against(right, got):
        given = (got > 0.5).astype(int)
        return {"exact_match": float(sklearn.metrics.accuracy_score(right, given)),
                "f1_micro": float(sklearn.metrics.f1_score(right, given, average="micro")),
                "f1_macro": float(sklearn.metrics.f1_score(right, given, average="macro")),
                "map": float(sklearn.metrics.average_precision_score(right, got, average="macro"))}

    a, b = scores
    return {"a": a.tolist(), "b": b.tolist(), "truth": [numpy.flatnonzero(row).tolist() for row in truth],
            "metrics": against((a > 0.5).astype(int), b), "reference": against(truth, a), "variant": against(truth, b)}


if __name__ == "__main__":
    for seed, part in enumerate([statistics, ranking, detection, segmentation, pictures, embeddings, tasks, multi_label, curves], 1):
        save(part.__name__, part(numpy.random.default_rng(seed)))
