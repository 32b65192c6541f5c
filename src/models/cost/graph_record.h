#pragma once
// A graph in numbers, for a profile's record.

#include <filesystem>

#include "cost/typed_graph.h"
#include "model/model.h"
#include "record/profile.h"

namespace culprit {

/// Nodes, types of operators, parameters, costs (cost/node_costs.h) and bytes on the disk of a loaded model. Nodes are
/// those that are written: of all graphs inside as well; a call of one of the model's functions is one node, whose body
/// counts for the costs only. Parameters are elements of initializers of all graphs, of sparse ones those that are
/// stored, and of Constant nodes with several floats. Each place in a file of external data counts once. `providers` is
/// left for the caller.
GraphRecord graph_record(const Model& model, const InputShapes& shapes);
GraphRecord graph_record(const Model& model, const SeenValues& seen);
/// Makes the record where the types are at hand; they have to be those of this model. `data_folder` is where its
/// external data lie; "": beside it.
GraphRecord graph_record(const Model& model, const TypedGraph& graph, const std::filesystem::path& data_folder = {});

}  // namespace culprit
