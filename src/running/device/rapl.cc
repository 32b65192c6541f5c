#include "device/rapl.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "device/small_files.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr const char* only_root =
    "on most systems only root may: run as root, or let an administrator allow it (chmod a+r on each energy_uj)";

class RaplPackage : public Device {
 public:
  RaplPackage(std::string name, const fs::path& folder, std::uint64_t counter)
      : name_(std::move(name)),
        counter_(folder / "energy_uj"),
        range_(number_of<std::uint64_t>(folder / "max_energy_range_uj")),
        last_(counter) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string source() const override { return "RAPL"; }

  DeviceReading read() override {
    DeviceReading reading;
    const auto line = read_line_of(counter_);
    if (!line) {
      reading.lost = line.error().message;
    } else if (const auto now = number_in<std::uint64_t>(*line); !now) {
      reading.lost = counter_.string() + " holds no number";
    } else if (const auto risen = risen_to(*now); !risen) {
      reading.lost = counter_.string() + " went back, and max_energy_range_uj does not tell how far it goes";
    } else {
      last_ = *now;
      joules_ += static_cast<double>(*risen) / 1e6;
      reading.joules = joules_;
    }
    return reading;
  }

 private:
  /// In microjoules, since the last reading; a counter that went back has begun anew.
  [[nodiscard]] std::optional<std::uint64_t> risen_to(std::uint64_t now) const {
    if (now >= last_) return now - last_;
    return range_ && *range_ >= last_ ? std::optional(*range_ - last_ + now) : std::nullopt;
  }

  std::string name_;
  fs::path counter_;
  std::optional<std::uint64_t> range_;  // microjoules
  std::uint64_t last_ = 0;
  double joules_ = 0;
};

/// "intel-rapl:0", but not a part of it, "intel-rapl:0:1", nor what is the same by another way, "intel-rapl-mmio:0".
bool can_be_package(const fs::path& folder) {
  constexpr std::string_view prefix = "intel-rapl:";
  const std::string name = folder.filename().string();
  return name.starts_with(prefix) && number_in<unsigned>(std::string_view(name).substr(prefix.size())).has_value();
}

struct PackageFolder {
  fs::path path;
  std::string name;  // "package-0"
};

std::vector<PackageFolder> packages_in(const fs::path& folder) {
  std::vector<PackageFolder> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const auto name = can_be_package(at->path()) ? read_line_of(at->path() / "name") : Result<std::string>();
    if (name && name->starts_with("package")) found.push_back({at->path(), *name});
  }
  std::ranges::sort(found, {}, &PackageFolder::path);
  return found;
}

/// "package-0-die-1" -> "CPU package 0-die-1"
std::string name_for_people(const std::string& name) {
  const std::string_view number = std::string_view(name).substr(std::string_view("package").size());
  return "CPU package " + printable(number.starts_with('-') ? number.substr(1) : number, 60);
}

Result<std::unique_ptr<Device>> open_package(const PackageFolder& package) {
  const fs::path& folder = package.path;
  const auto line = read_line_of(folder / "energy_uj");
  if (!line) {
    const bool is_there = line.error().kind != ErrorKind::not_found;
    return fail(line.error().kind, "RAPL: " + line.error().message, is_there ? only_root : "");
  }
  const auto counter = number_in<std::uint64_t>(*line);
  if (!counter)
    return fail(ErrorKind::bad_input, "RAPL: " + printable((folder / "energy_uj").string(), 300) +
                                          " holds no number: " + printable(*line, 60));
  return std::make_unique<RaplPackage>(name_for_people(package.name), folder, *counter);
}

}  // namespace

FoundDevices rapl_devices(const fs::path& folder) {
  FoundDevices found;
  const auto packages = packages_in(folder);
  for (const PackageFolder& package : packages) {
    auto device = open_package(package);
    if (device) found.devices.push_back(std::move(*device));
    if (!device && found.warnings.empty()) found.warnings.push_back({"rapl_unread", device.error().text()});
  }
  if (packages.empty())
    found.warnings.push_back(
        {"rapl_unread", "RAPL: " + printable(folder.string(), 300) +
                            " shows no CPU package, so the CPU's energy is not measured; a virtual machine has none"});
  return found;
}

}  // namespace culprit
