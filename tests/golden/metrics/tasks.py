"""Whole tasks over several samples: what the reference implementations say of all of them together. make.py writes it.

All numbers are such that a float of 32 bits holds them.
"""
import contextlib
import io

import cv2
import numpy
import pycocotools.cocoeval
import pycocotools.mask
import scipy.special
import scipy.stats
import skimage.metrics
import sklearn.metrics
import sklearn.neighbors
from pycocotools.coco import COCO


def floats(values):
    return numpy.round(numpy.asarray(values) * 1024) / 1024


def classification(random):
    """Rows of twelve scores; labels for both models."""
    a = floats(random.standard_normal((50, 12)))
    b = floats(a + random.standard_normal(a.shape) * 0.6)
    truth = numpy.where(random.random(50) < 0.6, a.argmax(1), random.integers(0, 12, 50))
    best = lambda scores, k: numpy.argsort(-scores, kind="stable")[:k]
    share = lambda k: float(numpy.mean([len(numpy.intersect1d(best(x, k), best(y, k))) / k for x, y in zip(a, b)]))
    taus = []
    for x, y in zip(a, b):
        union = numpy.union1d(best(x, 5), best(y, 5))
        taus.append(scipy.stats.kendalltau(x[union], y[union], variant="b").statistic)
    accuracy = lambda scores, k: float(sklearn.metrics.top_k_accuracy_score(truth, scores, k=k, labels=range(12)))
    return {"a": a.tolist(), "b": b.tolist(), "truth": truth.tolist(),
            "metrics": {"top1_agreement": float(sklearn.metrics.accuracy_score(a.argmax(1), b.argmax(1))), "top5_agreement": share(5),
                        "top10_agreement": share(10), "kendall_tau_top5": float(numpy.mean(taus))},
            "reference": {"top1": accuracy(a, 1), "top5": accuracy(a, 5)}, "variant": {"top1": accuracy(b, 1), "top5": accuracy(b, 5)}}


def found_boxes(random, count, near=None):
    """[class, x, y, w, h, score] in quarters; some of them near others."""
    boxes = []
    for _ in range(count):
        box = [int(random.integers(3)), *random.integers(0, 300, 2), *random.integers(8, 120, 2)]
        if near and random.random() < 0.8:
            label, *sides = near[int(random.integers(len(near)))][:5]
            box = [label if random.random() < 0.9 else box[0], *(numpy.array(sides) * 4 + random.integers(-6, 7, 4)).astype(int)]
        boxes.append([int(box[0]), *(float(v) / 4 for v in box[1:3]), *(max(1.0, float(v)) / 4 for v in box[3:5]), float(random.integers(1, 1 << 20)) / (1 << 20)])
    return sorted(boxes, key=lambda b: b[5])


def evaluated(pictures):
    """pycocotools, with the boxes of the first model as what is there."""
    there, found = COCO(), COCO()
    row = lambda n, image, b: {"id": n + 1, "image_id": image, "category_id": b[0], "bbox": b[1:5], "area": b[3] * b[4], "iscrowd": 0, "score": b[5]}
    for coco, which in ((there, 0), (found, 1)):
        boxes = [(image, box) for image, pair in enumerate(pictures) for box in pair[which]]
        coco.dataset = {"images": [{"id": i} for i in range(len(pictures))], "categories": [{"id": c} for c in range(3)],
                        "annotations": [row(n, image, box) for n, (image, box) in enumerate(boxes)]}
    with contextlib.redirect_stdout(io.StringIO()):
        there.createIndex()
        found.createIndex()
        run = pycocotools.cocoeval.COCOeval(there, found, "bbox")
        run.params.areaRng, run.params.areaRngLbl, run.params.maxDets = [[0, 1e10]], ["all"], [100]
        run.evaluate()
        run.accumulate()
    return run, there, found


def matched(run, threshold, pictures):
    """Whether what is there was found, and whether what was found is there: labels as scikit-learn takes them."""
    hits = sum(int((e["dtMatches"][threshold] > 0).sum()) for e in run.evalImgs if e)
    there, found = (sum(len(pair[which]) for pair in pictures) for which in (0, 1))
    return [1] * there + [0] * (found - hits), [1] * hits + [0] * (there - hits) + [1] * (found - hits)


def ranks(run, there, found, pictures):
    taus = []
    for image, (a, b) in enumerate(pictures):
        pairs = [(there.anns[int(g)]["score"], found.anns[d]["score"]) for e in run.evalImgs if e and e["image_id"] == image
                 for d, g in zip(e["dtIds"], e["dtMatches"][0]) if g > 0]
        if len(pairs) < 2:
            taus.append(1.0 if pairs or not (a or b) else 0.0)
        else:
            taus.append(float(scipy.stats.kendalltau(*zip(*pairs), variant="b").statistic))
    return float(numpy.mean(taus))


