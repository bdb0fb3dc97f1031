#!/usr/bin/env bash
# Builds the guests of other languages with the public tools that their users have, into a folder under the build folder.
#
#   guest/elsewhere/build.sh [FOLDER]     default: $CARGO_TARGET_DIR/elsewhere or target/elsewhere
#
# Needs python3 3.10+ with venv; the compiler comes from PyPI. Does nothing when what is there was made of the same sources.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
wit=$(cd "$here/../../wit" && pwd)
folder=${1:-${CARGO_TARGET_DIR:-$here/../../target}/elsewhere}
step_seconds=600

fail() {
  echo "build.sh: $1" >&2
  exit 1
}

digest() {
  cat "$here/build.sh" "$here"/python/*.py "$here"/python/requirements.txt "$wit"/*.wit | sha256sum | cut -d ' ' -f 1
}

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
wanted=$(digest)
if [ "$(cat "$folder/stamp" 2>/dev/null)" = "$wanted" ]; then
  echo "$folder"
  exit 0
fi
rm -f "$folder/stamp"

command -v python3 >/dev/null 2>&1 || fail "python3 is missing: install Python 3.10 or newer with its venv module"
python3 -m venv "$folder/venv" || fail "python3 has no venv module: on Debian, install python3-venv"
timeout --kill-after=10 "$step_seconds" \
  "$folder/venv/bin/pip" install --quiet --requirement "$here/python/requirements.txt" || fail "pip could not install the compiler"

for guest in flow:workflow layer:middleware; do
  timeout --kill-after=10 "$step_seconds" \
    "$folder/venv/bin/componentize-py" --wit-path "$wit" --world "${guest#*:}" componentize --stub-wasi \
    --python-path "$here/python" "${guest%:*}" --output "$folder/python-${guest%:*}.wasm" ||
    fail "componentize-py could not build ${guest%:*}.py"
done

echo "$wanted" >"$folder/stamp"
echo "$folder"
