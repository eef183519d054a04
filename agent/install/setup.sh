#!/bin/sh
# Makes the installed version of the agent the one that runs. Runs after its files have been installed or replaced.
set -eu

state=/var/lib/muster-agent
configuration=/etc/muster-agent/agent.env

has_systemd() { [ -d /run/systemd/system ]; }
is_enrolled() { grep -qs '"credential": "' "$state/identity.json"; }
has_token() { grep -qs '^MUSTER_AGENT_TOKEN=.' "$configuration"; }

chmod 600 "$configuration"
# The version that was installed last is used, even if the agent has updated itself before.
rm -f "$state/versions/trial" "$state/versions/current"
if command -v systemctl > /dev/null; then systemctl --quiet enable muster-agent.service; fi
if has_systemd; then systemctl daemon-reload; fi

if ! is_enrolled && has_token; then
  if /usr/bin/muster-agent enrol; then
    # The token has done its work, and others could use it.
    sed -i 's/^MUSTER_AGENT_TOKEN=.*/#MUSTER_AGENT_TOKEN=/' "$configuration"
  else
    echo "The computer could not be enrolled. Correct $configuration and run: muster-agent enrol" >&2
  fi
fi

if ! is_enrolled; then
  echo "The agent starts when the computer is enrolled: muster-agent enrol && systemctl start muster-agent"
elif has_systemd; then
  # Without waiting: the running agent may be the one that installs this, and it ends after its command.
  systemctl --no-block restart muster-agent.service
fi
