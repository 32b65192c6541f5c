#include "keras/keras_weights.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "base/text.h"
#include "keras/hdf5_place.h"
#include "keras/keras_roles.h"

namespace culprit {
namespace {

using Names = std::vector<std::string>;

std::string named_layer(const KerasLayer& layer) {
  return "the layer " + printable(layer.name, 200) + " (" + printable(layer.class_name, 100) + ")";
}

Error wrong_count(const KerasLayer& layer, std::size_t found, std::size_t wanted) {
  return {ErrorKind::bad_input,
          named_layer(layer) + " has " + counted(static_cast<std::int64_t>(found), "array") +
              " of weights in the file, and " + std::to_string(wanted) + " by its configuration",
          "Save the whole model again with 'model.save'"};
}

Result<void> add_weight(KerasLayer& layer, const Hdf5Copy& file, std::string role, std::string name,
                        const std::string& place) {
  auto tensor = file.array(place);
  if (!tensor) return fail(tensor.error().kind, named_layer(layer) + ": " + tensor.error().message);
  layer.weights.push_back({std::move(role), std::move(name), std::move(*tensor)});
  return {};
}

// Files of Keras 3, and the .keras of Keras 2.

/// Keras 2 begins some names of groups with "_", Keras 3 does not.
std::string group_inside(const Hdf5Copy& file, const std::string& place, const std::string& group) {
  const std::string plain = place_below(place, group), hidden = place_below(place, "_" + group);
  return !file.has_group(plain) && file.has_group(hidden) ? hidden : plain;
}

Result<void> add_known_roles(KerasLayer& layer, const Hdf5Copy& file, const std::string& place,
                             const std::vector<KerasRole>& roles) {
  std::map<std::string, std::size_t> taken;  // of each group
  for (const KerasRole& role : roles) {
    const std::string group = group_inside(file, place, role.group);
    const std::string array = place_below(group, std::to_string(taken[group]++));
    if (!file.has_array(array)) {
      if (role.is_optional) continue;
      return tl::unexpected(wrong_count(layer, layer.weights.size(), roles.size()));
    }
    if (auto ok = add_weight(layer, file, role.role, array, array); !ok) return ok;
  }
  for (const auto& [group, count] : taken)
    if (file.has_array(place_below(group, std::to_string(count))))
      return tl::unexpected(wrong_count(layer, roles.size() + 1, roles.size()));
  return {};
}

Result<void> add_unknown_roles(KerasLayer& layer, const Hdf5Copy& file, const std::string& place) {
  for (const std::string& array : file.arrays_below(place))
    if (auto ok = add_weight(layer, file, array.substr(place.size() + 1), array, array); !ok) return ok;
  return {};
}

/// Keras 3 writes the name of a layer beside its weights: "" where the file does not say.
std::map<std::string, std::string> groups_by_layer(const Hdf5Copy& file, const std::string& container) {
  std::map<std::string, std::string> groups;
  for (const std::string& group : file.groups_in(container)) {
    const auto name = file.texts(place_below(place_below(container, group), "vars"), "name");
    if (name && name->size() == 1) groups[name->front()] = group;
  }
  return groups;
}

Result<void> add_below(KerasModel& model, const Hdf5Copy& file, const std::string& place);

Result<void> add_of_layer(KerasLayer& layer, const Hdf5Copy& file, const std::string& place) {
  if (layer.model) {
    KerasModel inner = *layer.model;
    if (auto ok = add_below(inner, file, place); !ok) return ok;
    layer.model = std::make_shared<const KerasModel>(std::move(inner));
    return {};
  }
  const auto roles = keras_roles(layer.class_name, layer.config);
  return roles ? add_known_roles(layer, file, place, *roles) : add_unknown_roles(layer, file, place);
}

Result<void> add_below(KerasModel& model, const Hdf5Copy& file, const std::string& place) {
  const std::string begin = place.empty() ? "" : place + "/";
  const std::string older = begin + "_layer_checkpoint_dependencies";
  const std::string container = file.has_group(older) ? older : begin + "layers";
  const auto by_name = groups_by_layer(file, container);
  std::map<std::string, int> count_of;  // of a class
  for (KerasLayer& layer : model.layers) {
    if (layer.is_operation) continue;
    const std::string kind = snake_case_of(layer.class_name.substr(layer.class_name.rfind('>') + 1));
    const int number = count_of[kind]++;
    const auto found = by_name.find(layer.name);
    const std::string group = found != by_name.end() ? found->second
                              : number == 0          ? kind
                                                     : kind + "_" + std::to_string(number);
    if (auto ok = add_of_layer(layer, file, place_below(container, group)); !ok) return ok;
  }
  return {};
}

// Whole models in HDF5 files.

struct NamedArray {
  std::string name;   ///< "dense/kernel:0"
  std::string place;  ///< of the file
};

/// A list that is too long for one attribute lies in several: "weight_names0", "weight_names1".
std::optional<Names> listed_names(const Hdf5Copy& file, const std::string& group, const std::string& attribute) {
  if (auto names = file.texts(group, attribute)) return names;
  Names all;
  for (int part = 0;; ++part) {
    const auto some = file.texts(group, attribute + std::to_string(part));
    if (!some && part == 0) return std::nullopt;
    if (!some) return all;
    all.insert(all.end(), some->begin(), some->end());
  }
}

bool has_component(const std::string& name, const std::string& component) {
  if (name.starts_with(component + "/")) return true;
  return contains(name, "/" + component + "/");
}

Result<void> add_in_order(KerasLayer& layer, const Hdf5Copy& file, std::span<const NamedArray> arrays) {
  const auto roles = keras_roles(layer.class_name, layer.config);
  if (!roles) {
    for (const NamedArray& one : arrays)
      if (auto ok = add_weight(layer, file, one.name, one.name, one.place); !ok) return ok;
    return {};
  }
  const auto needed =
      static_cast<std::size_t>(std::ranges::count_if(*roles, [](const KerasRole& role) { return !role.is_optional; }));
  if (arrays.size() < needed || arrays.size() > roles->size())
    return tl::unexpected(wrong_count(layer, arrays.size(), roles->size()));
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (auto ok = add_weight(layer, file, (*roles)[i].role, arrays[i].name, arrays[i].place); !ok) return ok;
  return {};
}

/// A model inside has all its weights in one list: first what is trained. Which layer has which tell their names.
Result<void> add_of_model(KerasLayer& outer, const Hdf5Copy& file, std::span<const NamedArray> arrays) {
  KerasModel inner = *outer.model;
  for (KerasLayer& layer : inner.layers) {
    std::vector<NamedArray> own;
    std::ranges::copy_if(arrays, std::back_inserter(own),
                         [&](const NamedArray& one) { return has_component(one.name, layer.name); });
    if (layer.model && own.empty()) own.assign(arrays.begin(), arrays.end());  // of Keras 2, which names no models
    const bool is_read = layer.is_operation || layer.class_name == "InputLayer";
    if (is_read) continue;
    auto ok = layer.model ? add_of_model(layer, file, own) : add_in_order(layer, file, own);
    if (!ok) return ok;
  }
  outer.model = std::make_shared<const KerasModel>(std::move(inner));
  return {};
}

}  // namespace

Result<void> add_weights_by_group(KerasModel& model, const Hdf5Copy& file) { return add_below(model, file, ""); }

Result<void> add_weights_by_name(KerasModel& model, const Hdf5Copy& file) {
  const std::string root = file.has_group("model_weights") ? "model_weights/" : "";
  for (KerasLayer& layer : model.layers) {
    if (layer.is_operation) continue;
    const std::string group = root + layer.name;
    const auto names = listed_names(file, group, "weight_names").value_or(Names());
    std::vector<NamedArray> arrays;
    arrays.reserve(names.size());
    for (const std::string& name : names) arrays.push_back({name, place_below(group, name)});
    auto ok = layer.model ? add_of_model(layer, file, arrays) : add_in_order(layer, file, arrays);
    if (!ok) return ok;
  }
  return {};
}

}  // namespace culprit
