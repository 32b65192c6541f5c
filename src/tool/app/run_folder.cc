#include "app/run_folder.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <cctype>
#include <chrono>
#include <ctime>
#include <map>
#include <random>

#include "base/text.h"
#include "model/model.h"
#include "model/placed_weights.h"
#include "optimizer/optimizer.h"
#include "record/report_schema.h"
#include "repro/repro_folder.h"

namespace culprit {
namespace {

constexpr const char* work_prefix = ".work-";

/// The folder is a choice of whoever started us, so one that cannot be made is wrong usage.
tl::unexpected<Error> cannot_make(const fs::path& path, const std::error_code& error) {
  return fail(ErrorKind::usage, fmt::format("cannot make the folder {}: {}", path.string(), error.message()),
              "name a folder that can be written with --run-dir, or start in another one");
}

tl::unexpected<Error> cannot(const std::string& what, const fs::path& path, const std::error_code& error) {
  return fail(ErrorKind::io, fmt::format("cannot {} {}: {}", what, path.string(), error.message()),
              "check the permissions and the free space, or name another folder with --run-dir");
}

/// "20260131T235959Z-1a2b": sorts by time; the id keeps runs of the same second apart.
std::string new_name() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z-{:04x}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec, std::random_device{}() & 0xFFFFU);
}

Result<fs::path> make_new_folder() {
  const fs::path parent = ".culprit";
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) return cannot_make(parent, error);
  constexpr int attempts = 100;
  for (int i = 0; i < attempts; ++i) {
    fs::path folder = parent / new_name();
    if (fs::create_directory(folder, error)) return folder;
    if (error) return cannot_make(folder, error);
  }
  return fail(ErrorKind::io, "cannot find a free name in .culprit", "name a folder with --run-dir");
}

/// "V05-eliminate_identity.onnx", and weights by their content.
bool is_our_variant(const fs::path& file) {
  const std::string name = file.filename();
  if (file.parent_path().filename() == "weights")  // model/placed_weights.h
    return true;
  return name.size() > 2 && name[0] == 'V' && std::isdigit(static_cast<unsigned char>(name[1])) != 0 &&
         file.extension() == ".onnx";
}

/// What a run finds there goes when its own files come.
Result<void> only_ours_in(const fs::path& folder, bool (*is_ours)(const fs::path&), const char* what) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const bool is_folder = entry->is_directory(error) && !entry->is_symlink(error);
    if (is_folder || (entry->is_regular_file(error) && is_ours(entry->path()))) continue;
    return fail(ErrorKind::usage,
                fmt::format("--run-dir: {} is no {} of an earlier run, and would be lost",
                            printable(entry->path().string()), what),
                "move it, or name another folder");
  }
  return {};
}

Result<void> nothing_would_be_lost(const fs::path& folder) {
  return only_ours_in(folder / "variants", is_our_variant, "variant").and_then([&] {
    return only_ours_in(folder / "repro", is_file_of_bundle, "part of a repro");
  });
}

/// What runs left in .culprit that were killed: their work, and what is empty without it. Their logs stay.
void clean_up_after_the_dead(const fs::path& parent) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    if (entry.is_symlink(ignored) || !entry.is_directory(ignored)) continue;
    if (!remove_ownerless(entry.path(), work_prefix)) continue;
    fs::remove(entry.path() / "logs", ignored);
    fs::remove(entry.path(), ignored);
  }
}

/// May we write here? Never over what is not ours.
Result<void> must_be_free_or_ours(const fs::path& folder) {
  std::error_code error;
  const bool empty = fs::is_empty(folder, error);
  if (error) return cannot("look into", folder, error);
  if (empty) return {};
  const auto report = read_file(folder / "report.json");
  if (report && is_report(*report)) return nothing_would_be_lost(folder);
  return fail(ErrorKind::usage,
              fmt::format("--run-dir {}: the folder is not empty, and has no report.json of culprit", folder.string()),
              "name a new or empty folder");
}

Result<bool> use_named_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error))
    return fail(ErrorKind::usage, fmt::format("--run-dir {}: not a folder", folder.string()),
                "name a new or empty folder");
  const bool created = fs::create_directories(folder, error);
  if (error) return cannot_make(folder, error);
  if (remove_ownerless(folder, work_prefix)) fs::remove(folder / "logs", error);  // only where it is empty
  if (const auto fine = must_be_free_or_ours(folder); !fine) return tl::unexpected(fine.error());
  return created;
}

/// Plain enough to be typed, and short enough for a file: a step may be a node, and be called "/layer/MatMul".
std::string plain_name(std::string name) {
  constexpr std::size_t longest = 100;  // bytes
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain =
        byte >= 0x80 || std::isalnum(byte) != 0 || std::string_view("._-+").find(c) != std::string_view::npos;
    if (!is_plain) c = '_';
  }
  if (name.size() <= longest) return name;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80) --end;  // no half of a letter
  return name.substr(0, end);
}

/// "V05-fuse_bn_into_conv.onnx"
std::string variant_file_name(const VariantRecord& variant) {
  const auto& passes = variant.recipe.passes;
  const std::string what = is_whole_level(variant.recipe) ? "level_" + variant.recipe.level
                           : variant.is_bundle            ? "bundle"
                           : passes.empty()               ? "round_trip"
                           : passes.size() == 1           ? passes[0]
                                                          : fmt::format("recipe_of_{}", passes.size());
  return variant.id + "-" + plain_name(what) + ".onnx";
}

