import type { PublicKey } from '@muster/signing'
import { type AgentPackage, findArchive, findSignedManifest } from './agent-package.ts'

export type ScriptParts = { origin: string; agent: AgentPackage; trustedKeys: readonly PublicKey[] }

/** Writes the script that installs the agent on Linux. Every value in it is an address, a hash or a key: none has a quote. */
export function buildInstallScript({ origin, agent, trustedKeys }: ScriptParts): string {
  const hashOf = (file: { sha256: string } | undefined) => file?.sha256 ?? ''
  const signed = findSignedManifest(agent)
  const values = {
    origin,
    sha256_x64: hashOf(findArchive(agent, 'x64')),
    sha256_arm64: hashOf(findArchive(agent, 'arm64')),
    keys: trustedKeys.map(({ text }) => text).join(' '),
    manifest: hashOf(signed?.manifest),
    signature: hashOf(signed?.signature),
  }
  const assignments = Object.entries(values).map(([name, value]) => `${name}='${value}'`)
  return script.replace('@VALUES@', () => assignments.join('\n'))
}

/**
 * The last line calls the functions so that a script of which only a part has arrived does nothing. The token comes from
 * the environment or from the standard input: arguments are visible to all users of the computer.
 */
const script = `#!/bin/sh
# Installs the Muster agent and enrols this computer. The token comes from the standard input or MUSTER_AGENT_TOKEN;
# the arguments are those of 'muster-agent enrol', such as --trust-key and --ca.
set -eu
@VALUES@
# The root of the system. Tests have another one.
root=\${MUSTER_INSTALL_ROOT:-}
if [ -n "$root" ]; then export MUSTER_AGENT_STATE="$root/var/lib/muster-agent"; fi
state=\${MUSTER_AGENT_STATE:-/var/lib/muster-agent}

fail() {
  echo "The agent was not installed: $1" >&2
  exit 1
}

download() {
  curl -fsSL --retry 3 \${ca:+--cacert "$ca"} -o "$folder/$2" "$origin/install/files/$1" \\
    || fail "$origin/install/files/$1 could not be downloaded."
  echo "$1  $folder/$2" | sha256sum -c - > /dev/null 2>&1 || fail "what was downloaded does not have the SHA-256 $1."
}

# minisign signs the BLAKE2b hash of a file with Ed25519, which OpenSSL 3 can verify.
is_signed_by() {
  if ! openssl pkeyutl -help 2>&1 | grep -q rawin; then
    command -v minisign > /dev/null || fail 'the signature cannot be checked. Install OpenSSL 3 or minisign.'
    minisign -V -q -P "$1" -m "$folder/manifest" -x "$folder/signature" > /dev/null 2>&1
    return
  fi
  sed -n 2p "$folder/signature" | base64 -d | tail -c 64 > "$folder/signature.raw"
  { printf '\\060\\052\\060\\005\\006\\003\\053\\145\\160\\003\\041\\000'; echo "$1" | base64 -d | tail -c 32; } > "$folder/key"
  openssl dgst -blake2b512 -binary "$folder/manifest" > "$folder/hash"
  openssl pkeyutl -verify -pubin -keyform DER -inkey "$folder/key" -rawin -in "$folder/hash" \\
    -sigfile "$folder/signature.raw" > /dev/null 2>&1
}

check_signature() {
  [ -n "$manifest" ] || fail 'the package of the agent is not signed.'
  download "$manifest" manifest
  download "$signature" signature
  grep -q '"name": *"muster-agent"' "$folder/manifest" && grep -q "\\"$sha256\\"" "$folder/manifest" \\
    || fail 'the signed manifest does not list the file.'
  for key in $keys; do
    if is_signed_by "$key"; then return; fi
  done
  fail 'none of the trusted keys has signed the agent.'
}

read_options() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --ca) ca=\${2-} ;;
      --ca=*) ca=\${1#--ca=} ;;
    esac
    shift
  done
}

is_debian_package() {
  [ -z "$root" ] && dpkg-query -W -f '\${Status}' muster-agent 2> /dev/null | grep -q ' installed$'
}

fetch_agent() {
  download "$sha256" agent.tar.gz
  if [ -n "$keys" ]; then check_signature; fi
  agent=$folder/usr/lib/muster-agent/muster-agent
  tar -xzf "$folder/agent.tar.gz" -C "$folder" ./usr/lib/muster-agent/muster-agent || fail 'it could not be unpacked.'
  "$agent" --version > /dev/null 2>&1 || fail 'it does not run on this system. It needs glibc 2.28 and libstdc++ 8.'
}

# Comes before the files are put in place so that a computer that may not enrol stays as it is.
enrol() {
  if [ -e "$state" ]; then had_state=yes; else had_state=; fi
  if MUSTER_AGENT_TOKEN=$token "$agent" enrol --server "$origin" "$@"; then return; fi
  # The agent leaves its identity if the answer of the server was lost. The next attempt needs it.
  if [ -z "$had_state" ] && [ ! -e "$state/identity.json" ]; then rm -rf "$state"; fi
  fail 'the computer could not be enrolled.'
}

install_files() {
  rm "$agent"
  # The configuration of an earlier installation stays.
  if [ -e "$root/etc/muster-agent/agent.env" ]; then kept=--exclude=./etc; else kept=; fi
  tar -xzf "$folder/agent.tar.gz" -C "$root/" --no-same-owner --no-overwrite-dir $kept \\
    || fail 'its files could not be written. The computer is enrolled: run the same command again.'
}

main() {
  ca=
  read_options "$@"
  [ "$(id -u)" = 0 ] || fail 'run it as root, for example with sudo.'
  case "$(uname -s) $(uname -m)" in
    'Linux x86_64') sha256=$sha256_x64 ;;
    'Linux aarch64' | 'Linux arm64') sha256=$sha256_arm64 ;;
    *) sha256= ;;
  esac
  [ -n "$sha256" ] || fail "there is no agent for $(uname -s) $(uname -m)."
  token=\${MUSTER_AGENT_TOKEN:-}
  if [ -z "$token" ] && [ ! -t 0 ]; then IFS= read -r token || true; fi
  [ -n "$token" ] || fail 'the enrolment token is missing on the standard input.'
  umask 022
  # Not in /tmp, where many systems forbid to run programs.
  folder=$(mktemp -d "$root/usr/lib/muster-agent.XXXXXX")
  trap 'rm -rf "$folder"' EXIT
  trap 'exit 1' HUP INT TERM
  if is_debian_package; then
    echo 'The agent is installed as a Debian package, which stays.'
    agent=/usr/bin/muster-agent
    enrol "$@"
  else
    fetch_agent
    enrol "$@"
    install_files
  fi
  "$root/usr/lib/muster-agent/setup"
}

main "$@"
`
