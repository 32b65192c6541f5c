#include "keras/hdf5_copy.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "keras/hdf5_file.h"
#include "keras/hdf5_place.h"
#include "process/interrupt.h"
#include "process/start_child.h"

namespace culprit {
namespace {

using nlohmann::json;
using OpenHdf5 = std::function<Result<Hdf5File>()>;

constexpr std::size_t alignment = 64;  // of arrays in the child's file
constexpr const char *told_name = "told.json", *arrays_name = "arrays";

json told_error(const Error& error) { return {{"error", error.message}, {"kind", static_cast<int>(error.kind)}}; }

/// The child's side: what the parent asks for is in two files.
class Hdf5CopyWriter {
 public:
  Hdf5CopyWriter(Hdf5File file, const fs::path& scratch)
      : file_(std::move(file)), arrays_(scratch / arrays_name, std::ios::binary) {}

  Result<json> write() {
    json told{{"groups", json::object()}, {"arrays", json::object()}};
    add_group("", told);
    for (const std::string& place : file_.arrays_below("")) {
      if (place.starts_with("optimizer")) continue;  // of training
      const auto tensor = file_.array(place);
      told["arrays"][place] = tensor ? add_array(*tensor) : told_error(tensor.error());
    }
    arrays_.flush();
    if (!arrays_) return fail(ErrorKind::io, "its arrays cannot be written into the folder for temporary files");
    return told;
  }

 private:
  void add_group(const std::string& place, json& told) {
    json texts = json::object();
    for (const char* name : {"model_config", "keras_version", "weight_names", "name"})
      if (const auto found = file_.texts(place, name)) texts[name] = *found;
    for (int part = 0;; ++part) {  // a list that was too long for one attribute
      const std::string name = "weight_names" + std::to_string(part);
      const auto found = file_.texts(place, name);
      if (!found) break;
      texts[name] = *found;
    }
    told["groups"][place] = std::move(texts);
    for (const std::string& name : file_.groups_in(place)) add_group(place_below(place, name), told);
  }

  json add_array(const Tensor& tensor) {
    const std::string padding((alignment - at_ % alignment) % alignment, '\0');
    arrays_.write(padding.data(), static_cast<std::streamsize>(padding.size()));
    at_ += padding.size();
    json told{{"type", static_cast<int>(tensor.dtype())}, {"shape", tensor.shape()}, {"at", at_}};
    arrays_.write(reinterpret_cast<const char*>(tensor.bytes().data()),
                  static_cast<std::streamsize>(tensor.bytes().size()));
    at_ += tensor.bytes().size();
    return told;
  }

  Hdf5File file_;
  std::ofstream arrays_;
  std::uint64_t at_ = 0;
};

void copy_in_child(const OpenHdf5& open, const fs::path& scratch, Channel& parent) {
  auto file = open();
  const auto told = file ? Hdf5CopyWriter(std::move(*file), scratch).write() : tl::unexpected(file.error());
  const json answer = told ? *told : told_error(told.error());
  std::ofstream(scratch / told_name, std::ios::binary)
      << answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  parent.send_now("done");
}

Result<void> wait_for_copy(Child& child) {
  while (true) {
    const bool is_over = child.over();
    if (child.channel().next()) return {};
    if (interrupt_requested()) return fail(ErrorKind::interrupted, "interrupted");
    child.check_limits();
    if (is_over || child.condemned())
      return fail(ErrorKind::bad_input, "libhdf5 did not survive it: " + child.bury().message,
                  "The file is damaged: save the model again");
    wait_for({&child}, {interrupt_fd()}, child.milliseconds());
  }
}

Error error_told(const json& told) {
  return {static_cast<ErrorKind>(std::clamp(told.value("kind", 0), 0, static_cast<int>(ErrorKind::internal))),
          printable(told.value("error", std::string()), 1000), ""};
}

}  // namespace

/// The parent's side, which believes the child no more than it would the file.
class Hdf5CopyReader {
 public:
  static Result<Hdf5Copy> read(const fs::path& scratch) {
    const auto text = read_file(scratch / told_name);
    if (!text) return tl::unexpected(text.error());
    const json told = json::parse(*text, nullptr, /*allow_exceptions=*/false);
    try {
      if (told.contains("error")) return tl::unexpected(error_told(told));
      return understood(told, scratch);
    } catch (const json::exception&) {
      return fail(ErrorKind::bad_input, "the process that reads it answered nonsense");
    }
  }

