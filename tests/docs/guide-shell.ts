import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileCache } from '../../server/test/world/compile-cache.ts'

const maxMilliseconds = 120_000

/** What the readers of the guides have, and the guides cannot know. */
export type GuideValues = {
  address: string
  dataDirectory: string
  token: string
  clientId: string
  clientSecret: string
  enrolmentToken: string
}

/** Replaces what the reader of a guide replaces, and limits what would run until it is stopped. */
export function fillPlaceholders(script: string, values: GuideValues): string {
  const replacements: [string, string][] = [
    ['http://127.0.0.1:5057', values.address],
    ['http://127.0.0.1:5058', values.address],
    ['https://muster.example.org', values.address],
    ['CLIENT_ID=…', `CLIENT_ID=${values.clientId}`],
    ['CLIENT_SECRET=…', `CLIENT_SECRET=${values.clientSecret}`],
    ['TOKEN=…', `TOKEN=${values.token}`],
    ['enrol-…', values.enrolmentToken],
    [
      'depot-17.…',
      '$(curl -s -X POST "$MUSTER/api/depots/$DEPOT/credential" -H "Authorization: Bearer $TOKEN" | jq -r .credential)',
    ],
    ['/safe/place', '.'],
    // The database is in use.
    ['npm run restore --', 'npm run restore -- --force'],
    // Of Node and npm, only npm waits until a program has ended after Ctrl-C.
    ['npm run depot', 'untilReady command npm run depot'],
    ['npm run simulate --', 'npm run simulate -- --set durationSeconds=1'],
  ]
  const filled = replacements.reduce((text, [placeholder, value]) => text.replaceAll(placeholder, value), script)
  // Some day, the expiry times in the guides are in the past.
  return filled.replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, new Date(Date.now() + 3_600_000).toISOString())
}

/** A failed request, and a filter that finds nothing, fail the script. */
const preamble = `
set -Eeuo pipefail; shopt -s inherit_errexit
trap 'echo "This command failed: $BASH_COMMAND" >&2' ERR
curl() { command curl --fail-with-body "$@"; }
jq() { command jq --exit-status "$@"; }
npm() {
  # The agent of the guide agent.md. This machine also has the one of first-deployment.md.
  if [[ "$*" == 'run agent -- enrol'* && "$*" != *--state* ]]; then
    set -- "$@" --name pc-01 --domain corp.example.org --uuid none --mac 02:00:00:00:00:01
  fi
  if [[ "$*" == 'run agent --'* && "$*" != *--state* ]]; then set -- "$@" --state ./agent-of-pc-01; fi
  case "$1" in
    start) runScript start ;;
    run) shift; [[ $1 == -s || $1 == --silent ]] && shift; runScript "$@" ;;
    *) command npm "$@" ;;
  esac
}
# Runs the script of package.json without the half second that npm takes.
runScript() {
  local script=\${scripts[$1]}
  shift
  [[ \${1-} == -- ]] && shift
  PATH="$PWD/node_modules/.bin:$PATH" bash -c "$script \\"\\$@\\"" bash "$@"
}
muster-agent() { npm run agent -- "$@"; }
# Stops a program as Ctrl-C does, which job control makes possible, as soon as it is ready.
untilReady() {
  set -m
  "$@" > program.log 2>&1 &
  until grep --quiet ready program.log; do
    kill -0 $! || { cat program.log; false; }
    sleep
  done
  kill -INT -- -$!
  wait $!
}
sleep() { command sleep 0.1; }
`

/** The scripts of package.json as an array of bash. */
async function declareScripts(folder: string): Promise<string> {
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const entries = Object.entries<string>(scripts).map(([name, script]) => `[${quote(name)}]=${quote(script)}`)
  return `declare -A scripts=(${entries.join(' ')})\n`
}

/** Runs the commands with bash, as a reader of the guides does who has set the variables of their index. */
export async function runCommands(
  script: string,
  folder: string,
  values: GuideValues,
): Promise<{ code: number | null; output: string }> {
  const bash = spawn('bash', ['-c', (await declareScripts(folder)) + preamble + script], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: maxMilliseconds,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      MUSTER: values.address,
      TOKEN: values.token,
      MUSTER_DATA_DIR: values.dataDirectory,
      MUSTER_PORT: '0',
      // Readers type it.
      MUSTER_SIGN_PASSPHRASE: 'a passphrase',
      npm_config_update_notifier: 'false',
      ...compileCache,
    },
  })
  let output = ''
  for (const stream of [bash.stdout, bash.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const code = await new Promise<number | null>((resolve) => bash.once('close', resolve))
  return { code, output }
}
