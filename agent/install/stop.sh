#!/bin/sh
# Stops the agent for good, before its files are removed.
set -eu
if ! command -v systemctl > /dev/null; then exit; fi
systemctl --quiet disable muster-agent.service || true
if [ -d /run/systemd/system ]; then
  # An agent that removes itself ends after this command, so it must not be waited for.
  if grep -qs muster-agent.service /proc/self/cgroup; then wait=--no-block; else wait=; fi
  systemctl $wait stop muster-agent.service || true
fi
