"""Writes the texts of a data set as lines of JSON, with the Python package `datasets`; nothing of the data is run.

    python load_texts.py SETTINGS.json LINES.jsonl TOLD.json

SETTINGS has `kind` ("hub", "saved", "parquet" or "arrow"); of the hub `name`, `revision` and `config`, else `path`;
`split` ("": the usual one); `columns`, those that are written; `classes`, those of them that may be labels; `most_bytes`
of LINES; `offline`, which asks no network. A line of LINES is a row; classes are written by their names. TOLD has
`split`, `columns` (all that there are) and `classes` (the names of the classes, by their numbers). If nothing can be
done, TOLD is {"cannot": why}, {"refused": what was asked for wrongly} or {"lacks": package}.
"""
import json
import os
import re
import sys

# Readers of the package that only parse. Others load libraries, or files of other kinds.
READERS = {"parquet", "arrow", "json", "csv", "text", "cache"}
PLAIN = {"Value", "ClassLabel", "Sequence", "List", "LargeList"}
USUAL_FILES = {"train", "test", "validation", "valid", "val", "dev", "eval"}
FIRST_SAFE = 4  # versions before it run scripts of data sets


class GivenUp(Exception):
    def __init__(self, **told):
        super().__init__()
        self.told = told


def package():
    try:
        import datasets
    except ImportError as error:
        # A package that it needs may be the one that is missing.
        raise GivenUp(lacks=error.name or "datasets")
    if int(datasets.__version__.split(".")[0]) < FIRST_SAFE:
        raise GivenUp(lacks=f"datasets {FIRST_SAFE}.0 or newer (it has {datasets.__version__}, which may run code of data sets)")
    datasets.disable_progress_bars()
    datasets.logging.set_verbosity_error()
    return datasets


def chosen(splits, wanted):
    splits = [str(split) for split in splits]
    if not splits:
        raise GivenUp(cannot="it has no splits")
    known = ", ".join(splits)
    if wanted and wanted not in splits:
        raise GivenUp(refused=f"there is no split '{wanted}'; it has {known}" if known else "it has no splits to choose from")
    if not wanted and len(splits) == 1:
        return splits[0]
    usual = next((split for split in ([wanted] if wanted else ["test", "validation"]) if split in splits), None)
    if usual is None:
        raise GivenUp(refused=f"its split has to be chosen: {known}")
    return usual


def hub_builder(datasets, name, config, revision):
    try:
        return datasets.load_dataset_builder(name, config, revision=revision)
    except ValueError as error:  # no such configuration, or none is named: the package's message is a page
        try:
            configs = datasets.get_dataset_config_names(name, revision=revision)
        except Exception:
            raise error
        if config in configs or (config is None and len(configs) < 2):
            raise error
        what = "its configuration has to be chosen" if config is None else f"there is no configuration '{config}'"
        raise GivenUp(refused=f"{what}: {', '.join(configs)}", flag="config")


def of_hub(datasets, settings):
    name, config, revision = settings["name"], settings["config"], settings["revision"]
    from datasets import packaged_modules

    if name in packaged_modules._PACKAGED_DATASETS_MODULES:
        raise GivenUp(refused=f"'{name}' is a reader of the package datasets, and no data set")
    builder = hub_builder(datasets, name, config, revision)
    place = type(builder).__module__ if type(builder).__module__.startswith("datasets.packaged_modules.") else ""
    origin = next((base.__module__ for base in type(builder).__mro__ if base.__module__.startswith("datasets.packaged_modules.")), place)
    if origin.split(".")[-1] not in READERS:
        raise GivenUp(cannot=f"its files are read by '{origin.split('.')[-1] or type(builder).__module__}', which is not used for texts")
    splits = builder.info.splits or datasets.get_dataset_split_names(name, config, revision=revision)
    split = chosen(splits, settings["split"])
    return datasets.load_dataset(name, config, split=split, revision=revision), split


def listed_in(path, key):
    """A list in a file of JSON of which nothing is believed."""
    with open(path, encoding="utf-8") as file:
        told = json.load(file)
    listed = told.get(key) if isinstance(told, dict) else None
    if not isinstance(listed, list):
        raise GivenUp(cannot=f"{os.path.basename(path)} has no list '{key}'")
    return listed


def expect_plain(name):
    """Names a file or folder right there, and none elsewhere."""
    if not isinstance(name, str) or os.path.basename(name) != name or name in ("", ".", ".."):
        raise GivenUp(cannot=f"it names a file outside its folder: {name!r}")
    return name


