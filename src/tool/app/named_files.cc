#include "app/named_files.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <string_view>

#include "base/text.h"
#include "hub/hf_name.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view library_mark =
    "\x7f"
    "ELF";

bool is_library(const fs::path& file) {
  std::array<char, library_mark.size()> head{};
  std::ifstream(file, std::ios::binary).read(head.data(), head.size());
  return std::string_view(head.data(), head.size()) == library_mark;
}

std::vector<NamedFile> files_of_inputs(const DataOptions& data) {
  std::vector<NamedFile> files;
  for (const std::string& input : data.inputs) {
    if (auto file = file_of_input(input)) files.push_back({"--input " + input.substr(0, input.find('=')), *file});
  }
  return files;
}

std::vector<NamedFile> libraries(const WorkshopOrder& order) {
  std::vector<NamedFile> files;
  for (const fs::path& library : order.running.session.custom_ops) files.push_back({"--custom-ops", library});
  return files;
}

Result<void> must_be_there(const NamedFile& file, const char* hint) {
  std::error_code error;
  if (fs::exists(file.path, error)) return {};
  return fail(ErrorKind::usage,
              fmt::format("{} {}: there is no such file", printable(file.flag), printable(file.path.string())), hint);
}

Result<void> must_be_library(const NamedFile& file) {
  constexpr const char* hint = "give the path of a shared library with custom operators";
  if (auto there = must_be_there(file, hint); !there || is_library(file.path)) return there;
  return fail(ErrorKind::usage,
              fmt::format("{} {}: that is no shared library", file.flag, printable(file.path.string())), hint);
}

constexpr const char* spelling = "check the spelling, and that the folder is the right one";

}  // namespace

std::vector<NamedFile> files_to_read(const WorkshopOrder& order) {
  std::vector<NamedFile> files = order.models;
  files.push_back({"--variant", order.variant});
  files.push_back({"--data", order.data.samples.data});
  files.push_back({"--target-data", order.target_data});
  files.push_back({"--preprocess", order.data.samples.preprocess});
  files.push_back({"--labels", order.data.labels});
  files.push_back({"--known", order.known});
  files.push_back({"--runtime", order.running.runtime});
  if (order.witnesses != nullptr) {
    files.push_back({"--second-runtime", order.witnesses->second_runtime});
    files.push_back({"--python", order.witnesses->python});
  }
  for (auto&& more : {files_of_inputs(order.data.samples), libraries(order)})
    files.insert(files.end(), more.begin(), more.end());
  std::erase_if(files, [](const NamedFile& file) {
    std::error_code error;
    return file.path.empty() || !fs::exists(file.path, error);
  });
  return files;
}

Result<void> named_files_must_be_there(const WorkshopOrder& order) {
  for (const NamedFile& model : order.models) {
    if (auto there = must_be_there(model, spelling); !there) return there;
  }
  if (!order.variant.empty()) {
    if (auto there = must_be_there({"--variant", order.variant}, spelling); !there) return there;
  }
  for (const NamedFile& data : {NamedFile{"--data", order.data.samples.data}, {"--target-data", order.target_data}}) {
    if (data.path.empty()) continue;
    const char* hint =
        is_hf_word(data.path.string())
            ? "culprit data prepare makes a file of texts of the hub, which is fed to models"
            : "name a folder of test_data_set_N, one such folder, an .npz, an .npy, a folder of images or "
              "sounds, or texts";
    if (auto there = must_be_there(data, hint); !there) return there;
  }
  if (!order.data.labels.empty()) {
    constexpr const char* hint = "name a .csv or .jsonl with file and label, or a .json with boxes";
    if (auto there = must_be_there({"--labels", order.data.labels}, hint); !there) return there;
  }
  if (!order.known.empty()) {
    constexpr const char* hint = "`culprit known add REPRO --known FILE` makes one";
    if (auto there = must_be_there({"--known", order.known}, hint); !there) return there;
  }
  for (const NamedFile& file : files_of_inputs(order.data.samples)) {
    if (auto there = must_be_there(file, "name a .npy, .npz or .pb file"); !there) return there;
  }
  for (const NamedFile& file : libraries(order)) {
    if (auto fine = must_be_library(file); !fine) return fine;
  }
  return {};
}

}  // namespace culprit