def best_overlaps(pictures):
    means = []
    for a, b in pictures:
        best = [max([0.0, *pycocotools.mask.iou([y[1:5] for y in b if y[0] == x[0]], [x[1:5]], [0]).ravel()]) if any(y[0] == x[0] for y in b) else 0.0
                for x in a]
        means.append(float(numpy.mean(best)) if a else float(not b))
    return float(numpy.mean(means))


def detection(random):
    pictures = []
    for _ in range(25):
        a = found_boxes(random, int(random.integers(0, 12)))
        pictures.append((a, found_boxes(random, int(random.integers(0, 12)), a)))
    run, there, found = evaluated(pictures)
    precision, recall = run.eval["precision"][:, :, :, 0, 0], run.eval["recall"][:, :, 0, 0]
    metrics = {"map_50": precision[0].mean(), "map_75": precision[5].mean(), "map_90": precision[8].mean(), "map_50_95": precision.mean(), "ar": recall.mean(),
               "mean_best_iou": best_overlaps(pictures), "score_rank_tau": ranks(run, there, found, pictures)}
    metrics["precision_iou50"] = sklearn.metrics.precision_score(*matched(run, 0, pictures))
    metrics["recall_iou50"] = sklearn.metrics.recall_score(*matched(run, 0, pictures))
    for name, threshold in (("f1_iou50", 0), ("f1_iou75", 5), ("f1_iou90", 8)):
        metrics[name] = sklearn.metrics.f1_score(*matched(run, threshold, pictures))
    return {"pictures": pictures, "metrics": {name: float(value) for name, value in metrics.items()}}


def suppression(random):
    """Boxes that cv2.dnn.NMSBoxes keeps, class by class."""
    cases = []
    for limit in (0.3, 0.45, 0.5, 0.7):
        boxes = found_boxes(random, 60, found_boxes(random, 8))
        kept = []
        for label in range(3):
            own = [b for b in boxes if b[0] == label]
            places = cv2.dnn.NMSBoxes([b[1:5] for b in own], [b[5] for b in own], 0.0, limit)
            kept += [own[int(i)][5] for i in numpy.ravel(places)]
        cases.append({"limit": limit, "boxes": boxes, "kept": sorted(kept, reverse=True)})
    return cases


def by_score(least, label, x, y, width, height, score):
    """[class, x0, y0, x1, y1, score], the surest first."""
    rows = numpy.stack([label, x - width / 2, y - height / 2, x + width / 2, y + height / 2, score], -1).reshape(-1, 6)
    rows = rows[rows[:, 5] > least]
    return rows[numpy.argsort(-rows[:, 5], kind="stable")].tolist()


def decoders(random):
    """YOLO's outputs, decoded as arrays: v3 before the sigmoid, v5 in rows, v8 in columns."""
    least, found, layers = 0.1, [], []
    for stride, cells, anchors in ((32, (3, 4), [[116, 90], [30, 61]]), (16, (6, 8), [[62, 45], [10, 13]])):
        raw = floats(random.standard_normal((2, 8, *cells)) * 1.5)  # [anchors, 5 + classes, height, width]
        chance, sides = scipy.special.expit(raw), numpy.array(anchors)[:, :, None, None] * numpy.exp(raw[:, 2:4])
        row, column = numpy.mgrid[: cells[0], : cells[1]]
        found += by_score(least, chance[:, 5:].argmax(1), (chance[:, 0] + column) * stride, (chance[:, 1] + row) * stride, sides[:, 0], sides[:, 1],
                          chance[:, 4] * chance[:, 5:].max(1))
        layers.append({"stride": stride, "anchors": anchors, "shape": [1, 16, *cells], "values": raw.ravel().tolist()})
    rows = floats(numpy.concatenate([random.random((40, 4)) * 200, random.random((40, 4))], 1))
    columns = floats(numpy.concatenate([random.random((4, 40)) * 200, random.random((3, 40))], 0))
    return {"least": least, "layers": layers, "of_layers": sorted(found, key=lambda b: -b[5]), "rows": rows.ravel().tolist(),
            "of_rows": by_score(least, rows[:, 5:].argmax(1), *rows[:, :4].T, rows[:, 4] * rows[:, 5:].max(1)), "columns": columns.ravel().tolist(),
            "of_columns": by_score(least, columns[4:].argmax(0), *columns[:4], columns[4:].max(0))}


