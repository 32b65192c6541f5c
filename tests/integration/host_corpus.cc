// Writes every faulty case of the corpus inside its host, for bench/localization: OUT/<room>-<name>/model.onnx, its
// data, and case.json, which says how to check it and what must be found.
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/corpus_case.h"
#include "support/host.h"

namespace culprit::testing {
namespace {

Result<void> write_case(const std::filesystem::path& file, const std::filesystem::path& out) {
  const auto read = read_corpus_case(file);
  if (!read) return tl::unexpected(read.error());
  const std::string name = read->room + "-" + read->name;
  std::filesystem::create_directories(out / name);
  if (auto ok = write_hosted(*read, out / name); !ok) return ok;
  std::vector<std::string> arguments = check_arguments(*read, out / name);
  arguments.erase(arguments.begin());  // the model, which is beside it
  std::ofstream(out / name / "case.json") << nlohmann::json{{"name", name},
                                                            {"arguments", arguments},
                                                            {"culprits", read->culprits},
                                                            {"rewrites", read->rewrites},
                                                            {"attribution", read->attribution}};
  return {};
}

int write_all(const std::filesystem::path& out) {
  for (const auto& file : faulty_corpus_files()) {
    if (const auto written = write_case(file, out); !written) {
      std::fprintf(stderr, "host_corpus: %s\n", written.error().text().c_str());
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace culprit::testing

int main(int argc, char** argv) {
  if (argc == 2) return culprit::testing::write_all(argv[1]);
  std::fputs("usage: host_corpus OUT\n", stderr);
  return 2;
}
