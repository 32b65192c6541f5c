#pragma once
// Small files of Keras, written without Python: the zip and the HDF5 file that Keras would write.

#include <gtest/gtest.h>
#include <hdf5.h>
#include <zip.h>

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/file.h"
#include "keras/hdf5_handle.h"
#include "tensor/tensor.h"

namespace culprit {

/// What an HDF5 file holds.
struct Hdf5Content {
  std::map<std::string, Tensor> arrays;                                               ///< float32, by place
  std::map<std::string, std::map<std::string, std::vector<std::string>>> texts = {};  ///< attributes, by place
  bool is_deflated = false;
};

inline void make_groups(hid_t file, const std::string& place) {
  for (auto slash = place.find('/'); slash != std::string::npos; slash = place.find('/', slash + 1)) {
    const std::string group = place.substr(0, slash);
    if (H5Lexists(file, group.c_str(), H5P_DEFAULT) > 0) continue;  // perhaps an array
    const Hdf5Handle made(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  }
}

inline void write_array(hid_t file, const std::string& place, const Tensor& tensor, bool is_deflated) {
  make_groups(file, place);
  const std::vector<hsize_t> dims(tensor.shape().begin(), tensor.shape().end());
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose);
  const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (is_deflated) {
    H5Pset_chunk(how.id(), static_cast<int>(dims.size()), dims.data());
    H5Pset_deflate(how.id(), 5);
  }
  const Hdf5Handle array(
      H5Dcreate2(file, place.c_str(), H5T_IEEE_F32LE, space.id(), H5P_DEFAULT, how.id(), H5P_DEFAULT), H5Dclose);
  if (H5Dwrite(array.id(), H5T_IEEE_F32LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, tensor.bytes().data()) < 0)
    throw std::runtime_error("cannot write " + place);
}

inline void write_texts(hid_t file, const std::string& place, const std::string& name,
                        const std::vector<std::string>& texts) {
  if (!place.empty()) make_groups(file, place + "/");
  const Hdf5Handle object(H5Oopen(file, place.empty() ? "/" : place.c_str(), H5P_DEFAULT), H5Oclose);
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  const hsize_t count = texts.size();
  const Hdf5Handle space(
      texts.size() == 1 && name != "weight_names" ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr),
      H5Sclose);
  const Hdf5Handle attribute(H5Acreate2(object.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  if (H5Awrite(attribute.id(), type.id(), static_cast<const void*>(pointers.data())) < 0)
    throw std::runtime_error("cannot write " + name);
}

inline void write_hdf5(const fs::path& path, const Hdf5Content& content) {
  const Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  for (const auto& [place, tensor] : content.arrays) write_array(file.id(), place, tensor, content.is_deflated);
  for (const auto& [place, attributes] : content.texts)
    for (const auto& [name, texts] : attributes) write_texts(file.id(), place, name, texts);
}

/// Members by name.
inline void write_zip(const fs::path& path, const std::map<std::string, std::string>& members) {
  fs::remove(path);
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE, nullptr);
  if (archive == nullptr) throw std::runtime_error("cannot write " + path.string());
  for (const auto& [name, bytes] : members)
    zip_file_add(archive, name.c_str(), zip_source_buffer(archive, bytes.data(), bytes.size(), 0), 0);
  if (zip_close(archive) != 0) throw std::runtime_error("cannot write " + path.string());
}

/// A .keras.
inline void write_keras(const fs::path& path, const std::string& config, const Hdf5Content& weights) {
  fs::path beside = path;
  beside += ".weights";
  write_hdf5(beside, weights);
  const auto bytes = read_file(beside);
  fs::remove(beside);
  write_zip(path, {{"config.json", config},
                   {"metadata.json", R"({"keras_version": "3.15.1"})"},
                   {"model.weights.h5", bytes.value()}});
}

/// A whole model in an HDF5 file. `names`: the lists of weights, by layer.
inline void write_keras_h5(const fs::path& path, const std::string& config,
                           const std::map<std::string, std::vector<std::string>>& names,
                           const std::map<std::string, Tensor>& by_name) {
  Hdf5Content content{{}, {{"", {{"model_config", {config}}, {"keras_version", {"2.15.0"}}}}}};
  for (const auto& [layer, list] : names) {
    content.texts["model_weights/" + layer]["weight_names"] = list;
    for (const std::string& name : list) content.arrays["model_weights/" + layer + "/" + name] = by_name.at(name);
  }
  write_hdf5(path, content);
}

/// Elements 0, 1, 2, ... times `step`.
inline Tensor rising_tensor(const Shape& shape, float step = 1) {
  std::vector<float> numbers(static_cast<std::size_t>(element_count(shape).value()));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i) * step;
  return Tensor::of(shape, numbers);
}

}  // namespace culprit