def segmentation(random):
    a = floats(random.standard_normal((8, 4, 5, 6)))
    b = floats(a + random.standard_normal(a.shape) * 0.5)
    labels_a, labels_b = a.argmax(1).ravel(), b.argmax(1).ravel()
    truth = numpy.where(random.random(labels_a.size) < 0.7, labels_a, random.integers(0, 4, labels_a.size))
    against = lambda labels: {"pixel_accuracy": float(sklearn.metrics.accuracy_score(truth, labels)),
                              "miou": float(sklearn.metrics.jaccard_score(truth, labels, average="macro"))}
    return {"a": a.reshape(8, -1).tolist(), "b": b.reshape(8, -1).tolist(), "truth": truth.reshape(8, -1).tolist(),
            "metrics": {"pixel_agreement": float(sklearn.metrics.accuracy_score(labels_a, labels_b)),
                        "miou": float(sklearn.metrics.jaccard_score(labels_a, labels_b, average="macro"))},
            "reference": against(labels_a), "variant": against(labels_b)}


def picture(random):
    """Channels last. The decibels of all samples are those of the mean error, which are those of all in one array."""
    a = floats(numpy.cumsum(random.random((5, 9, 11, 3)), 1) * 20)
    b = floats(numpy.clip(a + random.standard_normal(a.shape) * 8, 0, 255))
    ssim = [skimage.metrics.structural_similarity(x, y, data_range=255, channel_axis=2) for x, y in zip(a, b)]
    return {"a": a.reshape(5, -1).tolist(), "b": b.reshape(5, -1).tolist(),
            "metrics": {"psnr": float(skimage.metrics.peak_signal_noise_ratio(a, b, data_range=255)), "ssim": float(numpy.mean(ssim))}}


def embedding(random):
    a = floats(random.standard_normal((30, 8)))
    b = floats(a + random.standard_normal(a.shape) * 0.4)
    cosines = [sklearn.metrics.pairwise.cosine_similarity(x[None], y[None])[0, 0] for x, y in zip(a, b)]
    near = [sklearn.neighbors.NearestNeighbors(n_neighbors=5, metric="cosine").fit(v).kneighbors(return_distance=False) for v in (a, b)]
    shares = [len(numpy.intersect1d(x, y)) / 5 for x, y in zip(*near)]
    errors = [min(1.0, numpy.linalg.norm(y - x) / numpy.linalg.norm(x)) for x, y in zip(a, b)]
    return {"a": a.tolist(), "b": b.tolist(), "metrics": {"cosine": float(numpy.mean(cosines)), "neighbours_5": float(numpy.mean(shares))},
            "as_tensor": {"cosine": float(numpy.mean(cosines)), "relative_error": float(numpy.mean(errors)), "identical": 0.0}}


def regression(random):
    """Three numbers a sample, held against those that are right: all numbers together. Pictures are held against right ones likewise."""
    truth = floats(random.standard_normal((40, 3)) * 5 + 2)
    a = floats(truth + random.standard_normal(truth.shape))
    b = floats(a + random.standard_normal(truth.shape) * 0.5)
    against = lambda got: {"mae": float(sklearn.metrics.mean_absolute_error(truth.ravel(), got.ravel())),
                           "rmse": float(sklearn.metrics.mean_squared_error(truth.ravel(), got.ravel()) ** 0.5),
                           "r2": float(sklearn.metrics.r2_score(truth.ravel(), got.ravel()))}
    right = floats(numpy.cumsum(random.random((4, 9, 11, 3)), 1) * 20)
    shown = [floats(numpy.clip(right + random.standard_normal(right.shape) * 6, 0, 255)) for _ in "ab"]
    quality = lambda got: {"psnr": float(skimage.metrics.peak_signal_noise_ratio(right, got, data_range=255)),
                           "ssim": float(numpy.mean([skimage.metrics.structural_similarity(x, y, data_range=255, channel_axis=2) for x, y in zip(right, got)]))}
    return {"a": a.tolist(), "b": b.tolist(), "truth": truth.tolist(), "reference": against(a), "variant": against(b),
            "pictures": {"a": shown[0].reshape(4, -1).tolist(), "b": shown[1].reshape(4, -1).tolist(), "truth": right.reshape(4, -1).tolist(),
                         "reference": quality(shown[0]), "variant": quality(shown[1])}}


def tasks(random):
    parts = (classification, detection, suppression, segmentation, picture, embedding, decoders, regression)
    return {part.__name__: part(random) for part in parts}
