#!/usr/bin/env python3
"""Makes the pictures of this folder, and what Pillow, OpenCV, torch and TensorFlow make of them. `make test` needs none of them.

    python3 make.py            what the packages of this Python can make; the rest stays as it is

Pillow 13.0: the pictures in in/, decoded.txt, resized.txt; Pillow 12 or older: resized_pillow12.txt. OpenCV 4.11:
resized_opencv.npz and, with both, chains.npz. TensorFlow 2.21: resized_tf.npz. torch 1.13: resized_torch.npz. All of
what is written is the same each time.
"""
import hashlib
import io
import pathlib
import struct
import zlib

import numpy as np

here = pathlib.Path(__file__).resolve().parent
folder = here / "in"
SMALL = [(11, 7), (24, 9), (41, 31), (12, 9), (3, 29)]  # widths and heights for those that are compared to one grey level


def scene(width, height, seed=1):
    """Something of all: smooth, edges, a little noise."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    red = 255 * x / max(1, width - 1)
    green = 127 + 120 * np.sin(y / 3.0) * np.cos(x / 5.0)
    blue = np.where((x // 7 + y // 5) % 2 == 0, 230, 20)
    noise = np.random.RandomState(seed).uniform(-25, 25, (height, width, 3))
    return np.clip(np.stack([red, green, blue], -1) + noise, 0, 255).astype(np.uint8)


def small_scene():
    return scene(24, 18, seed=3)


def png_chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png_bytes(samples, depth, colour_type, interlaced=False):
    """A PNG written by hand: samples[height, width, channels]; Pillow writes neither Adam7 nor all depths."""
    height, width, channels = samples.shape

    def rows(part):
        out = b""
        for row in part:
            flat = row.reshape(-1)
            if depth == 16:
                out += b"\0" + flat.astype(">u2").tobytes()
            elif depth == 8:
                out += b"\0" + flat.astype(np.uint8).tobytes()
            else:
                bits = "".join(format(int(v), f"0{depth}b") for v in flat)
                bits += "0" * (-len(bits) % 8)
                out += b"\0" + int(bits, 2).to_bytes(len(bits) // 8, "big")
        return out

    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    if interlaced:
        raw = b"".join(rows(samples[y::down, x::right]) for x, y, right, down in passes if samples[y::down, x::right].size)
    else:
        raw = rows(samples)

    header = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, int(interlaced))
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + png_chunk(b"IDAT", zlib.compress(raw, 9)) + png_chunk(b"IEND", b"")


def bmp_bytes(width, height, bits, compression, palette, pixels, masks=b""):
    offset = 14 + 40 + len(masks) + len(palette)
    info = struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, compression, len(pixels), 0, 0, len(palette) // 4, 0)
    return b"BM" + struct.pack("<IHHI", offset + len(pixels), 0, 0, offset) + info + masks + palette + pixels


def saved(picture, kind, **options):
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def exif_of(orientation, Image):
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif.tobytes()


def xmp_of(orientation):
    return b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description tiff:Orientation="%d"/></x:xmpmeta>' % orientation


def turned_otherwise(Image, rgb):
    """What says how a picture is turned, besides EXIF with a short number."""
    png, first = saved(rgb, "PNG"), 33  # behind the header
    put = lambda name, data: png[:first] + png_chunk(name, data) + png[first:]
    exif = exif_of(7, Image)
    digits = b"\nexif\n%8d\n" % len(exif) + exif.hex().encode() + b"\n"
    yield "xmp6.jpg", saved(rgb, "JPEG", xmp=xmp_of(6))
    yield "xmp8.webp", saved(rgb, "WEBP", lossless=True, xmp=xmp_of(8))
    yield "xmp5.png", put(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + xmp_of(5))
    yield "xmp5_packed.png", put(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + zlib.compress(xmp_of(5)))
    yield "xmp_element3.jpg", saved(rgb, "JPEG", xmp=b"tiff:Orientation none <tiff:Orientation>3</tiff:Orientation>")
    yield "xmp6_exif3.jpg", saved(rgb, "JPEG", xmp=xmp_of(6), exif=exif_of(3, Image))
    yield "digits7.png", put(b"tEXt", b"Raw profile type exif\0" + digits)
    yield "digits7_packed.png", put(b"zTXt", b"Raw profile type exif\0\0" + zlib.compress(digits))
    yield "long4.jpg", saved(rgb, "JPEG", exif=b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x04\0\0\0\x01\0\0\0\x04\0\0\0\0")


def jpegs(Image, rgb):
    yield "444.jpg", saved(rgb, "JPEG", quality=90, subsampling=0)
    yield "422.jpg", saved(rgb, "JPEG", quality=80, subsampling=1)
    yield "420.jpg", saved(rgb, "JPEG", quality=75, subsampling=2)
    yield "progressive.jpg", saved(rgb, "JPEG", quality=80, progressive=True)
    yield "restart.jpg", saved(rgb, "JPEG", quality=60, restart_marker_blocks=2)
    yield "stored_rgb.jpg", saved(rgb, "JPEG", quality=90, keep_rgb=True)
    yield "grey.jpg", saved(rgb.convert("L"), "JPEG")
    yield "1x1.jpg", saved(rgb.crop((5, 5, 6, 6)), "JPEG")
    cmyk = saved(rgb.convert("CMYK"), "JPEG", quality=90)
    yield "cmyk.jpg", cmyk
    at = cmyk.index(b"Adobe") + 11  # the byte that says how the colours are stored: 2 is YCCK
    yield "ycck.jpg", cmyk[:at] + b"\x02" + cmyk[at + 1 :]
    for orientation in range(1, 9):
        yield f"exif{orientation}.jpg", saved(rgb, "JPEG", quality=70, exif=exif_of(orientation, Image))


def pngs(Image, rgb, values):
    alpha = Image.fromarray(np.arange(values.shape[0] * values.shape[1], dtype=np.uint8).reshape(values.shape[:2]))
    rgba = rgb.copy()
    rgba.putalpha(alpha)
    palette = rgb.quantize(60)
    grey = values[:, :, :1].astype(np.uint16)
    wide = values.astype(np.uint16) * 257 + np.arange(3, dtype=np.uint16) * 40 % 200
    yield "rgb.png", saved(rgb, "PNG")
    yield "rgba.png", saved(rgba, "PNG")
    yield "grey.png", saved(rgb.convert("L"), "PNG")
    yield "grey_alpha.png", saved(rgba.convert("LA"), "PNG")
    yield "bits.png", saved(rgb.convert("1"), "PNG")
    yield "palette.png", saved(palette, "PNG")
    yield "palette4.png", saved(rgb.quantize(4), "PNG", bits=2)
    yield "palette_transparent.png", saved(palette, "PNG", transparency=3)
    yield "exif6.png", saved(rgb, "PNG", exif=exif_of(6, Image))
    yield "1x1.png", saved(rgb.crop((5, 5, 6, 6)), "PNG")
    yield "grey2.png", png_bytes(grey >> 6, 2, 0)
    yield "grey4.png", png_bytes(grey >> 4, 4, 0)
    yield "grey16.png", png_bytes(grey * 256 + 77, 16, 0)
    yield "grey_alpha16.png", png_bytes(np.concatenate([grey * 256 + 200, grey], -1), 16, 4)
    yield "rgb16.png", png_bytes(wide, 16, 2)
    yield "rgba16.png", png_bytes(np.concatenate([wide, grey * 200], -1), 16, 6)
    yield "interlaced.png", png_bytes(values, 8, 2, True)
    yield "interlaced_bits.png", png_bytes(grey >> 7, 1, 0, True)


def gifs(Image, rgb, values):
    other = Image.fromarray(255 - values)
    plain = saved(rgb.quantize(40), "GIF")
    yield "plain.gif", plain
    yield "grey.gif", saved(rgb.convert("L"), "GIF")
    yield "frames.gif", saved(rgb.quantize(64), "GIF", save_all=True, append_images=[other.quantize(32)], duration=50)
    yield "transparent.gif", saved(rgb.quantize(16), "GIF", transparency=5)
    yield "rows_in_turn.gif", saved(rgb.quantize(16), "GIF", interlace=True)
    yield "rows_in_order.gif", saved(rgb.quantize(16), "GIF", interlace=False)
    yield "large_screen.gif", plain[:6] + struct.pack("<HH", 50, 40) + plain[10:]
    yield "small_screen.gif", plain[:6] + struct.pack("<HH", 10, 12) + plain[10:]


def webps(Image, rgb, values):
    rgba = rgb.copy()
    rgba.putalpha(Image.fromarray(np.where(values[:, :, 0] > 100, 255, values[:, :, 1])))
    other = Image.fromarray(255 - values)
    yield "lossy.webp", saved(rgb, "WEBP", quality=80)
    yield "lossless.webp", saved(rgb, "WEBP", lossless=True)
    yield "lossy_alpha.webp", saved(rgba, "WEBP", quality=70)
    yield "lossless_alpha.webp", saved(rgba, "WEBP", lossless=True, exact=True)
    yield "frames.webp", saved(rgb, "WEBP", save_all=True, append_images=[other], duration=50, quality=70)
    yield "exif8.webp", saved(rgb, "WEBP", lossless=True, exif=exif_of(8, Image))


def bitmaps(Image, rgb, values):
    yield "rgb.bmp", saved(rgb, "BMP")
    yield "grey.bmp", saved(rgb.convert("L"), "BMP")
    yield "bits.bmp", saved(rgb.convert("1"), "BMP")
    yield "palette.bmp", saved(rgb.quantize(50), "BMP")
    yield "rgba.bmp", saved(rgb.convert("RGBA"), "BMP")
    top_first = bytearray(saved(rgb, "BMP"))
    top_first[22:26] = struct.pack("<i", -values.shape[0])
    yield "top_first.bmp", bytes(top_first)
    palette = bytearray(saved(rgb.quantize(50), "BMP"))
    palette[10:14] = struct.pack("<I", 54)
    yield "palette_forgotten.bmp", bytes(palette)
    palette = bytes(v for i in range(16) for v in (i * 16, 255 - i * 9, i * 5, 0))
    nibbles = b"".join((np.pad(row[0::2] & 0xF0 | row[1::2] >> 4, (0, -(len(row) // 2) % 4))).tobytes() for row in values[:, :36, 0])
    yield "palette16.bmp", bmp_bytes(36, values.shape[0], 4, 0, palette, nibbles)
    words = values.astype(np.uint16)
    packed = (words[:, :36, 0] >> 3 << 10) | (words[:, :36, 1] >> 3 << 5) | words[:, :36, 2] >> 3
    yield "rgb555.bmp", bmp_bytes(36, values.shape[0], 16, 0, b"", packed.astype("<u2").tobytes())
    packed = (words[:, :36, 0] >> 3 << 11) | (words[:, :36, 1] >> 2 << 5) | words[:, :36, 2] >> 3
    yield "rgb565.bmp", bmp_bytes(36, values.shape[0], 16, 3, b"", packed.astype("<u2").tobytes(), struct.pack("<III", 0xF800, 0x7E0, 0x1F))
    runs = bytes([5, 1, 0, 3, 7, 8, 9, 0, 0, 0, 8, 2, 0, 0, 2, 12, 6, 14, 0, 0, 0, 4, 1, 2, 3, 4, 4, 15, 0, 1])
    yield "runs8.bmp", bmp_bytes(8, 4, 8, 1, palette, runs)
    runs = bytes([5, 0x12, 0, 3, 0x78, 0x90, 0, 0, 8, 0x2F, 0, 0, 2, 12, 6, 14, 0, 0, 0, 4, 0x12, 0x34, 4, 15, 0, 1])
    yield "runs4.bmp", bmp_bytes(8, 4, 4, 2, palette, runs)


def netpbm(Image, rgb, values):
    yield "rgb.ppm", saved(rgb, "PPM")
    yield "grey.pgm", saved(rgb.convert("L"), "PPM")
    yield "bits.pbm", saved(rgb.convert("1"), "PPM")
    words = " ".join(str(v) for v in (values[:6, :5] // 3).reshape(-1))
    yield "text.ppm", f"P3\n# a comment\n5 6 # another\n85\n{words}\n".encode()
    yield "text.pgm", f"P2 5 6 85 {' '.join(words.split()[:30])}".encode() + b"\n"
    yield "text.pbm", b"P1\n7 3\n1010101 0 1 0 1 0 1 0\n1110000\n"
    yield "grey16.pgm", b"P5 7 4 65535\n" + (values[:4, :7, 0].astype(">u2") * 256 + 9).tobytes()
    yield "rgb16.ppm", b"P6 7 4 40000\n" + (values[:4, :7].astype(">u2") * 150).tobytes()
    yield "halves.ppm", b"P6 31 1 30\n" + bytes(v for level in range(31) for v in (level, 30 - level, level // 2))  # 8.5, 25.5, ...
    yield "halves.pgm", b"P2 31 1 30\n" + b" ".join(b"%d" % level for level in range(31)) + b"\n"
    yield "grey100.pgm", b"P5 7 4 100\n" + (values[:4, :7, 0] // 3).tobytes()


def with_pillow():
    import PIL
    from PIL import Image, ImageOps

    if int(PIL.__version__.split(".")[0]) <= 12:
        return pillow_resizes(Image, "resized_pillow12.txt")
    values = scene(37, 29)
    rgb = Image.fromarray(values)
    folder.mkdir(exist_ok=True)
    files = [*jpegs(Image, rgb), *pngs(Image, rgb, values), *gifs(Image, rgb, values), *webps(Image, rgb, values),
             *bitmaps(Image, rgb, values), *netpbm(Image, rgb, values), *turned_otherwise(Image, rgb),
             ("scene.png", saved(Image.fromarray(scene(150, 100, 2)), "PNG")),
             ("odd_scene.png", saved(Image.fromarray(scene(150, 101, 2)), "PNG")), ("small.png", saved(Image.fromarray(small_scene()), "PNG"))]
    lines = []
    for name, data in files:
        (folder / name).write_bytes(data)
        picture = ImageOps.exif_transpose(Image.open(io.BytesIO(data)))
        if picture.mode.startswith("I"):  # the upper 8 bits, see src/values/picture/decode_picture.h
            pixels = np.repeat((np.asarray(picture).astype(np.int64) >> 8).astype(np.uint8)[:, :, None], 3, 2)
        else:
            pixels = np.asarray(picture.convert("RGB"))
        lines.append(f"{name} {pixels.shape[1]} {pixels.shape[0]} {hashlib.sha256(pixels.tobytes()).hexdigest()}")
    (here / "decoded.txt").write_text("\n".join(lines) + "\n")
    pillow_resizes(Image, "resized.txt")


def pillow_resizes(Image, file):
    filters = {"nearest": Image.NEAREST, "box": Image.BOX, "bilinear": Image.BILINEAR, "bicubic": Image.BICUBIC, "lanczos": Image.LANCZOS}
    sizes = [(64, 48), (150, 33), (40, 100), (1, 1), (1, 100), (149, 99), (300, 200), (333, 71), (7, 250), (75, 50), (151, 1), (149, 60)]
    lines = []
    for mode in ("RGB", "L"):
        source = Image.fromarray(scene(150, 100, 2)).convert(mode)
        for name, kind in filters.items():
            for width, height in sizes:
                pixels = np.asarray(source.resize((width, height), kind))
                lines.append(f"{mode} {name} {width} {height} {hashlib.sha256(pixels.tobytes()).hexdigest()}")
    (here / file).write_text("\n".join(lines) + "\n")


def with_opencv():
    import cv2

    kinds = {"nearest": cv2.INTER_NEAREST, "bilinear": cv2.INTER_LINEAR, "bicubic": cv2.INTER_CUBIC, "area": cv2.INTER_AREA,
             "lanczos": cv2.INTER_LANCZOS4}
    sizes = [*SMALL, (34, 51), (68, 66)]  # in these two, edges of pixels meet but for the last bit
    results = {f"{name} {size[0]} {size[1]}": cv2.resize(small_scene(), size, interpolation=kind) for name, kind in kinds.items() for size in sizes}
    np.savez_compressed(here / "resized_opencv.npz", **results)


def letterboxed(picture, height, width):
    """letterbox() of YOLOv5, utils/augmentations.py, without its options."""
    import cv2

    ratio = min(height / picture.shape[0], width / picture.shape[1])
    inner = int(round(picture.shape[1] * ratio)), int(round(picture.shape[0] * ratio))
    dw, dh = (width - inner[0]) / 2, (height - inner[1]) / 2
    if picture.shape[1::-1] != inner:
        picture = cv2.resize(picture, inner, interpolation=cv2.INTER_LINEAR)
    top, bottom = int(round(dh - 0.1)), int(round(dh + 0.1))
    left, right = int(round(dw - 0.1)), int(round(dw + 0.1))
    return cv2.copyMakeBorder(picture, top, bottom, left, right, cv2.BORDER_CONSTANT, value=(114, 114, 114))


def middle(picture, height, width):
    """center_crop() of MLPerf's dataset.py."""
    top, left = (picture.shape[0] - height) // 2, (picture.shape[1] - width) // 2
    return picture[top : top + height, left : left + width]


