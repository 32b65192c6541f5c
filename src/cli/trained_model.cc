#include "cli/trained_model.h"

#include "base/text.h"
#include "network/model_of_file.h"
#include "runtime/find_library.h"

namespace culprit {

Result<Model> load_trained_model(const std::filesystem::path& path) {
  const RunnersByFormat runners = find_other_runners();
  const auto runner = runners.find(format_of(path));
  if (runner != runners.end() && !runner->second) {
    const Error& why = runner->second.error();
    return fail(why.kind, printable(path.string()) + " cannot be run: " + why.message, why.hint);
  }
  return load_any_model(path);
}

}  // namespace culprit
