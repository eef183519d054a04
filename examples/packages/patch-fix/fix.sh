#!/bin/sh
# Installs exactly the patches in the file MUSTER_PATCHES, with the tool of the distribution: apt, dnf, yum or zypper. Exits
# with 1 if a patch could not be installed, and with 100 if the system needs a restart.
set -eu
[ -n "${MUSTER_AGENT_COMMAND:-}" ] || { echo "This version of the package needs a newer version of the agent." >&2; exit 1; }
eval "exec $MUSTER_AGENT_COMMAND install-patches"
