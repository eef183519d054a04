#!/bin/sh
# Fetches the lists of packages and advisories of the repositories, with the tool of the distribution: apt, dnf, yum or
# zypper. The agent then finds the missing patches and reports them.
set -eu
[ -n "${MUSTER_AGENT_COMMAND:-}" ] || { echo "This version of the package needs a newer version of the agent." >&2; exit 1; }
eval "exec $MUSTER_AGENT_COMMAND refresh-patches"
