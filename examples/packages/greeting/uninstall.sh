#!/bin/sh
set -eu
rm -rf "${MUSTER_EXAMPLE_ROOT:?}/greeting"