def with_chains():
    """Whole ways of a picture into a net, as their authors' programs go them, for the presets; and the same on its side."""
    import cv2
    from PIL import Image

    results = {}
    for turned in ("", "_turned"):
        rgb = scene(150, 101, 2)
        rgb = np.ascontiguousarray(rgb.transpose(1, 0, 2)) if turned else rgb
        height, width = rgb.shape[:2]
        # torchvision's Resize(36), CenterCrop(32), ToTensor, Normalize
        size = (36, int(36 * height / width)) if width <= height else (int(36 * width / height), 36)
        small = Image.fromarray(rgb).resize(size, Image.BILINEAR)
        top, left = int(round((size[1] - 32) / 2.0)), int(round((size[0] - 32) / 2.0))
        chw = np.asarray(small.crop((left, top, left + 32, top + 32))).transpose(2, 0, 1).astype(np.float32) / np.float32(255)
        mean, std = (np.array(v, np.float32)[:, None, None] for v in ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]))
        results["torchvision" + turned] = ((chw - mean) / std)[None]
        bgr = cv2.resize(rgb[:, :, ::-1], (32, 32)).astype(np.float32) - np.array([103.939, 116.779, 123.68], np.float32)
        results["caffe" + turned] = bgr.transpose(2, 0, 1)[None]
        results["yolo" + turned] = letterboxed(rgb, 32, 64).transpose(2, 0, 1)[None].astype(np.float32) / 255
        results["ultraface" + turned] = ((cv2.resize(rgb, (32, 24)).astype(np.float32) - 127) / 128).transpose(2, 0, 1)[None]
        results["mnist" + turned] = (cv2.resize(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), (28, 28)).astype(np.float32) / 255)[None, None]
        new = int(100.0 * 32 / 87.5)
        small = cv2.resize(rgb, (new, int(new * height / width)) if height > width else (int(new * width / height), new))
        results["mobilenet" + turned] = ((middle(small, 32, 32).astype(np.float32) / 255 - 0.5) * 2)[None]
    np.savez_compressed(here / "chains.npz", **{name: value.astype(np.float32) for name, value in results.items()})


