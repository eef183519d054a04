#!/bin/sh
# Installs the greeting. With --keep-name it updates the greeting and keeps the name of the person to greet.
set -eu
target="${MUSTER_EXAMPLE_ROOT:-/opt/muster-examples}/greeting"
mkdir -p "$target"
if [ "${1:-}" != --keep-name ] || [ ! -f "$target/name" ]; then echo World > "$target/name"; fi
cp greeting.txt "$target/greeting.txt"
echo 1.2.0 > "$target/version"
