"""Pictures as a real data set has them, made by chance from a seed: JPEG of quality 90, about 500 x 375, upright and lying.

What makes decoding and resizing as dear as with photographs: detail that grows weaker with its frequency (1/f, as in nature),
shapes with edges, and a little noise. Files have about 95 KB, much as those of ImageNet.
"""
import multiprocessing
import os

SEED = 16


def natural(random, height, width):
    """Three channels of 1/f noise from 0 to 255, alike but not the same."""
    import numpy
    side = 576  # a size whose Fourier transform is quick, not smaller than any picture
    frequencies = numpy.hypot(numpy.fft.fftfreq(side)[:, None], numpy.fft.rfftfreq(side)[None])
    frequencies[0, 0] = numpy.inf
    grey, channels = None, []
    for _ in range(3):
        spectrum = random.standard_normal((2, side, side // 2 + 1)) / frequencies
        noise = numpy.fft.irfft2(spectrum[0] + 1j * spectrum[1], (side, side))[:height, :width]
        noise /= noise.std()
        grey = noise if grey is None else grey
        channels.append(128 + 45 * (0.8 * grey + 0.4 * noise))
    return numpy.clip(numpy.stack(channels, -1) + random.normal(0, 3, (height, width, 1)), 0, 255).astype(numpy.uint8)


def make(job):
    """One picture; its number decides what is on it."""
    import numpy
    from PIL import Image, ImageDraw
    path, number = job
    random = numpy.random.default_rng([SEED, number])
    longer, shorter = int(random.integers(460, 541)), int(random.integers(330, 421))
    width, height = (longer, shorter) if random.random() < 0.75 else (shorter, longer)
    picture = Image.fromarray(natural(random, height, width))
    draw = ImageDraw.Draw(picture)
    for _ in range(int(random.integers(3, 9))):
        x, y, w, h = random.integers(0, width), random.integers(0, height), random.integers(20, 200), random.integers(20, 200)
        shape = draw.ellipse if random.random() < 0.5 else draw.rectangle
        shape([int(x), int(y), int(x + w), int(y + h)], fill=tuple(int(c) for c in random.integers(0, 256, 3)))
    picture.save(path, quality=90)


def make_pictures(folder, count):
    """The paths of `count` pictures, of which each differs from the others."""
    paths = [folder / f"{number:06}.jpg" for number in range(count)]
    with multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool:
        pool.map(make, [(path, number) for number, path in enumerate(paths)], chunksize=16)
    return paths


def make_digit(job):
    """A grey PNG of 28 x 28 with a bright stroke, as in MNIST; its number decides where it runs."""
    import numpy
    from PIL import Image, ImageDraw
    path, number = job
    random = numpy.random.default_rng([SEED, number])
    picture = Image.new("L", (28, 28))
    points = [tuple(int(c) for c in random.integers(4, 24, 2)) for _ in range(int(random.integers(2, 6)))]
    ImageDraw.Draw(picture).line(points, fill=int(random.integers(150, 256)), width=int(random.integers(1, 4)))
    picture.save(path)


def make_digits(folder, count):
    """The paths of `count` small pictures."""
    paths = [folder / f"{number:06}.png" for number in range(count)]
    with multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool:
        pool.map(make_digit, [(path, number) for number, path in enumerate(paths)], chunksize=256)
    return paths
