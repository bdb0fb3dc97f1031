#!/usr/bin/env bash
# Installs the `wac` command, which the tests compose a stack with, and prints where it is.
#
#   tests/wac.sh FOLDER     it will be FOLDER/bin/wac
#
# Builds it from the Rust registry with the dependencies that it was published with, without its client of a package registry, which
# nothing here uses, and unoptimised, which takes a third of the time. Does nothing when that version is there.
set -euo pipefail

# The version whose libraries the host composes with.
version=0.12.0
folder=${1:?usage: tests/wac.sh FOLDER}
wac=$folder/bin/wac

mkdir -p "$folder"
# Tests run side by side.
exec 9>"$folder/lock"
flock 9
if [ "$("$wac" --version 2>/dev/null)" != "wac-cli $version" ]; then
  # Not the flags, target and folder of an outer cargo.
  env -u RUSTFLAGS -u CARGO_TARGET_DIR -u CARGO_BUILD_TARGET -u CARGO_BUILD_TARGET_DIR \
    "${CARGO:-cargo}" install wac-cli --version "$version" --locked --no-default-features --debug --force \
    --root "$folder" --target-dir "$folder/build" >&2 || {
    echo "wac.sh: wac-cli $version could not be installed" >&2
    exit 1
  }
  rm -rf "$folder/build"
fi
echo "$wac"
