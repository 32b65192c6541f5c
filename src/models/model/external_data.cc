#include "model/external_data.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <charconv>
#include <fstream>
#include <optional>
#include <system_error>

#include "base/file.h"
#include "base/text.h"
#include "model/graph_walk.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace culprit {
namespace {

constexpr std::size_t longest_tensor_name = 120;

std::string said_of(const onnx::TensorProto& tensor) {
  return fmt::format("external data of tensor '{}'", printable(tensor.name(), longest_tensor_name));
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// What stands in the tensor's list of keys and values.
struct Entries {
  std::string location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
};

Result<Entries> entries_of(const onnx::TensorProto& tensor) {
  Entries entries;
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == "location") entries.location = entry.value();
    if (entry.key() != "offset" && entry.key() != "length") continue;
    const auto value = number(entry.value());
    if (!value) {
      return fail(ErrorKind::bad_input,
                  fmt::format("{}: its {} '{}' is not a number of bytes", said_of(tensor), entry.key(),
                              printable(entry.value(), longest_tensor_name)),
                  "the model is damaged; export it again");
    }
    if (entry.key() == "offset") entries.offset = *value;
    if (entry.key() == "length") entries.length = *value;
  }
  if (entries.location.empty()) {
    return fail(ErrorKind::bad_input, said_of(tensor) + ": no file is named", "the model is damaged; export it again");
  }
  return entries;
}

/// Bytes that type and shape need; nothing for types that this version does not know.
Result<std::optional<std::uint64_t>> needed_bytes(const onnx::TensorProto& tensor) {
  const auto dtype = dtype_from_onnx(tensor.data_type());
  if (dtype == DType::string) {
    return fail(ErrorKind::bad_input, said_of(tensor) + ": strings cannot be stored outside a model",
                "export the model again");
  }
  const auto count = element_count(Shape(tensor.dims().begin(), tensor.dims().end()));
  if (!count) return fail(ErrorKind::bad_input, fmt::format("{}: {}", said_of(tensor), count.error().message));
  if (!dtype || bits_of(*dtype) == 0) return std::nullopt;
  return bytes_for(*dtype, *count);
}

Result<std::uint64_t> size_of(const onnx::TensorProto& tensor, const std::string& location, const fs::path& file) {
  const std::string name = printable(location, longest_tensor_name);
  std::error_code error;
  const auto status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) {
    return fail(
        ErrorKind::not_found,
        fmt::format("{}: the file '{}' is missing (looked for {})", said_of(tensor), name, printable(file.string())),
        "put the file beside the model, under that name");
  }
  if (status.type() != fs::file_type::regular) {
    return fail(ErrorKind::bad_input, fmt::format("{}: '{}' is not a regular file", said_of(tensor), name));
  }
  const auto size = fs::file_size(file, error);
  if (error) {
    return fail(ErrorKind::io, fmt::format("{}: cannot look at '{}': {}", said_of(tensor), name, error.message()));
  }
  return size;
}

}  // namespace

bool is_external(const onnx::TensorProto& tensor) { return tensor.data_location() == onnx::TensorProto::EXTERNAL; }

Result<ExternalPlace> external_place(const onnx::TensorProto& tensor, const fs::path& folder) {
  const auto entries = entries_of(tensor);
  if (!entries) return tl::unexpected(entries.error());
  const std::string name = printable(entries->location, longest_tensor_name);
  const auto file = path_inside(folder.empty() ? fs::path(".") : folder, entries->location);
  if (!file) {
    return fail(
        file.error().kind,
        fmt::format("{}: '{}' does not lie in the model's folder: {}", said_of(tensor), name, file.error().message),
        "a model may name files beside it or below only; move the file there and correct its location");
  }
  const auto size = size_of(tensor, entries->location, *file);
  if (!size) return tl::unexpected(size.error());
  const auto needed = needed_bytes(tensor);
  if (!needed) return tl::unexpected(needed.error());
  if (entries->length && *needed && *entries->length != **needed) {
    return fail(ErrorKind::bad_input,
                fmt::format("{}: {} bytes are named, but its type and shape need {}", said_of(tensor), *entries->length,
                            **needed),
                "the model is damaged; export it again");
  }
  const std::uint64_t left = entries->offset <= *size ? *size - entries->offset : 0;
  const std::uint64_t length = entries->length.value_or(needed->value_or(left));
  if (length > left) {
    return fail(ErrorKind::bad_input,
                fmt::format("{}: bytes {} to {}+{} are asked for, but '{}' has only {}", said_of(tensor),
                            entries->offset, entries->offset, length, name, *size),
                "the file is truncated or belongs to another model; copy it again");
  }
  return ExternalPlace{*file, entries->offset, length};
}

