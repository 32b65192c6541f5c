#pragma once
// Cameras store pictures as the sensor lay, and say in EXIF how to turn them.

#include "picture/formats.h"
#include "picture/picture.h"

namespace culprit {

/// The orientation, 1 to 8, in a block of EXIF ("II*\0..." or "MM\0*...", with or without "Exif\0\0" before it). 1
/// where there is none or it makes no sense.
int exif_orientation(FileBytes exif);

bool swaps_sides(int orientation);
/// The picture as it is to be seen.
Picture turned(Picture picture, int orientation);

}  // namespace culprit
