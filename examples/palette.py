"""An indexed-colour picture turned into true colour by one BNNSGather.

A pixel of examples/data/evening.png is the number of a colour, and the file's palette has the red,
green and blue of each. True colour is a gather: the palette's rows, picked by the pixels, straight
into the image buffer that is saved. Needs Pillow: pip install Pillow.

    python examples/palette.py [where-to-write.png]     by default evening-rgb.png, where you are
    python examples/palette.py --make                   draws examples/data/evening.png anew

The picture was drawn by --make (the function `draw` below, in integers, so that every machine draws
the same).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    from PIL import Image
except ImportError:
    sys.exit("examples/palette.py needs Pillow, to read and write pictures: pip install Pillow")

from bnnspy import BNNS, NDArrayDescriptor, Shape

PICTURE = Path(__file__).resolve().parent / "data" / "evening.png"


def to_true_colour(picture: Image.Image) -> NDArray[np.uint8]:
    """The pixels of an indexed-colour picture as height x width x 3 bytes."""
    pixels = np.asarray(picture)
    palette = np.zeros((256, 3), np.uint8)  # a file may have fewer colours than a byte can name
    colours = np.array(picture.getpalette("RGB"), np.uint8).reshape(-1, 3)
    palette[: len(colours)] = colours

    image = np.empty((*pixels.shape, 3), np.uint8)
    BNNS.gather(
        # 3 columns, 256 rows; the rows are axis 0.
        input=NDArrayDescriptor(data=palette, shape=Shape.matrix_row_major(3, 256)),
        indices=NDArrayDescriptor(data=pixels, shape=Shape.vector(pixels.size)),
        output=NDArrayDescriptor(data=image, shape=Shape.matrix_row_major(3, pixels.size)),
        axis=0,
    )
    return image


def draw() -> Image.Image:
    """An evening by the sea: 96 x 64 pixels in 48 colours."""
    y, x = np.mgrid[0:64, 0:96]
    pixels = np.minimum(y + (x + y) % 2, 43) // 2  # 0..21: the sky, two rows a colour, dithered
    sun = (x - 62) ** 2 + (y - 33) ** 2
    for number, radius in ((22, 12), (23, 10), (24, 9)):  # a glow, a rim and the sun
        pixels = np.where(sun <= radius * (radius + 1), number, pixels)
    far = 38 + (x - 20) ** 2 // 260  # the hills' ridges, as rows
    near = 34 + (x - 2) ** 2 // 70
    pixels = np.where(y >= far, 25 + (x + 2 * y) % 3 // 2, pixels)
    pixels = np.where(y >= near, 27 + (3 * x + y) % 4 // 3, pixels)
    water = 29 + (y - 44 + (x + y) % 2) * 9 // 20
    pixels = np.where(y >= 44, water, pixels)
    width = 8 - (y - 44) // 4 + y * y * 7 % 5  # of the sun's path on the water, row by row
    glitter = (y >= 44) & (y % 2 == 0) & (abs(x - 62 - y * 13 % 7 + 3) < width)
    pixels = np.where(glitter, 40 + (y - 44) * 7 // 19, pixels)

    picture = Image.fromarray(pixels.astype(np.uint8))
    picture.putpalette(
        [
            *blend((38, 30, 84), (246, 150, 92), 22),
            *blend((250, 178, 110), (255, 244, 196), 3),
            *blend((92, 62, 104), (100, 68, 108), 2),
            *blend((44, 34, 60), (54, 42, 68), 2),
            *blend((214, 128, 110), (28, 30, 74), 11),
            *blend((255, 226, 164), (232, 132, 92), 8),
        ]
    )
    return picture


def blend(first: tuple[int, ...], last: tuple[int, ...], count: int) -> list[int]:
    """count colours from first to last, one after the other."""
    steps = [
        [(a * (count - 1 - k) + b * k) // (count - 1) for a, b in zip(first, last, strict=True)]
        for k in range(count)
    ]
    return [channel for colour in steps for channel in colour]


def save(picture: Image.Image, target: Path) -> None:
    """Writes a picture, or ends with a sentence."""
    try:
        picture.save(target)
    except (OSError, ValueError) as error:  # no such folder, or no such kind of file
        sys.exit(f"{target} can't be written: {error}")


def main() -> None:
    parser = argparse.ArgumentParser(description="An indexed-colour picture, in true colour.")
    parser.add_argument("target", nargs="?", type=Path, default="evening-rgb.png", metavar="FILE")
    parser.add_argument("--make", action="store_true", help="draw examples/data/evening.png anew")
    given = parser.parse_args()
    if given.make:
        save(draw(), PICTURE)
        print(f"drew {PICTURE}")
        return
    with Image.open(PICTURE) as picture:
        image = to_true_colour(picture)
        pillow: NDArray[Any] = np.asarray(picture.convert("RGB"))
        colours = len(np.unique(np.asarray(picture)))
    save(Image.fromarray(image), given.target)
    height, width, _ = image.shape
    print(f"{PICTURE.name}: {width} x {height} pixels, {colours} of 256 colours used")
    print(f"wrote {given.target}: true colour, {image.nbytes} bytes of pixels")
    print(f"the same as Pillow's own conversion: {np.array_equal(image, pillow)}")


if __name__ == "__main__":
    main()
