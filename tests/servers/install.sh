#!/usr/bin/env bash
# Installs the pinned MCP servers that the tests run against, once, into a folder under the build folder.
#
#   tests/servers/install.sh [FOLDER]     default: $CARGO_TARGET_DIR/servers or target/servers
#
# Prints the folder. A stamp with the digest of the pins is written last, so a folder with a right stamp is a whole one and
# is left alone. Callers that come at the same time wait for the first. Needs: node 18+, npm, python3 3.10+ with venv, flock.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:-${CARGO_TARGET_DIR:-$here/../../target}/servers}
lock_seconds=1800    # longer than all steps together may take, so that whoever waits outlives whoever works
step_seconds=400

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

need() {
  command -v "$1" >/dev/null 2>&1 || fail "$1 is missing: $2"
}

digest() {
  (cd "$here" && cat install.sh package.json package-lock.json .npmrc requirements.txt | sha256sum | cut -d ' ' -f 1)
}

is_whole() {
  [ "$(cat "$folder/stamp" 2>/dev/null)" = "$wanted" ] && [ -x "$folder/venv/bin/python" ]
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

need sha256sum "it is part of coreutils"
wanted=$(digest)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
if is_whole; then
  echo "$folder"
  exit 0
fi

need flock "it is part of util-linux"
need node "install Node.js 18 or newer"
need npm "it comes with Node.js"
need python3 "install Python 3.10 or newer"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || fail "python3 is older than 3.10"
python3 -c 'import venv, ensurepip' 2>/dev/null || fail "python3 has no venv module: on Debian, install python3-venv"

exec 9>"$folder/lock"
flock --wait "$lock_seconds" 9 || fail "another install has held $folder/lock for $lock_seconds s"
if is_whole; then
  echo "$folder"
  exit 0
fi

# The stamp goes before anything else does, because from here on the folder is not whole.
rm -f "$folder/stamp"
rm -rf "$folder/node_modules" "$folder/venv"
cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$folder/"
# No package may run a script of its own while it is installed; none of these needs to.
step npm npm ci --prefix "$folder" --ignore-scripts --no-progress 9>&-
step venv python3 -m venv "$folder/venv" 9>&-
step pip "$folder/venv/bin/python" -m pip install --disable-pip-version-check --no-input --no-deps \
  --requirement "$here/requirements.txt" 9>&-
step pip-check "$folder/venv/bin/python" -m pip check 9>&-

echo "$wanted" >"$folder/stamp.new"
mv "$folder/stamp.new" "$folder/stamp"
echo "$folder"