/// A name for the model's variants, unlike those of the models before, and plain enough to be typed.
std::string free_stem(const std::string& path, std::set<std::string>& taken) {
  std::string stem = plain_name(fs::path(path).stem());
  if (stem.empty() || stem == "." || stem == "..") stem = "model";
  std::string name = stem;
  for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}-{}", stem, i);
  return name;
}

/// Gives a variant that lay in `before` the weights that it had there.
Result<void> link_weights_of(const fs::path& variant, const fs::path& before) {
  const auto model = load_proto(variant);
  return model ? link_weights(*model, before, variant.parent_path()) : Result<void>();  // what it is, it stays
}

Result<fs::path> made(fs::path folder) {
  std::error_code error;
  fs::create_directory(folder, error);
  if (error) return cannot("make the folder", folder, error);
  return folder;
}

constexpr const char* kept = "kept";  // inside the work folder

}  // namespace

Result<RunFolder> RunFolder::create(const fs::path& wanted) {
  fs::path folder = wanted;
  bool created = true;
  if (wanted.empty()) {
    clean_up_after_the_dead(".culprit");
    auto made = make_new_folder();
    if (!made) return tl::unexpected(made.error());
    folder = *made;
  } else {
    const auto used = use_named_folder(wanted);
    if (!used) return tl::unexpected(used.error());
    created = *used;
  }
  auto work = TemporaryFolder::create(fs::absolute(folder), work_prefix);
  if (!work) return fail(ErrorKind::usage, work.error().message, "name a folder that can be written with --run-dir");
  std::error_code error;
  fs::create_directories(fs::absolute(folder) / "logs", error);
  if (error) return cannot("make the folder", folder / "logs", error);
  OwnerLock lock = OwnerLock::of(work->path());
  return RunFolder(folder, created, std::move(lock), std::move(*work));
}

RunFolder::~RunFolder() {
  if (!work_) return;
  work_.reset();
  remove_scratch(path_ / "logs", 0);
  // Each only where it is empty by now.
  std::error_code ignored;
  fs::remove(path_ / "logs", ignored);
  if (created_ && fs::is_empty(path_, ignored)) {
    fs::remove(path_, ignored);
    if (path_.parent_path() == ".culprit") fs::remove(".culprit", ignored);
  }
}

Result<fs::path> RunFolder::work_folder(std::size_t model) const { return made(work_->path() / std::to_string(model)); }

Result<fs::path> RunFolder::hosts() const { return made(work_->path() / "hosts"); }

Result<void> RunFolder::keep_variants(ModelReport& report, const fs::path& work_folder, bool all, bool strict) {
  const fs::path relative = fs::path("variants") / stem_of(report.model.path, work_folder);
  std::map<fs::path, std::string> moved;  // variants with one fingerprint share a file
  std::error_code error;
  for (VariantRecord& variant : report.variants) {
    if (variant.file.empty()) continue;
    const fs::path from = work_folder / variant.file;
    const bool fails_deployed = variant.deployed && is_fault(variant.deployed->verdict, strict);
    const bool keep = all || fails_deployed || is_fault(variant.verdict, strict);
    variant.file.clear();
    if (const auto before = moved.find(from); before != moved.end()) {
      if (keep) variant.file = before->second;
      continue;
    }
    if (!keep || !fs::exists(from, error)) continue;
    const fs::path to = relative / variant_file_name(variant);
    fs::create_directories(work_->path() / kept / relative, error);
    if (!error) fs::rename(from, work_->path() / kept / to, error);
    if (error) return cannot("keep the variant", from, error);
    if (auto linked = link_weights_of(work_->path() / kept / to, from.parent_path()); !linked) return linked;
    variant.file = moved[from] = to.string();
  }
  return {};
}

const std::string& RunFolder::stem_of(const fs::path& model, const fs::path& work_folder) {
  std::string& stem = stem_of_[work_folder];
  if (stem.empty()) stem = free_stem(model, stems_);
  return stem;
}

ReproPlace RunFolder::repro_place(const fs::path& model, const fs::path& work_folder, const std::string& fault,
                                  bool is_one_of_several) {
  fs::path name = "repro";
  if (is_one_of_several) name /= stem_of(model, work_folder);
  name /= fault;
  return {work_->path() / kept / name, name.string()};
}

Result<void> RunFolder::show_kept(const char* what) const {
  const fs::path shown = path_ / what, fresh = work_->path() / kept / what;
  std::error_code error;
  fs::remove_all(shown, error);
  if (error) return cannot("remove what an earlier run left in", shown, error);
  if (fs::exists(fresh, error)) fs::rename(fresh, shown, error);
  if (error) return cannot("move what was kept to", shown, error);
  return {};
}

bool RunFolder::holds_a_report() const {
  std::error_code error;
  return fs::exists(path_ / "report.json", error);
}

Result<void> RunFolder::finish(const std::string& report_json) {
  for (const char* what : {"variants", "repro"}) {
    if (auto shown = show_kept(what); !shown) return shown;
  }
  return write_file_atomic(path_ / "report.json", report_json);
}

}  // namespace culprit
