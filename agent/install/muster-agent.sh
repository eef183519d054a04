#!/bin/sh
# Starts the agent: the installed version, or a later one with which the agent has updated itself.
# 'run' watches a new version until that has contacted the server, and otherwise returns to the previous one. This script
# is not part of an update so that it works whatever the new version does.
set -u

installed=$(dirname "$(readlink -f "$0")")/../lib/muster-agent/muster-agent
versions=${MUSTER_AGENT_STATE:-/var/lib/muster-agent}/versions
# Links to the folder of a version. The agent replaces 'trial' by 'current' when it has contacted the server.
current=$versions/current
trial=$versions/trial
reverted=$versions/reverted
starts=$versions/starts

max_starts=3
limit_seconds=${MUSTER_AGENT_TRIAL_SECONDS:-600}

program() {
  if [ -x "$current/muster-agent" ]; then echo "$current/muster-agent"; else echo "$installed"; fi
}

take_back() {
  echo "The new version of the agent is taken back: $1"
  rm -f "$starts"
  mv -fT "$trial" "$reverted"
}

# A start counts before it happens so that a computer that crashes with the new version returns as well.
count_start() {
  count=$(($(cat "$starts" 2>/dev/null || echo 0) + 1))
  echo "$count" > "$starts.new" && mv -f "$starts.new" "$starts"
}

# The version that was started may have contacted the server and staged the next one, which then is the one on trial.
is_on_trial() { [ "$(readlink "$trial" 2>/dev/null)" = "$folder" ]; }

# Runs the version on trial. Returns only if it was taken back.
try() {
  count_start
  if [ "$count" -gt "$max_starts" ]; then
    take_back "it was started $max_starts times and has not contacted the server"
    return
  fi
  folder=$(readlink "$trial")
  MUSTER_AGENT_TRIAL=$folder "$versions/$folder/muster-agent" "$@" &
  agent=$!
  is_stopping=
  trap 'is_stopping=yes; kill -TERM "$agent" 2>/dev/null' TERM INT
  waited=0
  while is_on_trial && [ -z "$is_stopping" ] && kill -0 "$agent" 2>/dev/null; do
    if [ "$waited" -ge "$limit_seconds" ]; then
      kill -KILL "$agent" 2>/dev/null
      wait "$agent"
      take_back "it has not contacted the server within $limit_seconds seconds"
      return
    fi
    # In the background, because a signal interrupts only 'wait'.
    sleep 1 &
    wait "$!"
    waited=$((waited + 1))
  done
  # A signal interrupts 'wait' while the agent still runs.
  while :; do
    wait "$agent"
    code=$?
    kill -0 "$agent" 2>/dev/null || break
  done
  if [ -z "$is_stopping" ] && is_on_trial; then
    take_back "it has ended before it has contacted the server"
    return
  fi
  exit "$code"
}

export MUSTER_AGENT_VERSIONS="$versions"
if [ "${1-}" = run ] && [ -L "$trial" ]; then try "$@"; fi
exec "$(program)" "$@"
