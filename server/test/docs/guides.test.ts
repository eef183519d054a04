import { spawn } from 'node:child_process'
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { roleNames } from '../../src/platform/roles.ts'
import { temporaryFolder } from '../database/embedded-postgres/muster.ts'
import { type Muster, startMuster } from '../end-to-end/muster.ts'
import { installDebianPackages } from '../world/debian-packages.ts'
import { repository } from '../world/service-process.ts'
import { listGuides, listUnusedExceptions, readBlocks, readCommands } from './guide-commands.ts'

// The guides use curl and jq.
installDebianPackages()

const maxMilliseconds = 120_000

test('all commands of the guides succeed, in the order of the index', { timeout: 2 * maxMilliseconds }, async () => {
  const muster = await startMuster()
  const folder = await openCheckout(muster)
  const values = await prepare(muster, folder)
  const failures: string[] = []

  for (const guide of await listGuides()) {
    const script = fill(await readCommands(guide), values)
    const { code, output } = await run(script, folder, values)
    if (code !== 0) failures.push(`${guide} ended with ${code}:\n${output.slice(-3_000)}`)
  }

  expect(failures.join('\n\n')).toBe('')
})

test('the index lists all guides', async () => {
  const files = await readdir(join(repository, 'docs/guides'))

  expect((await listGuides()).sort()).toEqual(files.sort())
})

test('every command that does not run is still in its guide', async () => {
  expect(await listUnusedExceptions()).toEqual([])
})

type Values = {
  address: string
  dataDirectory: string
  token: string
  clientId: string
  clientSecret: string
  enrolmentToken: string
}

/** A folder like a checkout of the repository in which the service runs. */
async function openCheckout({ store }: Muster): Promise<string> {
  const folder = await temporaryFolder()
  for (const name of ['package.json', 'node_modules', 'server', 'agent', 'simulator', 'examples'])
    await symlink(join(repository, name), join(folder, name))
  await mkdir(join(folder, 'data'))
  await symlink(store, join(folder, 'data/packages'))
  return folder
}

/** Creates what guides expect: a principal, computers, a catalog document and a folder with advisories. */
async function prepare(muster: Muster, folder: string): Promise<Values> {
  const groupId = await muster.group('Office')
  const computer = { domain: 'corp.example.org', isDomain: true }
  const { id } = await muster.post('/api/computer', { ...computer, name: 'pc-01', macAddress: '020000000001' })
  await muster.post('/api/computer', { ...computer, name: 'depot01', macAddress: '020000000002' })
  await muster.post(`/api/group/${groupId}/computers`, { computerIds: [id] })
  await muster.post(`/api/group/${groupId}/packages`, { packageId: await muster.importExample('inventory-scan') })
  const [catalog = ''] = await readBlocks('catalog.md', 'yaml')
  await writeFile(join(folder, 'catalog.yaml'), catalog)
  const [patches = ''] = await readBlocks('patches.md', 'json')
  await muster.write('catalogs/vendor/catalog.json', patches)
  const principal = await muster.post('/api/admin/local-principals', {
    description: 'Reader of the guides',
    roles: roleNames,
    expiresAtUtc: null,
  })
  return {
    address: muster.service.address,
    dataDirectory: muster.service.dataDirectory,
    token: muster.token,
    clientId: String(principal.clientId),
    clientSecret: String(principal.plaintextKey),
    enrolmentToken: await muster.enrolmentToken(groupId),
  }
}

/** Replaces what the reader of a guide replaces, and limits what would run until it is stopped. */
function fill(script: string, values: Values): string {
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
    ['npm run depot', 'untilReady npm run depot'],
    ['npm run simulate --', 'npm run simulate -- --set durationSeconds=1'],
  ]
  return replacements.reduce((filled, [placeholder, value]) => filled.replaceAll(placeholder, value), script)
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
  command npm "$@"
}
# Stops a program as Ctrl-C does, which job control makes possible, as soon as it is ready.
untilReady() {
  set -m
  "$@" > program.log 2>&1 &
  until grep --quiet ready program.log; do kill -0 $!; sleep; done
  kill -INT -- -$!
  wait $!
}
sleep() { command sleep 0.1; }
`

async function run(script: string, folder: string, values: Values): Promise<{ code: number | null; output: string }> {
  const bash = spawn('bash', ['-c', preamble + script], {
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
      npm_config_update_notifier: 'false',
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
