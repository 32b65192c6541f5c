#!/usr/bin/env python3
"""Single classes, curves, calibration and verification: what the reference implementations say of them. make.py writes it, and so does this alone:

    python3 -m venv v && v/bin/pip install scipy scikit-learn pycocotools && v/bin/python curves.py

All numbers are such that a float of 32 bits holds them.
"""
import contextlib
import io
import json
import pathlib

import numpy
import pycocotools.cocoeval
import scipy.optimize
import sklearn.calibration
import sklearn.metrics
from pycocotools.coco import COCO

here = pathlib.Path(__file__).resolve().parent
levels = numpy.linspace(0, 1, 101)


def detection_by_class():
    """Of each case of detection.json: average precision of each class, of all areas."""
    quarter = lambda box: [v / 4 for v in box]
    results = []
    for case in json.loads((here / "detection.json").read_text())["cases"]:
        classes = sorted({t[1] for t in case["truths"]} | {d[1] for d in case["found"]})
        there, found = COCO(), COCO()
        for coco, boxes in ((there, case["truths"]), (found, case["found"])):
            coco.dataset = {"images": [{"id": i} for i in range(case["images"])], "categories": [{"id": c} for c in classes], "annotations": [
                {"id": n + 1, "image_id": b[0], "category_id": b[1], "bbox": quarter(b[2:6]), "area": b[4] * b[5] / 16,
                 "iscrowd": b[6] if coco is there else 0, "score": b[6]} for n, b in enumerate(boxes)]}
        with contextlib.redirect_stdout(io.StringIO()):
            there.createIndex()
            found.createIndex()
            run = pycocotools.cocoeval.COCOeval(there, found, "bbox")
            run.params.areaRng, run.params.areaRngLbl, run.params.maxDets = [[0, 1e10]], ["all"], [case["most_boxes"]]
            run.evaluate()
            run.accumulate()
        precision, recall = run.eval["precision"][:, :, :, 0, 0], run.eval["recall"][:, :, 0, 0]
        results.append([[c, float(precision[0, :, i].mean()), float(precision[5, :, i].mean()), float(precision[:, :, i].mean()), float(recall[:, i].mean())]
                        for i, c in enumerate(classes) if (precision[:, :, i] > -1).any()])
    return results


def multi_label_by_class():
    """Of multi_label.json: the second model against the labels."""
    case = json.loads((here / "multi_label.json").read_text())
    truth = numpy.array([[int(c in row) for c in range(7)] for row in case["truth"]])
    got = numpy.array(case["b"])
    given = (got > 0.5).astype(int)
    each = lambda score: score(truth, given, average=None).tolist()
    return {"precision": each(sklearn.metrics.precision_score), "recall": each(sklearn.metrics.recall_score), "f1": each(sklearn.metrics.f1_score),
            "ap": sklearn.metrics.average_precision_score(truth, got, average=None).tolist(), "auc": sklearn.metrics.roc_auc_score(truth, got, average=None).tolist(),
            "auc_macro": float(sklearn.metrics.roc_auc_score(truth, got)), "auc_micro": float(sklearn.metrics.roc_auc_score(truth, got, average="micro")),
            "ap_micro": float(sklearn.metrics.average_precision_score(truth, got, average="micro"))}


def points_of(truth, scores):
    """Both curves at the levels: the upper end where the ROC goes straight up; the precision at the first threshold that reaches a recall."""
    false_alarms, hits, _ = sklearn.metrics.roc_curve(truth, scores, drop_intermediate=False)
    precision, recall, thresholds = sklearn.metrics.precision_recall_curve(truth, scores)
    precision, recall, there = precision[:-1][::-1], recall[:-1][::-1], int(numpy.sum(truth))
    first = [int(numpy.argmax(numpy.round(recall * there) * 100 >= k * there)) for k in range(101)]
    return numpy.interp(levels, false_alarms, hits), precision[first], thresholds[::-1][first]


def curve_of(truth, scores):
    hits, precision, thresholds = points_of(truth, scores)
    return {"auc": float(sklearn.metrics.roc_auc_score(truth, scores)), "ap": float(sklearn.metrics.average_precision_score(truth, scores)),
            "hit_rate": hits.tolist(), "precision": precision.tolist(), "precision_thresholds": thresholds.tolist()}


def chances(random, truth, classes, sureness):
    """Rows that add up to 1 exactly, with ties among them; wrong now and then."""
    logits = random.standard_normal((len(truth), classes))
    logits[numpy.arange(len(truth)), truth] += sureness
    shares = numpy.exp(logits) / numpy.exp(logits).sum(1, keepdims=True)
    return numpy.array([random.multinomial(256, row) for row in shares]) / 256


def calibration_of(confidence, right):
    """15 bins of one width; Guo et al. 2017. scikit-learn gives the share and the mean of each bin that is not empty."""
    share, mean = sklearn.calibration.calibration_curve(right, confidence, n_bins=15, strategy="uniform")
    bins = numpy.searchsorted(numpy.linspace(0, 1, 16)[1:-1], confidence)
    count = numpy.bincount(bins, minlength=15)
    gap = numpy.abs(share - mean)
    return {"count": count.tolist(), "share": share.tolist(), "mean": mean.tolist(), "ece": float((gap * count[count > 0]).sum() / len(confidence)), "mce": float(gap.max())}


