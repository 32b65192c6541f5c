#include "device/nvml.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "device/nvml_api.h"

namespace culprit {
namespace {

constexpr std::size_t longest_word = 120;  // of a foreign library
constexpr const char* has_to_work = "`nvidia-smi` has to work here; a container needs the driver, too (--gpus all)";

struct Close {
  void operator()(void* library) const { ::dlclose(library); }
};

/// The library, started; stopped and unloaded with the last one that holds it.
class NvmlLibrary {
 public:
  static Result<std::shared_ptr<NvmlLibrary>> load(const std::filesystem::path& path);
  NvmlLibrary(const NvmlLibrary&) = delete;
  NvmlLibrary& operator=(const NvmlLibrary&) = delete;
  ~NvmlLibrary() {
    const auto stop = function<nvml::Shutdown>({"nvmlShutdown"});
    if (is_started_ && stop != nullptr) stop();
  }

  /// The first of these names that it has, or nullptr.
  template <class Function>
  [[nodiscard]] Function function(std::initializer_list<const char*> names) const {
    for (const char* name : names)
      if (void* found = ::dlsym(handle_.get(), name)) return reinterpret_cast<Function>(found);
    return nullptr;
  }

  /// "Not Supported"
  [[nodiscard]] std::string words_of(nvml::Code code) const {
    const auto tell = function<nvml::ErrorString>({"nvmlErrorString"});
    const char* words = tell == nullptr ? nullptr : tell(code);
    return words == nullptr ? fmt::format("error {}", code) : printable(words, longest_word);
  }

