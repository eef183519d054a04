#!/bin/sh
# Removes an agent that the install script of Muster has installed. '--purge' also removes its configuration and its state.
set -eu

fail() {
  echo "The agent was not removed: $1" >&2
  exit 1
}

case "$*" in '' | --purge) ;; *) fail "the only option is --purge, not '$*'." ;; esac
[ "$(id -u)" = 0 ] || fail 'run it as root, for example with sudo.'
if dpkg-query -W -f '${Status}' muster-agent 2> /dev/null | grep -q ' installed$'; then
  fail 'it is a Debian package. Use apt remove muster-agent or apt purge muster-agent.'
fi
/usr/lib/muster-agent/stop
rm -rf /usr/bin/muster-agent /usr/lib/systemd/system/muster-agent.service /usr/share/doc/muster-agent /usr/lib/muster-agent
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
if [ "$*" = --purge ]; then rm -rf /etc/muster-agent /var/lib/muster-agent; fi
echo 'The agent is removed. Its computer stays in Muster until somebody deletes it there.'