def with_torch():
    """Of floats, for old versions have no kernels for bytes; to bytes as torchvision does it."""
    import torch
    from torch.nn.functional import interpolate

    source = torch.tensor(small_scene().astype(np.float32).transpose(2, 0, 1).tolist())[None]
    results = {}
    for name, options in {"nearest": {"mode": "nearest"}, "nearest-exact": {"mode": "nearest-exact"}, "area": {"mode": "area"},
                          "bilinear": {"mode": "bilinear", "align_corners": False}, "bicubic": {"mode": "bicubic", "align_corners": False},
                          "bilinear+antialias": {"mode": "bilinear", "align_corners": False, "antialias": True},
                          "bicubic+antialias": {"mode": "bicubic", "align_corners": False, "antialias": True}}.items():
        for width, height in SMALL:
            out = interpolate(source, size=(height, width), **options)[0].round().clamp(0, 255)
            results[f"{name} {width} {height}"] = np.array(out.tolist()).transpose(1, 2, 0).astype(np.uint8)
    np.savez_compressed(here / "resized_torch.npz", **results)


def with_tensorflow():
    """Floats, in eighths of a grey level."""
    import tensorflow as tf

    results = {}
    for method in ("nearest", "bilinear", "bicubic", "area", "lanczos3"):
        for antialias in (False, True):
            if antialias and method in ("nearest", "area"):
                continue
            for width, height in SMALL:
                out = tf.image.resize(small_scene(), (height, width), method=method, antialias=antialias).numpy()
                name = method.replace("lanczos3", "lanczos") + ("+antialias" if antialias else "")
                results[f"{name} {width} {height}"] = np.round(out.astype(np.float64) * 8).astype(np.int16)
    np.savez_compressed(here / "resized_tf.npz", **results)


for make in (with_pillow, with_opencv, with_chains, with_torch, with_tensorflow):
    try:
        make()
        print(f"made: {make.__name__}")
    except ImportError as missing:
        print(f"left as it is: {make.__name__}: {missing}")