 private:
  static Result<Hdf5Copy> understood(const json& told, const fs::path& scratch) {
    Hdf5Copy copy;
    for (const auto& [place, texts] : told.at("groups").items()) copy.groups_[place] = texts.get<Hdf5Copy::Texts>();
    auto mapped = MappedFile::open(scratch / arrays_name);
    if (!mapped) return tl::unexpected(mapped.error());
    const auto bytes = std::make_shared<const MappedFile>(std::move(*mapped));
    for (const auto& [place, array] : told.at("arrays").items()) copy.arrays_.emplace(place, tensor_of(array, bytes));
    return copy;
  }

  static Result<Tensor> tensor_of(const json& told, const std::shared_ptr<const MappedFile>& file) {
    if (told.contains("error")) return tl::unexpected(error_told(told));
    const auto type = dtype_from_onnx(told.at("type").get<std::int32_t>());
    const auto shape = told.at("shape").get<Shape>();
    const auto at = told.at("at").get<std::uint64_t>();
    const auto count = element_count(shape);
    if (!type || !count) return fail(ErrorKind::bad_input, "an array has an impossible shape");
    const std::uint64_t size = bytes_for(*type, *count), all = file->bytes().size();
    if (at > all || size > all - at) return fail(ErrorKind::bad_input, "an array is not there");
    return Tensor::view(*type, shape, file->bytes().subspan(at, size), file);
  }
};

namespace {

Result<Hdf5Copy> copied(const OpenHdf5& open, std::uint64_t size) {
  constexpr double most_seconds = 300;
  constexpr std::uint64_t most_memory = UINT64_C(16) << 30U;
  const auto scratch = TemporaryFolder::create(fs::temp_directory_path(), "culprit-keras-");
  if (!scratch) return tl::unexpected(scratch.error());
  auto child = start_fork([&](Channel& parent) { copy_in_child(open, scratch->path(), parent); }, scratch->path(),
                          {most_seconds, most_memory + 4 * size});
  if (!child) return tl::unexpected(child.error());
  if (auto ok = wait_for_copy(*child); !ok) return tl::unexpected(ok.error());
  return Hdf5CopyReader::read(scratch->path());
}

}  // namespace

Result<Hdf5Copy> Hdf5Copy::of_file(const fs::path& path) {
  std::error_code trouble;
  const std::uint64_t size = fs::file_size(path, trouble);
  if (trouble) return fail(ErrorKind::io, "it cannot be read: " + trouble.message());
  return copied([&] { return Hdf5File::open(path); }, size);
}

Result<Hdf5Copy> Hdf5Copy::of_bytes(const std::string& bytes) {
  return copied([&] { return Hdf5File::open_bytes(bytes); }, bytes.size());
}

std::vector<std::string> Hdf5Copy::groups_in(const std::string& place) const {
  const std::string begin = place.empty() ? "" : place + "/";
  std::vector<std::string> found;
  for (auto at = groups_.lower_bound(begin); at != groups_.end() && at->first.starts_with(begin); ++at) {
    const std::string name = at->first.substr(begin.size());
    if (!name.empty() && !contains(name, "/")) found.push_back(name);
  }
  return found;
}

std::vector<std::string> Hdf5Copy::arrays_below(const std::string& place) const {
  const std::string begin = place.empty() ? "" : place + "/";
  std::vector<std::string> found;
  for (auto at = arrays_.lower_bound(begin); at != arrays_.end() && at->first.starts_with(begin); ++at)
    found.push_back(at->first);
  const auto key = [](const std::string& array) {
    const auto slash = array.rfind('/') + 1;  // 0 where there is none
    return std::tuple(array.substr(0, slash), array.size(), array);
  };
  std::ranges::sort(found, {}, key);
  return found;
}

std::optional<std::vector<std::string>> Hdf5Copy::texts(const std::string& place, const std::string& name) const {
  const auto group = groups_.find(place);
  if (group == groups_.end()) return std::nullopt;
  const auto found = group->second.find(name);
  return found == group->second.end() ? std::nullopt : std::optional(found->second);
}

Result<Tensor> Hdf5Copy::array(const std::string& place) const {
  const auto found = arrays_.find(place);
  if (found != arrays_.end()) return found->second;
  return fail(ErrorKind::bad_input, "the array " + printable(place, 300) + " is not there");
}

}  // namespace culprit