def of_saved(datasets, settings):
    os.symlink(settings["path"], "data")  # under a name that means nothing to the package
    folder, split = "data", None
    if os.path.isfile("data/dataset_dict.json"):
        split = chosen([expect_plain(name) for name in listed_in("data/dataset_dict.json", "splits")], settings["split"])
        folder = f"data/{split}"
    for file in listed_in(f"{folder}/state.json", "_data_files"):
        expect_plain(file.get("filename") if isinstance(file, dict) else None)
    dataset = datasets.Dataset.load_from_disk(folder).with_format(None)
    if split is None:
        split = chosen([dataset.split or ""], settings["split"])
    return dataset, split


def files_by_split(names):
    """test-00000-of-00002.parquet and test.parquet tell their split; if one file tells none, all are one."""
    splits = {}
    for name in names:
        stem, shard = re.fullmatch(r"(.*?)(-\d{5,}-of-\d{5,}.*)?\.\w+", name, re.DOTALL).groups()
        if stem == "data" or (not shard and stem not in USUAL_FILES):  # data-00000-of-00001.arrow: a saved folder's
            return {"": names}
        splits.setdefault(stem, []).append(name)
    return splits


def of_files(datasets, settings):
    folder, names = settings["path"], []
    if os.path.isdir(folder):
        names = sorted(name for name in os.listdir(folder) if name.lower().endswith(".parquet"))
    else:
        folder, name = os.path.split(folder)
        names = [name]
    splits = files_by_split(names)
    split = chosen(splits, settings["split"])
    os.mkdir("data")
    files = []
    for number, name in enumerate(splits[split]):  # under names that mean nothing to the package
        files.append(f"data/{number:06}.{settings['kind']}")
        os.symlink(os.path.join(folder, name), files[-1])
    dataset = datasets.load_dataset(settings["kind"], data_files={"train": files}, split="train", streaming=True)
    return (dataset if dataset.features else dataset._resolve_features()), split


def is_plain(feature):
    """Holds texts and numbers alone: no picture or sound that would be decoded."""
    if isinstance(feature, dict):
        return all(is_plain(part) for part in feature.values())
    if isinstance(feature, (list, tuple)):
        return all(is_plain(part) for part in feature)
    inner = getattr(feature, "feature", None)
    return type(feature).__name__ in PLAIN and (inner is None or is_plain(inner))


def name_of(names, number):
    return names[number] if number is not None and 0 <= number < len(names) else None


def write_lines(dataset, settings, lines):
    features = dataset.features or {}
    columns = [column for column in features if column in settings["columns"] and is_plain(features[column])]
    classes = {column: features[column].names for column in columns if type(features[column]).__name__ == "ClassLabel"}
    left = settings["most_bytes"]
    rows = dataset.select_columns(columns) if columns else dataset.select_columns(list(features)[:1])
    with open(lines, "w", encoding="utf-8") as file:
        for row in rows:
            row = {column: row[column] for column in columns}
            for column, names in classes.items():
                row[column] = name_of(names, row[column])
            line = json.dumps(row, ensure_ascii=False, default=str) + "\n"
            left -= len(line.encode("utf-8"))
            if left < 0:
                raise GivenUp(cannot=f"its texts have more than {settings['most_bytes'] >> 20} MiB")
            file.write(line)
    label = next((column for column in settings["classes"] if column in columns), None)
    return {"columns": list(features), "classes": classes.get(label, [])}


def reason_of(error, settings):
    """What the package says. Why nobody answered it does not say, so that is asked once more."""
    told = " ".join(str(error).split())[:500] or type(error).__name__
    if settings["kind"] != "hub" or settings["offline"] or not isinstance(error, ConnectionError):
        return told
    import urllib.error
    import urllib.request

    from datasets import config

    endpoint = config.HF_ENDPOINT
    try:
        urllib.request.urlopen(endpoint, timeout=10).close()
    except urllib.error.HTTPError:
        pass  # somebody answers
    except Exception as reason:
        told += f"; {endpoint}: {getattr(reason, 'reason', reason)}"
    return told


def told_of(settings, lines):
    if settings["offline"]:
        os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("HF_UPDATE_DOWNLOAD_COUNTS", "0")
    datasets = package()
    load = {"hub": of_hub, "saved": of_saved}.get(settings["kind"], of_files)
    dataset, split = load(datasets, settings)
    return {"split": split, **write_lines(dataset, settings, lines)}


def main(settings_file, lines, told_file):
    with open(settings_file, encoding="utf-8") as file:
        settings = json.load(file)
    try:
        told, status = told_of(settings, lines), 0
    except GivenUp as given_up:
        told, status = given_up.told, 1
    except Exception as error:  # whatever the package says
        told, status = {"cannot": reason_of(error, settings)}, 1
    with open(told_file, "w", encoding="utf-8") as file:
        json.dump(told, file)
    sys.exit(status)


if __name__ == "__main__":
    main(*sys.argv[1:])
