#pragma once
// Which array of the file is which weight of which layer. Private to this room.

#include <string>

#include "keras/hdf5_copy.h"
#include "keras/keras_model.h"

namespace culprit {

/// Of a .keras: below "layers" or "_layer_checkpoint_dependencies" a group for each layer, named by its class and the
/// number of layers of that class before it. Errors: a layer lacks weights, or has more than its class.
Result<void> add_weights_by_group(KerasModel& model, const Hdf5Copy& file);

/// Of a .h5: a group for each layer of the outer model, and the names of its arrays in the order in which Keras made
/// them.
Result<void> add_weights_by_name(KerasModel& model, const Hdf5Copy& file);

}  // namespace culprit
