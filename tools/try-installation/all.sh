#!/bin/bash
# Builds the packages and runs all trials of this folder one after the other, from nothing, with a service for those that need
# one. What they print is in artifacts/trials; the end of this script is a table of what has passed. README.md lists what the
# trials need.
#
#   tools/try-installation/all.sh
set -Eeuo pipefail
cd "$(dirname "$0")/../.."
PATH=$PWD/node_modules/.bin:$PATH
trials=tools/try-installation
packages=artifacts/packages
logs=artifacts/trials
data=$(mktemp -d /tmp/muster-try-XXXXXX)
service=
results=()

finish() {
  [ -z "$service" ] || kill "$service" && wait "$service" 2> /dev/null || true
  rm -rf "$data"
}
trap finish EXIT

# Runs a command and keeps its result: NAME COMMAND…
attempt() {
  local name=$1 began=$SECONDS result=passed
  shift
  echo "$name …"
  "$@" > "$logs/$name.log" 2>&1 || result=FAILED
  results+=("$(printf '%-24s %s %5d s' "$name" "$result" $((SECONDS - began)))")
}

start_service() {
  export MUSTER_URL=http://127.0.0.1:15058 MUSTER_CLIENT_ID=administrator MUSTER_CLIENT_SECRET
  MUSTER_CLIENT_SECRET=$(openssl rand -hex 24)
  MUSTER_DATA_DIR=$data MUSTER_PORT=${MUSTER_URL##*:} MUSTER_BOOTSTRAP_CLIENT_ID=$MUSTER_CLIENT_ID \
    MUSTER_BOOTSTRAP_CLIENT_SECRET=$MUSTER_CLIENT_SECRET node server/src/main.ts > "$logs/started-service.log" 2>&1 &
  service=$!
  curl --silent --output /dev/null --retry 60 --retry-all-errors --retry-delay 2 --fail "$MUSTER_URL/health/ready"
}

# The value of a property in the response to a request: PROPERTY CURL_OPTION…
request() { curl --silent --fail "${@:2}" | sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }

create_enrolment_token() {
  local access
  access=$(request access_token "$MUSTER_URL/api/auth/token" --data grant_type=client_credentials \
    --data "client_id=$MUSTER_CLIENT_ID" --data "client_secret=$MUSTER_CLIENT_SECRET")
  request token "$MUSTER_URL/api/enrolment-tokens" --header "authorization: Bearer $access" \
    --header 'content-type: application/json' --data '{"description":"Trial","expiresAtUtc":"2099-01-01T00:00:00.000Z"}'
}

mkdir -p "$logs"
attempt build npm run --silent build
attempt package npm run --silent package -- service agent cli
attempt clone $trials/clone.sh
attempt service $trials/service.sh $packages/service/muster_*_amd64.deb
attempt service-arm64 $trials/service-arm64.sh $packages/service/muster_*_arm64.deb
attempt container $trials/container.sh
attempt compose $trials/compose.sh
attempt agent $trials/agent.sh
attempt agent-from-muster node $trials/agent-from-muster.ts
attempt reproducible-builds $trials/reproducible-builds.sh
attempt start-service start_service
attempt cli $trials/cli.sh
attempt agent-arm64 $trials/agent-arm64.sh "$MUSTER_URL" "$(create_enrolment_token)"

echo
printf '%s\n' "${results[@]}"
[[ "${results[*]}" != *FAILED* ]]
