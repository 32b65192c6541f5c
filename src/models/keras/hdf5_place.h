#pragma once
// Places in an HDF5 file. Private to this room.

#include <string>

namespace culprit {

/// "layers" and "dense" give "layers/dense"; below the root, "", is the name alone.
inline std::string place_below(const std::string& place, const std::string& name) {
  return place.empty() ? name : place + "/" + name;
}

}  // namespace culprit