def binary(random):
    """137 samples, of which 61 are there: primes, so that no point of a curve lies on a level by chance."""
    truth = numpy.zeros(137, int)
    truth[:61] = 1
    random.shuffle(truth)
    scores = chances(random, truth, 2, 1.1)
    return {"truth": truth.tolist(), "scores": scores.tolist(), **curve_of(truth, scores[:, 1]),
            "calibration": calibration_of(scores.max(1), scores.argmax(1) == truth), "brier": float(sklearn.metrics.brier_score_loss(truth, scores[:, 1]))}


def several(random):
    truth = random.choice(5, 211, p=[0.1, 0.15, 0.2, 0.25, 0.3])
    scores = chances(random, truth, 5, 1.5)
    each = [curve_of(truth == c, scores[:, c]) for c in range(5)]
    mean = lambda key: numpy.mean([one[key] for one in each], 0).tolist()
    one_hot = numpy.eye(5)[truth]
    return {"truth": truth.tolist(), "scores": scores.tolist(), "auc": [one["auc"] for one in each], "ap": [one["ap"] for one in each],
            "auc_macro": float(sklearn.metrics.roc_auc_score(truth, scores, multi_class="ovr")), "ap_macro": float(sklearn.metrics.average_precision_score(one_hot, scores)),
            "hit_rate": mean("hit_rate"), "precision": mean("precision"), "calibration": calibration_of(scores.max(1), scores.argmax(1) == truth),
            "brier": float(((scores - one_hot) ** 2).sum(1).mean())}


def sigmoids(random):
    """Chances of four classes, each of its own: all of them together."""
    truth = (random.random((90, 4)) < [0.2, 0.4, 0.5, 0.7]).astype(int)
    scores = numpy.round(numpy.clip(truth * 0.35 + random.random(truth.shape) * 0.65, 0, 1) * 128) / 128
    micro = curve_of(truth.ravel(), scores.ravel())
    return {"truth": [numpy.flatnonzero(row).tolist() for row in truth], "scores": scores.tolist(), **micro, "auc_macro": float(sklearn.metrics.roc_auc_score(truth, scores)),
            "calibration": calibration_of(scores.ravel(), truth.ravel()), "brier": float(sklearn.metrics.brier_score_loss(truth.ravel(), scores.ravel()))}


def retrieval(random):
    """Vectors of six kinds, one of which has a single vector; each asks for the others."""
    kinds = numpy.append(random.integers(0, 5, 39), 5)
    vectors = numpy.round((random.standard_normal((6, 8))[kinds] + random.standard_normal((40, 8)) * 1.2) * 64) / 64
    likeness = sklearn.metrics.pairwise.cosine_similarity(vectors)
    first, among, precision = [], [], []
    for i, kind in enumerate(kinds):
        others = numpy.arange(40) != i
        same = (kinds == kind)[others]
        if not same.any():
            continue
        nearest = same[numpy.argsort(-likeness[i][others], kind="stable")]
        first.append(bool(nearest[0]))
        among.append(bool(nearest[:5].any()))
        precision.append(sklearn.metrics.average_precision_score(same, likeness[i][others]))
    return {"vectors": vectors.tolist(), "kinds": [f"k{k}" for k in kinds], "recall_1": float(numpy.mean(first)), "recall_5": float(numpy.mean(among)),
            "map": float(numpy.mean(precision)), "asked": len(first)}


def verification(random):
    """Pairs of which it is known whether they are the same; some cosines are equal."""
    same = random.random(2500) < 0.4
    cosines = numpy.round(numpy.clip(random.normal(numpy.where(same, 0.55, 0.1), 0.2), -1, 1) * 512) / 512
    false_alarms, hits, _ = sklearn.metrics.roc_curve(same, cosines, drop_intermediate=False)
    accuracy = [numpy.mean((cosines >= least) == same) for least in numpy.append(numpy.unique(cosines), 2)]
    equal = scipy.optimize.brentq(lambda x: 1 - x - numpy.interp(x, false_alarms, hits), 0, 1, xtol=1e-13)
    taken = lambda share: float(hits[numpy.searchsorted(false_alarms, share, side="right") - 1])
    return {"pairs": [[float(c), int(s)] for c, s in zip(cosines, same)], "accuracy": float(max(accuracy)), "auc": float(sklearn.metrics.roc_auc_score(same, cosines)),
            "eer": float(equal), "taken_at_1e2": taken(1e-2), "taken_at_1e3": taken(1e-3)}


def curves(random):
    return {"detection_by_class": detection_by_class(), "multi_label_by_class": multi_label_by_class(), "binary": binary(random), "several": several(random),
            "sigmoids": sigmoids(random), "retrieval": retrieval(random), "verification": verification(random)}


if __name__ == "__main__":
    text = json.dumps(curves(numpy.random.default_rng(9)), separators=(",", ":")) + "\n"
    (here / "curves.json").write_text(text)
    print(f"curves.json: {len(text)} bytes")
