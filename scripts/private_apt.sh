# Sourced by scripts that take packages of Debian apart. Nothing of the system's own apt changes.

# sources_of TYPE SUITE: the machine's own Debian sources as deb or deb-src, of another suite if one is named.
sources_of() {
  local type=$1 suite=$2 file
  for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
    [ -e "$file" ] || continue
    case $file in
      *.sources) awk -v type="$type" -v suite="$suite" 'BEGIN { RS = ""; ORS = "\n\n" }
        { gsub(/Types:[^\n]*/, "Types: " type) } suite == "" { print; next }
        !/security/ { gsub(/Suites:[^\n]*/, "Suites: " suite); print }' "$file" ;;
      *) awk -v type="$type" -v suite="$suite" '$1 == "deb" && !/security/ { for (i = 2; i <= NF; i++) if ($i ~ /^[a-z]+:\/\//) {
             print "Types: " type "\nURIs: " $i "\nSuites: " (suite == "" ? $(i + 1) : suite)
             print "Components: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n"; if (suite != "") exit; break } }' "$file" ;;
    esac
    return
  done
  return 1
}

# private_apt FOLDER TYPE SUITE COMMAND...: what apt-get downloads lies in FOLDER/download afterwards.
private_apt() {
  local folder=$1 type=$2 suite=$3
  shift 3
  rm -rf "$folder/apt"
  mkdir -p "$folder"/apt/{lists/partial,cache/archives/partial,sources} "$folder/download"
  : >"$folder/apt/status"
  sources_of "$type" "$suite" >"$folder/apt/sources/debian.sources" || return 1
  local options=(-qq -o APT::Sandbox::User="$(id -un)" -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/apt/sources"
    -o Dir::State::lists="$folder/apt/lists" -o Dir::State::status="$folder/apt/status" -o Dir::Cache="$folder/apt/cache")
  apt-get "${options[@]}" update && (cd "$folder/download" && apt-get "${options[@]}" "$@" >/dev/null)
}
