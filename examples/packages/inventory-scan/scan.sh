#!/bin/sh
set -eu
mkdir -p "${MUSTER_EXAMPLE_ROOT:?}"
uname -a > "$MUSTER_EXAMPLE_ROOT/inventory.txt"
