#include "app/trained_model.h"

#include "app/workshop.h"
#include "base/text.h"
#include "network/model_of_file.h"
#include "runtime/find_library.h"
#include "runtime/freeze_keras.h"

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

Result<Model> as_one_graph(Model model, const FreezeOptions& options) {
  const ModelFormat format = format_of(model.path);
  if (format != ModelFormat::saved_model && format != ModelFormat::keras) return model;
  const auto frozen = format == ModelFormat::keras ? freeze_keras(model.path, model.facts.sha256, options)
                                                   : freeze_saved_model(model.path, model.facts.sha256, options);
  if (!frozen) return tl::unexpected(frozen.error());
  auto graph = load_any_model(*frozen);
  if (!graph) return graph;
  graph->facts.path = model.facts.path;
  graph->facts.sha256 = model.facts.sha256;
  graph->facts.bytes = model.facts.bytes;
  return graph;
}

FreezeOptions freeze_options_in(const Workshop& workshop, const std::filesystem::path& scratch) {
  return {.trusted = workshop.session.trusted,
          .memory_bytes = workshop.limits.memory_bytes,
          .scratch = scratch,
          .stop = workshop.caller.is_interrupted};
}

Result<Model> load_runnable_model(const std::filesystem::path& path, const FreezeOptions& options) {
  auto model = load_trained_model(path);
  if (!model || format_of(path) != ModelFormat::keras) return model;
  return as_one_graph(std::move(*model), options);
}

}  // namespace culprit
