#pragma once
// Cameras store pictures as the sensor lay, and say in EXIF or XMP how to turn them.

#include "picture/formats.h"
#include "picture/picture.h"

namespace culprit {

/// The orientation, 1 to 8, as Pillow finds it (Image.getexif): in a block of EXIF ("II*\0..." or "MM\0*...", with or
/// without "Exif\0\0" before it), else in XMP, a text with tiff:Orientation="6" or tiff:Orientation>6. Both may be
/// empty. 1 where nothing says it, or it makes no sense.
int orientation_of(FileBytes exif, FileBytes xmp);
/// Reads the orientation in all chunks of a PNG file.
int png_orientation(FileBytes chunks);

bool swaps_sides(int orientation);
/// The picture as it is to be seen.
Picture turned(Picture picture, int orientation);

}  // namespace culprit
