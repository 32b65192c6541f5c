#include "cli/decisions_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/file.h"
#include "base/parent_folder.h"
#include "base/text.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

std::string flag_of(const fs::path& path) { return "--decisions " + printable(path.string(), 300) + ": "; }

tl::unexpected<Error> not_written(const fs::path& path) {
  return fail(ErrorKind::io, flag_of(path) + "it cannot be written: " + std::strerror(errno));
}

Result<DecisionsFormat> decisions_format_of(const fs::path& path) {
  if (path.extension() == ".csv") return DecisionsFormat::csv;
  if (path.extension() == ".jsonl") return DecisionsFormat::jsonl;
  return fail(ErrorKind::usage, flag_of(path) + "it must end in .csv or .jsonl",
              ".csv has a line for each sample, .jsonl all scores and boxes as well");
}

/// What is there was written by an earlier run, or is empty.
Result<void> must_be_of_decisions(const fs::path& path) {
  std::error_code error;
  const fs::path folder = parent_folder(path);
  if (!fs::is_directory(folder, error))
    return fail(ErrorKind::usage, flag_of(path) + "there is no folder " + printable(folder.string(), 300));
  if (!fs::exists(path, error)) return {};
  if (!fs::is_regular_file(path, error)) return fail(ErrorKind::usage, flag_of(path) + "this is no file");
  const auto text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  const bool is_ours = text->empty() || text->starts_with("sample,truth,M1") || text->starts_with("{\"sample\":");
  if (is_ours) return {};
  return fail(ErrorKind::usage, flag_of(path) + "there is a file of something else", "name another file");
}

}  // namespace

Result<DecisionsFile> DecisionsFile::open(const fs::path& path, std::size_t models) {
  const auto format = decisions_format_of(path);
  if (!format) return tl::unexpected(format.error());
  if (auto ok = must_be_of_decisions(path); !ok) return tl::unexpected(ok.error());
  const bool is_there = ::access(path.c_str(), F_OK) == 0;
  if (::access((is_there ? path : parent_folder(path)).c_str(), W_OK) != 0) return not_written(path);
  return DecisionsFile(path, *format, models);
}

Result<void> DecisionsFile::begin() {
  file_.reset(std::fopen(path_.c_str(), "we"));
  if (!file_) return not_written(path_);
  return write(decisions_head(format_, models_));
}

Result<void> DecisionsFile::add(const ToldSample& sample) {
  if (!file_)
    if (auto ok = begin(); !ok) return ok;
  return write(decisions_line(format_, sample));
}

Result<void> DecisionsFile::write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size()) return {};
  return not_written(path_);
}

Result<void> DecisionsFile::finish() {
  if (!file_ || std::fclose(file_.release()) == 0) return {};
  return not_written(path_);
}

}  // namespace culprit
