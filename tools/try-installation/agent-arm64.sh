#!/bin/sh
# Runs the agent for arm64 on another machine, with qemu-user and the libraries of Debian for arm64: its version, and, with
# the address of a Muster and an enrolment token, one enrolment and one contact.
#
#   tools/try-installation/agent-arm64.sh [SERVER TOKEN]
#
# Needs root, mmdebstrap, qemu-user and the packages that 'npm run package -- agent' has built.
set -eu
agent=$(realpath "$(dirname "$0")/../../artifacts/packages/agent/muster-agent-linux-arm64")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export MUSTER_AGENT_STATE="$folder/state" MUSTER_AGENT_TOKEN="${2-}" MUSTER_AGENT_INVENTORY=off

run() { qemu-aarch64 -L "$folder/root" "$agent" "$@"; }

find /etc/apt -type f \( -name '*.list' -o -name '*.sources' \) -exec cat {} + |
  mmdebstrap --quiet --variant=extract --architectures=arm64 --include=libc6,libstdc++6,libgcc-s1 \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$folder/root" -
echo "ok: the program for arm64 runs: $(run --version)"
if [ $# -gt 0 ]; then
  run enrol --server "$1" --name arm64-trial --mac 02:00:5e:00:53:64 --uuid none
  run run --once
  run status | grep 'last contact: *20'
  echo 'ok: it has enrolled and contacted the server'
fi
