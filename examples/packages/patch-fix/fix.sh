#!/bin/sh
# Installs exactly the patches in the file MUSTER_PATCHES, with the tool of the distribution: apt, dnf, yum or zypper. Before that, it
# rolls back what a person has stopped with a rollback: without that line, this computer rolls nothing back, whatever the service asks
# for. Exits with 1 if a patch could not be installed, and with 100 if the system needs a restart.
set -eu
[ -n "${MUSTER_AGENT_COMMAND:-}" ] || { echo "This version of the package needs a newer version of the agent." >&2; exit 1; }
restart=0
if [ -n "${MUSTER_ROLLBACKS:-}" ]; then eval "$MUSTER_AGENT_COMMAND roll-back-patches" || restart=$?; fi
code=0
eval "$MUSTER_AGENT_COMMAND install-patches" || code=$?
# A rollback that has failed is reported by the agent, and is tried again: it does not stop the patches.
if [ "$code" = 0 ] && [ "$restart" = 100 ]; then code=100; fi
exit "$code"