std::set<std::string> external_names(const onnx::ModelProto& model) {
  std::set<std::string> names;
  for_each_tensor(model, [&](const onnx::TensorProto& tensor) {
    if (!is_external(tensor)) return;
    for (const auto& entry : tensor.external_data())
      if (entry.key() == "location") names.insert(entry.value());
  });
  return names;
}

std::set<fs::path> external_files(const onnx::ModelProto& model, const fs::path& folder) {
  std::set<fs::path> files;
  for_each_tensor(model, [&](const onnx::TensorProto& tensor) {
    if (!is_external(tensor)) return;
    if (const auto place = external_place(tensor, folder)) files.insert(place->file);
  });
  return files;
}

Result<void> copy_with_data(const fs::path& from, const fs::path& to) {
  const auto cannot = [](const fs::path& file, const std::error_code& error) {
    return fail(ErrorKind::io, "cannot copy " + printable(file.string()) + ": " + error.message());
  };
  std::error_code error;
  fs::copy_file(from, to, error);
  if (error) return cannot(from, error);
  const auto model = load_proto(from);
  if (!model) return tl::unexpected(model.error());
  const fs::path folder = from.parent_path();
  for (const fs::path& file : external_files(*model, folder)) {
    const fs::path copy = to.parent_path() / file.lexically_relative(folder);
    fs::create_directories(copy.parent_path(), error);
    fs::copy_file(file, copy, error);
    if (error) return cannot(file, error);
  }
  return {};
}

Result<bool> check_external_data(const onnx::ModelProto& model, const fs::path& folder) {
  Result<bool> found = false;
  for_each_tensor(model, [&](const onnx::TensorProto& tensor) {
    if (!found || !is_external(tensor)) return;
    const auto place = external_place(tensor, folder);
    if (place) {
      found = true;
    } else {
      found = tl::unexpected(place.error());
    }
  });
  return found;
}

Result<std::uint64_t> inlined_bytes(const onnx::ModelProto& model, const fs::path& folder) {
  Result<std::uint64_t> bytes = model.ByteSizeLong();
  for_each_tensor(model, [&](const onnx::TensorProto& tensor) {
    if (!bytes || !is_external(tensor)) return;
    const auto place = external_place(tensor, folder);
    if (place) {
      *bytes += place->length;
    } else {
      bytes = tl::unexpected(place.error());
    }
  });
  return bytes;
}

std::uint64_t whole_bytes(const onnx::ModelProto& model) {
  std::uint64_t bytes = model.ByteSizeLong();
  for_each_tensor(model, [&](const onnx::TensorProto& tensor) {
    const auto dtype = dtype_from_onnx(tensor.data_type());
    const auto count = element_count(Shape(tensor.dims().begin(), tensor.dims().end()));
    if (is_external(tensor) && dtype && count) bytes += bytes_for(*dtype, *count);
  });
  return bytes;
}

Result<void> inline_external_data(onnx::ModelProto& model, const fs::path& folder) {
  Result<void> done;
  for_each_tensor(model, [&](const onnx::TensorProto& outside) {
    if (!done || !is_external(outside)) return;
    const auto place = external_place(outside, folder);
    if (!place) {
      done = tl::unexpected(place.error());
      return;
    }
    std::string bytes(place->length, '\0');
    std::ifstream file(place->file, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(place->offset));
    if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
      done = fail(ErrorKind::io, fmt::format("{}: cannot read {}", said_of(outside), printable(place->file.string())),
                  "check its permissions");
      return;
    }
    // The walk is over `model`, which is ours to change; it hands out const only because most of its callers only look.
    auto& tensor = const_cast<onnx::TensorProto&>(outside);
    tensor.set_raw_data(std::move(bytes));
    tensor.clear_external_data();
    tensor.clear_data_location();
  });
  return done;
}

Result<std::shared_ptr<const onnx::ModelProto>> whole_model(const Model& model) {
  if (!model.has_external_data) return model.proto;
  auto whole = std::make_shared<onnx::ModelProto>(*model.proto);
  if (auto ok = inline_external_data(*whole, model.path.parent_path()); !ok) return tl::unexpected(ok.error());
  return std::shared_ptr<const onnx::ModelProto>(std::move(whole));
}

}  // namespace culprit