 private:
  explicit NvmlLibrary(void* handle) : handle_(handle) {}
  std::unique_ptr<void, Close> handle_;
  bool is_started_ = false;
};

Result<std::shared_ptr<NvmlLibrary>> NvmlLibrary::load(const std::filesystem::path& path) {
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* why = ::dlerror();
    return fail(ErrorKind::not_found, "NVML cannot be loaded: " + printable(why == nullptr ? "" : why, 300),
                "it comes with NVIDIA's driver");
  }
  std::shared_ptr<NvmlLibrary> library(new NvmlLibrary(handle));
  const auto start = library->function<nvml::Init>({"nvmlInit_v2"});
  if (start == nullptr)
    return fail(ErrorKind::bad_input, printable(path.string(), 300) + " is no NVML: it has no nvmlInit_v2",
                "name NVIDIA's libnvidia-ml.so.1");
  if (const nvml::Code code = start(); code != nvml::success)
    return fail(ErrorKind::io, "NVML does not start: " + library->words_of(code), has_to_work);
  library->is_started_ = true;
  return library;
}

/// One function of a device: asked as long as it makes sense.
template <class Function>
struct Question {
  const char* about;  // "power"
  Function ask = nullptr;
  bool is_over = false, is_complained_of = false;
};

class NvmlDevice : public Device {
 public:
  NvmlDevice(std::shared_ptr<NvmlLibrary> library, nvml::Handle handle)
      : library_(std::move(library)), handle_(handle), name_(name_in_library()) {
    utilization_.ask = library_->function<nvml::GetUtilization>({"nvmlDeviceGetUtilizationRates"});
    memory_.ask = library_->function<nvml::GetMemory2>({"nvmlDeviceGetMemoryInfo_v2"});
    memory_with_drivers_.ask = library_->function<nvml::GetMemory>({"nvmlDeviceGetMemoryInfo"});
    power_.ask = library_->function<nvml::GetPower>({"nvmlDeviceGetPowerUsage"});
    energy_.ask = library_->function<nvml::GetEnergy>({"nvmlDeviceGetTotalEnergyConsumption"});
    temperature_.ask = library_->function<nvml::GetTemperature>({"nvmlDeviceGetTemperature"});
    clock_.ask = library_->function<nvml::GetClock>({"nvmlDeviceGetClockInfo"});
    reasons_.ask = library_->function<nvml::GetReasons>(
        {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  }

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string source() const override { return "NVML"; }
  [[nodiscard]] std::vector<std::string> untold() const override { return untold_; }

  DeviceReading read() override {
    DeviceReading reading;
    nvml::Utilization busy;
    nvml::MemoryInfo2 memory{.version = nvml::version_of_memory};
    unsigned number = 0;
    unsigned long long large = 0;
    if (is_told(utilization_, reading, &busy)) reading.utilization = busy.gpu;
    if (memory_.ask == nullptr) {  // an old driver
      nvml::MemoryInfo all;
      if (is_told(memory_with_drivers_, reading, &all)) reading.memory = static_cast<double>(all.used);
    } else if (is_told(memory_, reading, &memory)) {
      reading.memory = static_cast<double>(memory.used);
    }
    if (is_told(power_, reading, &number)) reading.power = number / 1e3;
    if (is_told(energy_, reading, &large)) reading.joules = static_cast<double>(large) / 1e3;
    if (is_told(temperature_, reading, nvml::sensor_of_gpu, &number)) reading.temperature = number;
    if (is_told(clock_, reading, nvml::clock_of_sm, &number)) reading.clock = number;
    if (is_told(reasons_, reading, &large))
      for (const auto& reason : nvml::reasons)
        if ((large & reason.bit) != 0) reading.slowed_by.push_back(reason.words);
    return reading;
  }

 private:
  [[nodiscard]] std::string name_in_library() const {
    std::array<char, 97> text{};  // NVML_DEVICE_NAME_V2_BUFFER_SIZE, and an end of ours
    const auto ask = library_->function<nvml::GetName>({"nvmlDeviceGetName"});
    const bool is_there = ask != nullptr && ask(handle_, text.data(), text.size() - 1) == nvml::success;
    return is_there && text[0] != '\0' ? printable(text.data(), longest_word) : "NVIDIA device";
  }

  /// Asks, and remembers what was not told. Nothing is asked of a device that was lost.
  template <class Function, class... Arguments>
  bool is_told(Question<Function>& question, DeviceReading& reading, Arguments... arguments) {
    if (question.is_over || !reading.lost.empty()) return false;
    const nvml::Code code = question.ask == nullptr ? nvml::function_not_found : question.ask(handle_, arguments...);
    if (code == nvml::success) return true;
    switch (code) {
      case nvml::uninitialized:
      case nvml::driver_not_loaded:
      case nvml::gpu_is_lost:
      case nvml::reset_required:
        reading.lost = library_->words_of(code);
        return false;
      case nvml::not_supported:
      case nvml::no_permission:
      case nvml::function_not_found:
        question.is_over = true;
        break;
      default:  // it may pass
        break;
    }
    if (!std::exchange(question.is_complained_of, true))
      untold_.push_back(std::string(question.about) + " (" + library_->words_of(code) + ")");
    return false;
  }

  std::shared_ptr<NvmlLibrary> library_;
  nvml::Handle handle_;
  std::string name_;
  std::vector<std::string> untold_;
  Question<nvml::GetUtilization> utilization_{"utilization"};
  Question<nvml::GetMemory2> memory_{"memory"};
  Question<nvml::GetMemory> memory_with_drivers_{"memory"};
  Question<nvml::GetPower> power_{"power"};
  Question<nvml::GetEnergy> energy_{"energy"};
  Question<nvml::GetTemperature> temperature_{"temperature"};
  Question<nvml::GetClock> clock_{"SM clock"};
  Question<nvml::GetReasons> reasons_{"reasons of a lower clock"};
};

Result<std::unique_ptr<Device>> find_device(unsigned index, const std::filesystem::path& path) {
  auto library = NvmlLibrary::load(path);
  if (!library) return tl::unexpected(library.error());
  const auto count_them = (*library)->function<nvml::GetCount>({"nvmlDeviceGetCount_v2"});
  const auto find = (*library)->function<nvml::GetHandle>({"nvmlDeviceGetHandleByIndex_v2"});
  if (count_them == nullptr || find == nullptr)
    return fail(ErrorKind::unsupported, "NVML is too old: it does not count devices as since 2012",
                "install a newer driver");
  unsigned count = 0;
  if (const nvml::Code code = count_them(&count); code != nvml::success)
    return fail(ErrorKind::io, "NVML cannot count devices: " + (*library)->words_of(code), has_to_work);
  if (count == 0) return fail(ErrorKind::not_found, "NVML sees no device", has_to_work);
  if (index >= count)
    return fail(ErrorKind::not_found, fmt::format("there is no NVIDIA device {}: NVML sees {}", index, count),
                "they are numbered from 0");
  nvml::Handle handle = nullptr;
  if (const nvml::Code code = find(index, &handle); code != nvml::success)
    return fail(ErrorKind::io, fmt::format("NVML does not open device {}: {}", index, (*library)->words_of(code)),
                has_to_work);
  return std::make_unique<NvmlDevice>(*library, handle);
}

}  // namespace

FoundDevices nvml_device(unsigned index, const std::filesystem::path& library) {
  FoundDevices found;
  if (auto device = find_device(index, library))
    found.devices.push_back(std::move(*device));
  else
    found.warnings.push_back({"nvml_unread", device.error().text()});
  return found;
}

}  // namespace culprit
