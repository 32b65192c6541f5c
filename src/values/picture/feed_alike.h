#pragma once
// When a picture is prepared for several models: what of a preparation does not hang on the size of a net.

#include "picture/preprocessing.h"

namespace culprit {

/// What fitted() made of a preparation, so that it can be fitted to a net of another size, and to another type of
/// floats: sizes are those of the input again, or shares of it.
Preprocessing for_any_size(Preprocessing fit);

/// Do two nets see the same of a picture, but for the size and the order in memory?
bool are_fed_alike(const Preprocessing& one, const Preprocessing& other);

}  // namespace culprit
