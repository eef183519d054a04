import { access, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentProgram } from '../../agent/test/agent-bundle.ts'
import { type Program, programs } from '../../server/src/installation/files.ts'
import { roleNames } from '../../server/src/platform/roles.ts'
import { temporaryFolder } from '../../server/test/database/embedded-postgres/muster.ts'
import { bundledProgram } from '../../server/test/world/programs.ts'
import { repository } from '../../server/test/world/service-process.ts'
import { type Muster, startMuster } from '../../server/test/world/start-muster.ts'
import { installDebianPackages } from '../../tools/debian-packages.ts'
import { bundledCommand } from '../world/bundled-command.ts'
import { listGuides, listUnusedExceptions, readBlocks, readCommands } from './guide-commands.ts'
import { fillPlaceholders, type GuideValues, runCommands } from './guide-shell.ts'

// The guides use curl and jq.
installDebianPackages()

const timeout = 240_000

test('all commands of the guides succeed, in the order of the index', { timeout }, async () => {
  const muster = await startMuster()
  const folder = await openCheckout(muster)
  const values = await prepare(muster, folder)
  const failures: string[] = []

  for (const guide of await listGuides()) {
    const script = fillPlaceholders(await readCommands(guide), values)
    const { code, output } = await runCommands(script, folder, values)
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

/** A folder like a checkout of the repository in which the service runs. */
async function openCheckout({ store }: Muster): Promise<string> {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: await scriptsWithBundles() }))
  for (const name of ['node_modules', 'server', 'agent', 'simulator', 'client', 'cli', 'examples'])
    await symlink(join(repository, name), join(folder, name))
  await mkdir(join(folder, 'data'))
  await symlink(store, join(folder, 'data/packages'))
  return folder
}

/**
 * The scripts of package.json with the bundle of each program in place of its sources, which would take four times as long to
 * start. The guides start about sixty programs.
 */
async function scriptsWithBundles(): Promise<Record<string, string>> {
  const bundles = new Map([
    ['cli/src/main.ts', await bundledCommand()],
    ['agent/src/main.ts', agentProgram],
    ...programs.map((program: Program) => [`server/src/${program}.ts`, bundledProgram(program)] as const),
  ])
  const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'))
  const bundled = Object.entries<string>(scripts).map(async ([name, script]) => {
    const [source = ''] = /\b[\w/-]+\/src\/[\w/-]+\.ts\b/.exec(script) ?? []
    // The bundle hides whether the script names a file that exists.
    if (source) await access(join(repository, source))
    return [name, script.replace(source, bundles.get(source) ?? source)]
  })
  return Object.fromEntries(await Promise.all(bundled))
}

/** Creates what guides expect: a principal, computers, a catalog document and a folder with advisories. */
async function prepare(muster: Muster, folder: string): Promise<GuideValues> {
  const groupId = await muster.group('Office')
  const computer = { domain: 'corp.example.org', isDomain: true }
  const { id } = await muster.post('/api/computer', { ...computer, name: 'pc-01', macAddress: '020000000001' })
  await muster.post('/api/computer', { ...computer, name: 'depot01', macAddress: '020000000002' })
  await muster.post(`/api/group/${groupId}/computers`, { computerIds: [id] })
  await muster.post(`/api/group/${groupId}/packages`, { packageId: await muster.importExample('inventory-scan') })
  const catalog = (await readBlocks('catalog.md', 'yaml')).at(-1) ?? ''
  await writeFile(join(folder, 'catalog.yaml'), catalog)
  const [patches = ''] = await readBlocks('patches.md', 'json')
  await muster.write('catalogs/vendor/catalog.json', patches)
  const [advisory = ''] = await readBlocks('vulnerabilities.md', 'json')
  await muster.write('advisories/example/CVE-2026-12345.json', advisory)
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
