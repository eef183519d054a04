import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { advisoryLocks } from '../src/database/advisory-locks.ts'
import { allowedImports } from './allowed-imports.ts'

const source = join(import.meta.dirname, '../src')
const repository = join(source, '../..')

type Import = { from: string; to: string }

const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(([, path = '']) => path)

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

/** Every import of one file of src by another, as paths below src. */
const imports: Import[] = filesBelow(source).flatMap((from) =>
  importsOf(join(source, from))
    .filter((path) => path.startsWith('.'))
    .map((path) => ({ from, to: relative(source, join(dirname(join(source, from)), path)) })),
)

/** The folder whose rules a file follows: a feature or channel, otherwise the first folder; '.' for the start-up files. */
function moduleOf(path: string): string {
  const [first = '', second = '', third] = path.split('/')
  if (first === 'features' || first === 'channels') return third === undefined ? first : `${first}/${second}`
  return second === '' ? '.' : first
}

/** Files that put the parts together and may import everything. */
const composes = (path: string) => ['.', 'features', 'channels'].includes(moduleOf(path))

const crossings = imports.filter(
  ({ from, to }) => !composes(from) && moduleOf(from) !== moduleOf(to) && !to.startsWith('..'),
)

describe('imports in server/src', () => {
  test('a folder imports only from the folders that it is allowed to', () => {
    const forbidden = crossings.filter(({ from, to }) => !allowedImports[moduleOf(from)]?.includes(moduleOf(to)))

    expect(crossings.length).toBeGreaterThan(1_000)
    expect(forbidden.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
  })

  test('every allowance is needed', () => {
    const used = new Set(crossings.map(({ from, to }) => `${moduleOf(from)} → ${moduleOf(to)}`))
    const allowed = Object.entries(allowedImports).flatMap(([from, to]) => to.map((other) => `${from} → ${other}`))

    expect(allowed.filter((edge) => !used.has(edge))).toEqual([])
  })

  test('the allowed imports form no cycle', () => {
    const open = new Map(Object.entries(allowedImports))
    for (let closed = -1; closed !== 0; ) {
      const leaves = [...open].filter(([, others]) => !others.some((other) => open.has(other)))
      for (const [name] of leaves) open.delete(name)
      closed = leaves.length
    }

    expect([...open.keys()]).toEqual([])
  })

  test('of the operations of a feature, others import only schemas and problems', () => {
    const isOperation = (path: string) => /^features\/[^/]+\/api\//.test(path) && !/(schemas|problems)\.ts$/.test(path)

    expect(crossings.filter(({ to }) => isOperation(to))).toEqual([])
  })

  test('only start-up imports the jobs of a feature', () => {
    expect(crossings.filter(({ to }) => /^features\/[^/]+\/jobs\//.test(to))).toEqual([])
  })

  test('no feature reaches the pool: the handle of an operation is its transaction', () => {
    const reachesPool = ({ from, to }: Import) =>
      to === 'database/open-database.ts' ||
      (to === 'database/connect.ts' &&
        !/import type \{[^}]*\} from '[./]*database\/connect\.ts'/.test(readFileSync(join(source, from), 'utf8')))

    expect(imports.filter(({ from }) => from.startsWith('features/')).filter(reachesPool)).toEqual([])
  })
})

test('no folder of server/src has more than 25 files at one level', () => {
  const sizes = Map.groupBy(filesBelow(source), (file) => dirname(file))
  const crowded = [...sizes].filter(([, files]) => files.length > 25).map(([folder, files]) => [folder, files.length])

  expect(crowded).toEqual([])
})

test('keys of advisory locks are written in one file, except that of the group trees, which SQL functions take', () => {
  const keys = (text: string) => (text.match(/\b5_?057_?0\d\d\b/g) ?? []).map((key) => Number(key.replaceAll('_', '')))
  const inCode = filesBelow(source)
    .filter((file) => file !== 'database/advisory-locks.ts')
    .filter((file) => keys(readFileSync(join(source, file), 'utf8')).length > 0)
  const migrations = join(source, '../migrations')
  const inSql = readdirSync(migrations).flatMap((file) => keys(readFileSync(join(migrations, file), 'utf8')))

  expect(inCode).toEqual([])
  expect(new Set(inSql)).toEqual(new Set([advisoryLocks.groupTrees]))
  expect(new Set(Object.values(advisoryLocks)).size).toBe(Object.keys(advisoryLocks).length)
})

describe('programs', () => {
  /** Imports of one program by another, each with its reason. */
  const allowedCrossings = new Set([
    // Types only: the protocol has one description.
    'simulator/src/protocol.ts → agent/src/protocol-types.ts',
    // The simulator and the demo use the client, like programs of others.
    'simulator/demo/api.ts → @muster/client',
    'simulator/src/main.ts → @muster/client',
    'simulator/src/service-api.ts → @muster/client',
    'simulator/src/service-figures.ts → @muster/client',
    // The command signs what the service verifies.
    'cli/src/signing.ts → server/src/cli/signing/key-files.ts',
    'cli/src/signing.ts → server/src/cli/signing/sign-package.ts',
    'cli/src/signing.ts → server/src/cli/signing/signing-error.ts',
    // Files of a desired state have one implementation, which uses the client.
    'cli/src/catalog/desired-state.ts → server/src/cli/catalog/service-client.ts',
    'cli/src/catalog/desired-state.ts → server/src/cli/catalog/state-commands.ts',
    'cli/src/catalog/desired-state.ts → server/src/cli/catalog/state-path.ts',
    'server/src/cli/catalog/call-about.ts → @muster/client',
    'server/src/cli/catalog/describe-problem.ts → @muster/client',
    'server/src/cli/catalog/service-client.ts → @muster/client',
    // The demo writes its past into the database.
    'simulator/demo/database.ts → server/src/database/connect.ts',
    'simulator/demo/database.ts → server/src/database/open-for-command.ts',
    'simulator/demo/database.ts → server/src/features/fleet-history/record-history.ts',
    'simulator/demo/database.ts → server/src/features/issues/fleet-statistics.ts',
    'simulator/demo/database.ts → server/src/platform/configuration.ts',
    // Tests of the client and of the command line run them in the process of the service.
    'server/test/client/client-world.ts → @muster/client',
    'server/test/command-line/outcomes.test.ts → @muster/client',
    'server/test/client/client.test.ts → @muster/client',
    'server/test/client/retries.test.ts → @muster/client',
    'server/test/command-line/api.test.ts → cli/src/api/document.ts',
    'server/test/command-line/api.test.ts → cli/src/api/request.ts',
    'server/test/command-line/api.test.ts → cli/src/commands/index.ts',
    'server/test/command-line/completion.test.ts → cli/src/commands/index.ts',
    'server/test/command-line/shells.ts → cli/tools/build.ts',
    'server/test/command-line/help.test.ts → cli/src/commands/index.ts',
    'server/test/command-line/help.test.ts → cli/tools/build.ts',
    'server/test/packaging/sbom.test.ts → cli/tools/build.ts',
    'server/test/command-line/muster-command.ts → cli/src/commands/index.ts',
    'server/test/command-line/muster-command.ts → cli/src/run.ts',
    'server/test/command-line/muster-command.ts → cli/src/terminal.ts',
    // Tests and benchmarks use the data set of the demo and the computers of the simulator.
    'server/test/world/demo-fleet.ts → simulator/demo/api.ts',
    'server/test/world/demo-fleet.ts → simulator/demo/data-set.ts',
    'server/test/world/demo-fleet.ts → simulator/demo/database.ts',
    'server/test/world/demo-fleet.ts → simulator/demo/signing.ts',
    // The agent verifies what the sign command signs.
    'agent/test/signed.ts → server/src/cli/signing/key-list.ts',
    'agent/test/signed.ts → server/src/cli/signing/secret-key.ts',
    'agent/test/signed.ts → server/src/cli/signing/sign-content.ts',
    // The list of settings contains those that the agent supports.
    'server/test/settings/list-settings.ts → agent/src/state/settings.ts',
    'server/bench/simulated-computers.ts → simulator/src/report.ts',
    'server/bench/inventories.ts → simulator/src/machines/inventory.ts',
    'server/bench/inventories.ts → simulator/src/machines/machine.ts',
    'server/bench/inventories.ts → simulator/src/scenario.ts',
    'server/test/demo/tour.ts → simulator/demo/api.ts',
    'server/tools/take-screenshots.ts → simulator/demo/api.ts',
    'server/test/pages/computer.test.ts → simulator/src/scenario.ts',
    'server/test/pages/computer.test.ts → simulator/src/simulation.ts',
    'server/test/pages/groups-world.ts → simulator/src/scenario.ts',
    'server/test/pages/groups-world.ts → simulator/src/simulation.ts',
    // The agent and the simulator send Windows computers alike.
    'server/test/end-to-end/agents.ts → agent/test/agent-bundle.ts',
    'server/test/inventory/windows-sections.test.ts → agent/src/inventory/collect.ts',
    'server/test/inventory/windows-sections.test.ts → agent/src/platform/windows/inventory/sections.ts',
    'server/test/inventory/windows-sections.test.ts → agent/src/platform/windows/patches/scanned-patches.ts',
    'server/test/inventory/windows-sections.test.ts → agent/test/windows/recorded-access.ts',
    'server/test/inventory/windows-sections.test.ts → agent/test/windows/recorded-laptop.ts',
    'server/test/inventory/windows-sections.test.ts → agent/test/windows/recorded-updates.ts',
    'server/test/inventory/windows-sections.test.ts → agent/test/windows/recorded-wine.ts',
    'server/test/inventory/windows-sections.test.ts → simulator/src/machines/inventory.ts',
    'server/test/inventory/windows-sections.test.ts → simulator/src/machines/machine.ts',
    'server/test/inventory/windows-sections.test.ts → simulator/src/machines/patches.ts',
    // The agent for Windows runs under Wine, with a real service and with the server of the tests of the agent.
    'agent/test/windows/wine.ts → server/test/world/debian-packages.ts',
    'server/test/windows-agent/installer-for-wine.ts → agent/test/windows/wine.ts',
    'server/test/windows-agent/installer.ts → agent/test/windows/wine.ts',
    'server/test/windows-agent/inventory-tests.ts → agent/test/windows/wine.ts',
    'server/test/windows-agent/msi-packages.ts → agent/test/given-work.ts',
    'server/test/windows-agent/msi-packages.ts → agent/test/shared/agent-kind.ts',
    'server/test/windows-agent/user-tests.ts → agent/test/shared/agent-kind.ts',
    'server/test/windows-agent/user-tests.ts → agent/test/shared/power.ts',
    'server/test/windows-agent/user-tests.ts → agent/test/windows/native-calls/bundle.ts',
    'server/test/windows-agent/user-tests.ts → agent/test/windows/windows-kind.ts',
    'server/test/windows-agent/user-tests.ts → agent/test/windows/wine.ts',
    'server/test/windows-agent/windows-agent.test.ts → agent/test/shared/commands.ts',
    'server/test/windows-agent/windows-agent.test.ts → agent/test/shared/interruptions.ts',
    'server/test/windows-agent/windows-agent.test.ts → agent/test/shared/trust.ts',
    'server/test/windows-agent/windows-agent.test.ts → agent/test/windows/windows-kind.ts',
    'server/test/windows-agent/windows-agent.test.ts → agent/test/windows/wine.ts',
    'server/test/windows-agent/windows-only.ts → agent/test/given-work.ts',
    'server/test/windows-agent/windows-only.ts → agent/test/shared/agent-kind.ts',
    'server/test/windows-agent/windows-only.ts → agent/test/shared/running-agent.ts',
    'server/test/windows-agent/windows-only.ts → agent/test/windows/windows-kind.ts',
    'server/test/windows-agent/windows-only.ts → agent/test/windows/wine.ts',
    'server/test/windows-agent/windows-world.ts → agent/test/windows/build.ts',
    'server/test/windows-agent/windows-world.ts → agent/test/windows/wine.ts',
  ])

  test('agent, server, simulator, client and command line share no code', () => {
    const crossing = ['agent', 'server', 'simulator', 'client/src', 'cli'].flatMap((program) =>
      filesBelow(join(repository, program))
        .filter((file) => !file.includes('node_modules'))
        .flatMap((file) =>
          importsOf(join(repository, program, file)).map((path) => ({ file: join(program, file), path })),
        )
        .map(({ file, path }) => ({ file, to: path.startsWith('.') ? join(dirname(file), path) : path }))
        .filter(({ to }) => /^(agent|server|simulator|cli|client|@muster)\//.test(to) && !to.startsWith(`${program}/`))
        .filter(({ file, to }) => !(file.startsWith('cli/') && to === '@muster/client'))
        .map(({ file, to }) => `${file} → ${to}`),
    )

    expect(new Set(crossing)).toEqual(allowedCrossings)
  })

  test('the agent needs nothing but Node, and koffi for calls of Windows', () => {
    const agent = join(repository, 'agent/src')
    const foreign = filesBelow(agent)
      .flatMap((file) => importsOf(join(agent, file)).map((path) => `${file} → ${path}`))
      .filter((line) => !/ → (\.|node:)/.test(line))

    expect(foreign).toEqual(['platform/windows/koffi.ts → koffi'])
  })

  test('only the platform layer of the agent knows an operating system, and its parts do not know each other', () => {
    const agent = join(repository, 'agent/src')
    const files = filesBelow(agent)
    const textOf = (file: string) => readFileSync(join(agent, file), 'utf8')
    const outside = files.filter((file) => !file.startsWith('platform/') && file !== 'usage.ts')
    const systemPathOrTool = /\/(proc|sys|etc|run|bin)\/|\b(apt|systemctl|loginctl|koffi)\b/
    const crossings = files
      .flatMap((from) => importsOf(join(agent, from)).map((path) => ({ from, to: join(dirname(from), path) })))
      .filter(({ to }) => /^platform\/(linux|windows)\//.test(to))
      .filter(({ from, to }) => from.split('/')[1] !== to.split('/')[1])

    expect(outside.filter((file) => systemPathOrTool.test(textOf(file)))).toEqual([])
    expect(outside.filter((file) => textOf(file).includes("'node:child_process'"))).toEqual(['update/stage-update.ts'])
    expect(files.filter((file) => textOf(file).includes('process.platform'))).toEqual(['platform/choose.ts'])
    expect(new Set(crossings.map(({ from }) => from))).toEqual(new Set(['platform/choose.ts']))
  })
})

test('nothing is kept in a session of the database beyond a transaction, because a pooler shares sessions', () => {
  const ofSession =
    /pg_(try_)?advisory_(lock|unlock)|\bset (session )?\w+_timeout|create temp|set_config\([^)]*, false\)/i
  const offences = filesBelow(source).filter((file) => ofSession.test(readFileSync(join(source, file), 'utf8')))

  expect(offences).toEqual([])
})
