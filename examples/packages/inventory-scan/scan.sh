#!/bin/sh
set -eu
root="${MUSTER_EXAMPLE_ROOT:-/opt/muster-examples}"
mkdir -p "$root"
uname -a > "$root/inventory.txt"
