#include "cli/commands/orders.h"

#include "app/machine_facts.h"
#include "app/name_lists.h"
#include "app/try_orders.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/flag_reader.h"
#include "cli/flag_values.h"
#include "cli/present.h"
#include "report/orders_console.h"
#include "report/orders_json.h"

namespace culprit {

void add_orders(CommandParser& parser, OrdersFlags& flags) {
  const Flags command = parser.add_command(
      {.name = "orders",
       .heading = heading_check,
       .about = "Try many orders of the passes: which change the model, which break it, and which is the best",
       .examples = {"culprit orders model.onnx", "culprit orders model.onnx --count 1000 --seed 1 -o best.onnx",
                    "culprit orders model.onnx --steps fuse_bn_into_conv,fuse_add_bias_into_conv,nop"},
       .most_used = {"--output", "--steps", "--count", "--seed", "--optimizer", "--data", "--input", "--budget",
                     "--format", "--verbose"},
       .exit_codes = "Exit codes: 0 every order that was judged is right, 1 an order is wrong, 2 wrong usage, 3 cannot "
                     "judge, or no right file to write, 4 internal error, 130 interrupted."});
  command.word("MODEL", flags.model, type_file, "ONNX file whose passes are tried in many orders").required();
  command.value("-o,--output", flags.out, "FILE.onnx");
  const Flags group = command.group("Orders (the first one, small changes of it, then random ones)");
  group.values("--steps", flags.steps, type_passes);
  group.value("--count", flags.count, "N");
  add_optimizer_flag(group, flags.check.plan);
  add_repeat_flag(group, flags.check.plan);
  group.values("--accept-weak", flags.accept_weak, "OUTPUT");
  add_data_flags(command, flags.check.samples);
  add_judge_flags(command, flags.check.judge);
  add_running_flags(command, flags.check.run);
  add_output_flags(command, flags.check.output);
}

Result<OrdersArguments> resolve(const OrdersFlags& flags) {
  constexpr std::int64_t most_orders = 10'000;
  if (flags.out == "-")
    return fail(ErrorKind::usage, "-o -: a model is verified as a file, and not printed", "name a file");
  OrdersArguments arguments;
  FlagReader reader;
  CheckFlags check = flags.check;
  check.models = {flags.model};
  check.no_localize = true;
  auto resolved = resolve(check);
  if (!resolved) return tl::unexpected(resolved.error());
  arguments.request.check = std::move(resolved->request);
  arguments.printing = std::move(resolved->printing);
  reader.set(arguments.request.check.optimizer.recipe, name_list("--steps", flags.steps));
  reader.read(arguments.request.count, whole_number, "--count", flags.count, std::int64_t{1}, most_orders);
  arguments.request.out = flags.out;
  arguments.request.accept_weak = flags.accept_weak;
  return reader.result(std::move(arguments));
}

namespace {

Result<int> tell_orders(const OrdersArguments& arguments, const Caller& caller, Terminal& terminal) {
  const OrdersRequest& request = arguments.request;
  auto answer = try_orders(request, caller);
  if (!answer) return tl::unexpected(answer.error());
  const OrdersReport& report = answer->report;
  const std::string json = to_json(report);
  if (const auto ok = finish_unless_kept(answer->folder, answer->keeps_earlier, json, terminal); !ok)
    return tl::unexpected(ok.error());
  const ConsoleStyle style = style_of(arguments.printing, terminal.look(), request.check.quoted);
  const auto printed = terminal.print(
      arguments.printing.format == Format::json ? json : to_console(report, style, answer->folder.path()));
  if (!printed) return tl::unexpected(printed.error());
  if (!report.why_not.empty())
    terminal.complain(printable(request.out.string()) + " was not written: " + printable(report.why_not));
  return exit_code_of(report);
}

}  // namespace

int run_orders(const OrdersArguments& arguments, Terminal& terminal) {
  prepare_process(arguments.printing, terminal);
  TerminalListener listener(terminal);
  const auto workers = make_process_workers(own_program());
  const auto code = tell_orders(arguments, {*workers, listener}, terminal);
  if (code) return *code;
  return end_without_answer(code.error(), "interrupted: no order was judged, and no file was written", terminal);
}

}  // namespace culprit
