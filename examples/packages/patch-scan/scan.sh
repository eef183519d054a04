#!/bin/sh
set -eu
mkdir -p "${MUSTER_EXAMPLE_ROOT:?}"
echo "nothing is missing" > "$MUSTER_EXAMPLE_ROOT/patches.txt"
