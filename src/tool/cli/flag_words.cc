#include "cli/flag_words.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace culprit {
namespace {

constexpr auto all_words = std::to_array<FlagWords>({
    {"--accept-weak",
     "Write the model although this output is the same on all samples, so that nobody verified it; may be repeated"},
    {"--against",
     "The row that the others are compared with (default: the first; of several models with several rows each, the "
     "first of each model)"},
    {"--all-cases", "Also show the cases that are right"},
    {"--all-passes", "Also try the passes that are not among the default passes, each alone"},
    {"--atol",
     "Absolute tolerance: beyond the expected rounding error a value r may differ by atol + rtol * |r| (default: by "
     "type and by the size of the output)"},
    {"--baseline",
     "A kept report.json of profile: exit code 1 if a row has become worse by its ratio, its memory or its "
     "predictions; 3 if no row can be compared"},
    {"--blame",
     "Which steps of the optimizer, or of the runtime, make a row slower; if none is slower, which make the fastest "
     "row faster"},
    {"--blocks", "Blocks of runs; each is one process with all rows (default: 20)"},
    {"--budget",
     "Time for the whole command: 2m, 90s, 90 for 90 seconds; then it ends with what it has and says what was left out "
     "(default: no end)"},
    {"--cache",
     "Folder in which campaigns share outcomes: a case that one of them has finished does not run again. Any number "
     "may "
     "use it at once; it may be deleted at any time"},
    {"--check",
     "Shell command that decides: exit code 0 means that the fault is there. {model} stands for a model to try, "
     "{data} for its test_data_set_0; '! CMD' for a command that fails if the fault is there"},
    {"--comparator",
     "A program of yours that says of each sample whether two predictions are the same, such as "
     "examples/comparators/word_error_rate.py (docs/comparators.md)"},
    {"--compare",
     "Measure nothing: compare this kept report.json with the one in the place of MODEL; exit codes as for "
     "--baseline"},
    {"--config", "Configuration of a data set of hf:, such as a language (default: its only one, or its own default)"},
    {"--confirm", "Fresh processes in which a fault must show again (default: 2)"},
    {"--count", "Orders to try in all (default: 200; of at most 5 steps all of their orders)"},
    {"--curves", "Also ROC and precision-recall curves of a classifier, each class against the rest"},
    {"--custom-ops", "Library with custom operators; may be repeated"},
    {"--data",
     "Inputs: a folder of images or of sounds, texts (.csv, .jsonl, SQuAD's .json, folders of .txt) or what `culprit "
     "data "
     "prepare` made of them, an .npz or .npy with a row for each sample, a folder of test_data_set_N, or one such "
     "folder "
     "(default: `data` in culprit.yaml beside the model, else a test_data_set_* there)"},
    {"--decisions",
     "Write what every model predicts for every sample: a .csv with a line a sample, or a .jsonl with all scores and "
     "boxes"},
    {"--deltas", "Only these kinds of steps, in the order of the list below (default: all)"},
    {"--deploy-level",
     "The level of ONNX Runtime's optimizations that your users run; off: without them (default: all)"},
    {"--detector",
     "How the outputs of a detector are read: detr, lists, ssd, tensorflow, ultraface, yolov3, yolov5, yolov8, "
     "yolov10, or a .yaml that says it (default: what fits the outputs)"},
    {"--dim", "Size of a symbolic dimension; may be repeated"},
    {"--draw",
     "Write images with the boxes of all models into this folder: those that differ most, and the first ones"},
    {"--each", "These passes or steps, each alone"},
    {"--encoder",
     "An encoder that reads the texts, once: encoder_model.onnx. What it gives is kept with them, for a decoder that "
     "is "
     "a file of its own"},
    {"--fail-on",
     "Exit code 1 for: fault; weak: also if the inputs prove nothing; any: also for small differences, and for models "
     "that could not be judged (default: fault)"},
    {"--feeding",
     "Where it is written how to feed the target (a culprit.yaml), if the target is right and wants to be fed "
     "otherwise"},
    {"--format", "What is printed: text to read, or the answer for a program or a page (default: text)"},
    {"--frozen", "The weights as they are, no longer among the inputs"},
    {"--generate",
     "Tokens that a model of language is to say after each prompt, the likeliest each time (default: none, it reads "
     "the whole text)"},
    {"--hub",
     "The hub: a folder, an address, or owner/repository[:branch] of GitHub (default: $CULPRIT_HUB, else onnx/models)"},
    {"--input", "Value of one input in all samples: a number, [1,2,3], or a .npy or .pb file; may be repeated"},
    {"--input-shape",
     "Only models with an input of this shape: 1,3,224,224; ? is any size, ... at the end any number of them"},
    {"--intermediate",
     "A file that the conversion made on its way from SOURCE to TARGET; may be repeated, in that order: the first "
     "wrong "
     "file is named, and what those after it add, inherit or mend"},
    {"--job", "Only the cases of this job (default: all)"},
    {"--jobs", "Processes at once (default: the number of cores; fewer if each would get less than 1 GiB)"},
    {"--keep-variants", "Keep all models that were made, not only faulty ones"},
    {"--kernels", "Also count the kernels on an NVIDIA GPU, by the program ncu; takes long"},
    {"--known",
     "List of known faults, made by `culprit known`: they are named, and do not make exit code 1 (default: none)"},
    {"--labels",
     "What is right: a .csv or .jsonl with file and label, COCO's .json with boxes; eval: also a folder of masks or "
     "images (default: labels.csv beside the images or sounds, or the names of their folders)"},
    {"--levels",
     "Levels of ONNX Runtime's optimizations: off, basic, extended, layout, all (default: off, basic, extended, all; "
     "of several models, versions or pass lists: all)"},
    {"--list", "Run nothing: print the command of each case"},
    {"--map",
     "Input or output of the first model that stands for one of the second with another name; may be repeated"},
    {"--max-length", "Most tokens of a text: a longer one is cut off, a longer context becomes windows (default: all)"},
    {"--memory",
     "Memory for one process: 8GB, 512MB (default: what the machine or its container has, shared by those that run "
     "at once)"},
    {"--model", "Only the cases of models that this pattern names, such as 'zoo/**/*.onnx' (default: all)"},
    {"--names", "Names only, one a line"},
    {"--newest", "Of models with one name only that of the highest opset"},
    {"--no-data", "Download the model alone, and not the archive with its test data"},
    {"--no-localize",
     "Do not look for causes: no rewrites, no first mismatch, no second opinion, no small model; much faster"},
    {"--no-repro", "Keep no folders that show the faults by themselves; faster"},
    {"--note", "A word on the fault, such as the number of its issue"},
    {"--offline", "Ask no network: what the cache has, or an error (as CULPRIT_OFFLINE=1)"},
    {"--on",
     "Where cases run: ray, the cluster of Ray that is on this machine, or else a new one; or ray://HOST:PORT "
     "(default: "
     "processes on this machine)"},
    {"--opset", "Only models of this opset, or of these: 12, 9-12"},
    {"--optimizer",
     "Whose steps: onnx_optimizer; onnxruntime, its own optimizations; a program such as onnxsim or onnxsim@0.4.36 "
     "(`culprit optimizers` lists them); FILE.yaml, a program of your own, which is run (default: onnx_optimizer)"},
    {"--option",
     "An option of the --optimizer that is a program, such as weight_type=QUInt8 of quantize_static; may be repeated"},
    {"--output", "Where the result is written"},
    {"--output-shape", "Only models with an output of this shape"},
    {"--pairs", "embedding: a,b,same a line, two samples by name or number, and 1 where they show the same, else 0"},
    {"--passes", "These passes or steps, in this order"},
    {"--predictions",
     "Also tables of what the models decide before and after the optimizer, by task; of checks with --data"},
    {"--preprocess",
     "How images are prepared: a .yaml, or torchvision, tf, caffe, mobilenet, yolo, ssd, ultraface, mnist, rapidocr, "
     "raw; sounds: a .yaml, or wav2vec, silero; texts: a .yaml, or bert, gpt2, t5 (default: culprit.yaml beside the "
     "model, else guessed)"},
    {"--protocol", "otx: as the OTX paper measures, to compare with its figures (default: blocks)"},
    {"--provider", "What runs the nodes that it knows; may be repeated, to compare (default: cpu)"},
    {"--python", "A Python with the package onnx, for an opinion of ONNX's reference evaluator"},
    {"--quiet", "No progress and no log"},
    {"--refresh", "Read the manifest anew, though the one in the cache is younger than a day"},
    {"--repeat",
     "Run the passes once, to the library's own fixpoint, or until nothing changes any more (default: once)"},
    {"--require-all", "Write nothing if a pass has to be left out (exit code 1)"},
    {"--resume", "Go on with the campaign in the folder; what is finished is not run again"},
    {"--reweight", "Seeded weights, calibrated to unit variance"},
    {"--rtol", "Relative tolerance (default: by type; 1e-3 for float32)"},
    {"--run-dir", "Folder for the report, models and figures of this run (default: a new one in .culprit)"},
    {"--runtime",
     "ONNX Runtime: a library file, or a version that scripts/setup brought (default: the one that `culprit doctor` "
     "names)"},
    {"--samples",
     "How many samples (default: all of the data, but 10 of images; without data 3 random ones, and up to 3 more aimed "
     "at numbers in the graph)"},
    {"--score",
     "detection: precision, recall and F1 count boxes with a score above this; average precision looks at all "
     "(default: as the detector says)"},
    {"--second-runtime",
     "Another ONNX Runtime, for a second opinion: whose fault is a wrong value? Exit code 3 if it gives other values "
     "for the model itself"},
    {"--seed", "Seed of all that is random (default: 0)"},
    {"--shard",
     "Only this part of the cases, such as 1/3: every case is in one part, and `culprit merge` puts the parts "
     "together (default: all)"},
    {"--shuffle", "Take the samples in a random order, by --seed"},
    {"--softmax", "The scores of a classifier are logits: score gaps are told as probabilities"},
    {"--split", "Split of a data set of Hugging Face (default: test, else validation, else the only one)"},
    {"--status", "Only the cases that ended so; may be repeated (default: all)"},
    {"--steps", "The steps to order, as they stand in the first order (default: those of the optimizer, in its order)"},
    {"--stop-after-faults", "End when so many cases have shown a fault that is not known (default: never)"},
    {"--stop-when-sure",
     "Stop as soon as it is sure, at 5 %, that P percent of the predictions agree with those of the first model, or "
     "only P - DELTA: 99.9,0.1; takes the samples in random order"},
    {"--strict", "A difference within the tolerance is a fault, too"},
    {"--stride", "Tokens that two windows of a long context share (default: 0)"},
    {"--sweep",
     "Also each row at these batches (samples in one run) or threads: time of a run, and samples a second; may be "
     "repeated, for all combinations of both"},
    {"--tag", "Only models with this tag; may be repeated: then with all of them"},
    {"--target-data",
     "What TARGET is really fed, sample by sample for --data: is it right, and only fed otherwise? (default: what "
     "SOURCE is fed)"},
    {"--task", "What is read off the outputs (default: what culprit.yaml says, else what fits the outputs)"},
    {"--threads", "Threads inside one run; more change the last bits (default: 1)"},
    {"--threshold",
     "segmentation by one channel: what is above counts; tasks multi_label and events: so does a class or a frame "
     "(default: 0.5; text detectors: 0.3; events that are logits: 0)"},
    {"--timeout",
     "CPU time for one step, such as loading a model or one sample: 2m, 500ms, 5 for 5 seconds (default: 120s)"},
    {"--tokenizer", "A tokenizer.json as Hugging Face has it, or a folder with one"},
    {"--tries", "How often each fault is tried (default: 3)"},
    {"--trust",
     "Run models of TensorFlow or Keras that may run code, or touch files or the network (else they are refused)"},
    {"--trust-runtime",
     "Judge by --runtime even if another one gives other values for the model itself: only a warning"},
    {"--try-again", "Also run what failed, and what was set aside because its process was killed twice"},
    {"--undirected", "Direct no samples at the places where passes would fire"},
    {"--until-sure",
     "Go on until every row is slower, faster or the same, or --budget is spent; the intervals allow for being looked "
     "at again and again"},
    {"--variant", "ONNX file that should mean the same, made by anything"},
    {"--verbose", "More: what changed nothing, every measurement, all rows and samples, and the log"},
    {"--version", "Versions of culprit and of every library in it"},
});

}  // namespace

std::span<const FlagWords> flag_words() { return all_words; }

std::string_view words_of_flag(std::string_view name) {
  const auto found = std::ranges::lower_bound(all_words, name, {}, &FlagWords::name);
  if (found == all_words.end() || found->name != name)
    throw std::logic_error("no words for the flag " + std::string(name));
  return found->help;
}

}  // namespace culprit
