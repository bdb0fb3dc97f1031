#!/usr/bin/env bash
# Builds the guests of other languages with the public tools that their users have, into a folder under the build folder.
#
#   guest/elsewhere/build.sh [LANGUAGE [FOLDER]]
#
# LANGUAGE is javascript, python or all, which is the default; FOLDER is $CARGO_TARGET_DIR/elsewhere or target/elsewhere. Prints the
# folder. A stamp with the digest of what something was made of is written last, so what has a right stamp is left alone.
# Callers that come at the same time wait for the first. Needs flock, for JavaScript node 18+ and npm, for Python python3 3.10+ with
# venv. The guests in C are built with the tests.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
wit=$(cd "$here/../../wit" && pwd)
languages=${1:-all}
folder=${2:-${CARGO_TARGET_DIR:-$here/../../target}/elsewhere}
lock_seconds=1200    # longer than all steps of a language together may take, so that whoever waits outlives whoever works
step_seconds=300
guests=(flow:workflow layer:middleware)

fail() {
  echo "build.sh: $1" >&2
  exit 1
}

need() {
  command -v "$1" >/dev/null 2>&1 || fail "$1 is missing: $2"
}

# Runs one step with a time limit and its output in a file, and shows the end of that file when the step fails.
step() {
  local name=$1
  shift
  if ! timeout --kill-after=10 "$step_seconds" "$@" </dev/null >"$folder/$name.log" 2>&1; then
    tail -n 30 "$folder/$name.log" >&2
    fail "'$name' failed or took over $step_seconds s; its whole output is in $folder/$name.log"
  fi
}

# Does a piece of work, a function of that name, unless it was last done with the same files.
once() {
  local work=$1 stamp=$folder/$1.stamp wanted
  shift
  wanted=$(cat "$@" | sha256sum)
  [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && return
  rm -f "$stamp"
  "$work"
  echo "$wanted" >"$stamp.new"
  mv "$stamp.new" "$stamp"
}

install_javascript() {
  need node "install Node.js 18 or newer"
  need npm "it comes with Node.js"
  mkdir -p "$folder/npm"
  cp "$here"/javascript/{package.json,package-lock.json,.npmrc} "$folder/npm/"
  # No package may run a script of its own while it is installed; none of these needs to.
  step npm npm ci --prefix "$folder/npm" --ignore-scripts --no-progress
}

build_javascript() {
  need node "install Node.js 18 or newer"
  rm -rf "$folder/wit"
  mkdir "$folder/wit"
  cp "$wit"/*.wit "$folder/wit/"
  sed 's/: async func(connection/: func(connection/' "$wit/tools.wit" >"$folder/wit/tools.wit"
  for guest in "${guests[@]}"; do
    local name=${guest%:*} made=$folder/javascript-${guest%:*}.wasm
    step "javascript-$name" "$folder/npm/node_modules/.bin/componentize-qjs" --wit "$folder/wit" --world "${guest#*:}" \
      --js "$here/javascript/$name.mjs" --stub-wasi --opt-size --output "$made"
    step "javascript-$name-async" node "$here/javascript/make-async.mjs" "$made"
  done
}

install_python() {
  need python3 "install Python 3.10 or newer"
  python3 -c 'import venv, ensurepip' 2>/dev/null || fail "python3 has no venv module: on Debian, install python3-venv"
  rm -rf "$folder/venv"
  step venv python3 -m venv "$folder/venv"
  step pip "$folder/venv/bin/python" -m pip install --disable-pip-version-check --no-input \
    --requirement "$here/python/requirements.txt"
}

build_python() {
  for guest in "${guests[@]}"; do
    local name=${guest%:*}
    step "python-$name" "$folder/venv/bin/componentize-py" --wit-path "$wit" --world "${guest#*:}" componentize --stub-wasi \
      --python-path "$here/python" "$name" --output "$folder/python-$name.wasm"
  done
}

make_javascript() {
  once install_javascript "$here/build.sh" "$here"/javascript/{package.json,package-lock.json,.npmrc}
  once build_javascript "$folder/install_javascript.stamp" "$here"/javascript/*.mjs "$wit"/*.wit
}

make_python() {
  once install_python "$here/build.sh" "$here/python/requirements.txt"
  once build_python "$folder/install_python.stamp" "$here"/python/*.py "$wit"/*.wit
}

case $languages in
all) languages="javascript python" ;;
javascript | python) ;;
*) fail "there is no language '$languages' here: javascript, python or all" ;;
esac
need sha256sum "it is part of coreutils"
need timeout "it is part of coreutils"
need flock "it is part of util-linux"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
for language in $languages; do
  exec 9>"$folder/$language.lock"
  flock --wait "$lock_seconds" 9 || fail "another build has held $folder/$language.lock for $lock_seconds s"
  "make_$language" 9>&-
  exec 9>&-
done
echo "$folder"
