import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { roleNames } from '../../server/src/platform/roles.ts'
import { openPackageWorld } from '../../server/test/packages/package-world.ts'
import { importAgentPackages } from '../../simulator/demo/agent-package.ts'
import { apiOf, until } from '../../simulator/demo/api.ts'
import { importPackages, writeStoreFile } from '../../simulator/demo/packages.ts'
import { ensureSigningKey } from '../../simulator/demo/signing.ts'
import { at, packagesOf, phases } from '../../simulator/src/fleet.ts'
import { sectionOf } from '../../simulator/src/machines/inventory.ts'
import { machineOf } from '../../simulator/src/machines/machine.ts'
import { readScenario } from '../../simulator/src/scenario.ts'
import { type Simulation, simulate } from '../../simulator/src/simulation.ts'
import { startProgram } from './start-program.ts'

const main = join(import.meta.dirname, '../../simulator/src/main.ts')

const { app, given, store } = await openPackageWorld()
const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
const token = await app.services.tokens.issue((await given.localPrincipal({ roles: roleNames })).id)
const api = apiOf(address, token)
const folder = await mkdtemp(join(tmpdir(), 'muster-test-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString()

async function createEnrolmentToken(groupId: string | null = null): Promise<string> {
  const body = { description: 'test', groupId, expiresAtUtc: inOneHour() }
  return (await api.post<{ token: string }>('/api/enrolment-tokens', body)).token
}

async function createGroup(name: string): Promise<string> {
  type Listed = { items: { id: string; parentId: string | null }[] }
  const { items } = await api.get<Listed>('/api/group?type=AssignmentGroups')
  const parentId = items.find((group) => group.parentId === null)?.id
  return (await api.post<{ id: string }>('/api/group', { name, type: 'AssignmentGroups', parentId })).id
}

/** Starts computers with a seed and domain of their own. */
function startFleet(enrolment: string, seed: number, changes: object): Simulation {
  const scenario = readScenario({
    seed,
    domain: `fleet-${seed}.example.org`,
    computers: 20,
    enrolment: { perSecond: 1_000 },
    contact: { intervalSeconds: 0.3 },
    ...changes,
  })
  const simulation = simulate({ scenario, server: address, tokenOf: () => enrolment })
  simulation.failure.catch(() => {})
  onTestFinished(() => simulation.stop())
  return simulation
}

const haveMadeContact = ({ fleet }: Simulation, computers: number) =>
  fleet.phase.slice(0, computers).every((phase, index) => phase !== phases.enrolling && at(fleet.contacts, index) > 0)

test('after lost connections, failures, restarts and a boot storm, the service and the computers agree on what is installed', async () => {
  const computers = 20
  const group = await createGroup('Disturbed')
  const folders = ['demo/office-fonts-3.1', 'demo/runtime-8.0.11', 'demo/log-shipper-1.8.2']
  const packages = await importPackages(api, { store, signingKey: '' }, folders)
  for (const packageId of packages.values()) await api.post(`/api/group/${group}/packages`, { packageId })
  const simulation = startFleet(await createEnrolmentToken(group), 31, {
    network: { lostRate: 0.04 },
    work: { failureRate: 0.2, minimumSeconds: 0, maximumSeconds: 0.2, interruptionRate: 0.1 },
    reboots: { perDay: 8_000, downSeconds: 0.2 },
    bootStorms: [{ atSeconds: 3, share: 0.7, withinSeconds: 0.5 }],
    shares: { suspended: 0, silent: 0 },
  })
  await until(async () => haveMadeContact(simulation, computers) || undefined, 'the first contacts of the computers')

  await api.post(`/api/group/${group}/activation`, { software: true })
  const deployments = await until(
    async () => {
      const found = await Promise.all([...simulation.fleet.clientId].map((id) => deploymentsOf(id)))
      const isFinished = found.flat().every(({ status }) => status !== 'Pending')
      return isFinished && simulation.progress().busy === 0 ? found : undefined
    },
    'all work to finish',
    50_000,
  )
  await simulation.stop()

  const installed = deployments.map((own) =>
    own
      .filter(({ installationState }) => installationState === 'Installed')
      .map(({ name }) => name)
      .toSorted(),
  )
  const own = [...simulation.fleet.clientId.keys()].map((index) =>
    packagesOf(simulation.fleet, index)
      .map(({ name }) => name)
      .toSorted(),
  )
  expect(installed).toEqual(own)
  expect(new Set(deployments.flat().map(({ status }) => status))).toEqual(new Set(['Success', 'Failed']))
  expect(simulation.measurements.countOf('boot storms')).toBe(1)
  expect(simulation.measurements.countOf('restarts')).toBeGreaterThan(0)
  const errors = Object.keys(simulation.measurements.summary(1).errors)
  expect(errors).toEqual(
    expect.arrayContaining(['connection lost before the answer', 'connection lost before the request']),
  )
  // The service still works on a request whose connection was lost when the computer repeats it.
  const isExpected = (kind: string) => kind.startsWith('connection ') || kind === '503 ResourceBusy'
  expect(errors.filter((kind) => !isExpected(kind))).toEqual([])
})

type Deployment = { name: string; status: string; installationState: string }
const deploymentsOf = (id: number) => api.get<Deployment[]>(`/api/computer/${id}/software-deployment`)

test('the demo imports the agent that was built, and simulated agents report its version after they have updated themselves', async () => {
  const [built, signingKey, group] = [join(folder, 'built'), join(folder, 'signing.key'), await createGroup('Updated')]
  const argv = ['muster-agent', 'self-update', '.']
  const manifest = { name: 'muster-agent', version: '0.2.0', displayName: 'Muster agent', kind: 'software' }
  const whole = { ...manifest, operatingSystems: ['Linux'], commands: { install: { argv }, update: { argv } } }
  const forWindows = { ...whole, name: 'muster-agent-windows', operatingSystems: ['Windows'] }
  const [linuxFolder, windowsFolder] = ['agent/muster-agent-0.2.0', 'agent-windows/muster-agent-windows-0.2.0']
  const unused = 'not unpacked by simulated computers'
  await writeStoreFile(built, `${linuxFolder}/muster-package.json`, JSON.stringify(whole))
  await writeStoreFile(built, `${linuxFolder}/muster-agent-linux-x64.tar.gz`, unused)
  await writeStoreFile(built, `${windowsFolder}/muster-package.json`, JSON.stringify(forWindows))
  await writeStoreFile(built, `${windowsFolder}/muster-agent.msi`, unused)
  await ensureSigningKey(signingKey)

  const source = { store, signingKey }
  const [packageId, ...others] = await importAgentPackages(api, source, built)
  const again = await importAgentPackages(api, source, built)
  await api.post(`/api/group/${group}/packages`, { packageId })
  const simulation = startFleet(await createEnrolmentToken(group), 35, {
    computers: 4,
    platforms: { windows: 0.25, linux: 0.75, macos: 0 },
    work: { failureRate: 0, minimumSeconds: 0, maximumSeconds: 0.1, interruptionRate: 0, rebootRate: 0 },
    shares: { suspended: 0, silent: 0 },
  })
  await until(async () => haveMadeContact(simulation, 4) || undefined, 'the first contacts of the computers')
  const versions = () => Promise.all([...simulation.fleet.clientId].map(agentVersionOf))
  const before = await versions()
  await api.post(`/api/group/${group}/activation`, { software: true })
  const isUpdated = async () => (await versions()).filter((version) => version === '0.2.0').length >= 3
  await until(async () => (await isUpdated()) || undefined, 'the updates of the agents')

  expect(packageId).toBeDefined()
  expect(others).toHaveLength(1)
  expect(again).toEqual([])
  expect(new Set(before)).toEqual(new Set(['0.1.0']))
  expect(new Set(await versions())).toEqual(new Set(['0.1.0', '0.2.0']))
  const { commands } = await api.post<{ commands: { linux: string; windows: string } }>('/api/enrolment-tokens', {
    expiresAtUtc: inOneHour(),
  })
  expect(commands.linux).toContain('/install/linux.sh')
  expect(commands.windows).toContain('/install/files/')
})

const agentVersionOf = async (id: number) =>
  (await api.get<{ inventory: { agentVersion: string } }>(`/api/computer/${id}/uem-agent`)).inventory.agentVersion

test('the service stores the inventory that follows from the seed', async () => {
  const simulation = startFleet(await createEnrolmentToken(), 32, { inventory: { changeMinutes: 100_000 } })
  await until(async () => haveMadeContact(simulation, 20) || undefined, 'the first contacts of the computers')
  await simulation.stop()

  const platforms = { windows: 0.78, linux: 0.13, macos: 0.09 }
  const plan = { seed: 32, domain: 'fleet-32.example.org', platforms, startedAt: simulation.startedAt }
  for (const index of [3, 7, 12]) {
    const machine = machineOf(plan, index + 1)
    const current = { now: Date.now(), changeMinutes: 100_000, packages: [], revision: 0 }
    const computer = `/api/computer/${at(simulation.fleet.clientId, index)}/inventory`
    const disks = await api.get<{ items: object[] }>(`${computer}/disks`)
    const software = await api.get<{ totalCount: number }>(`${computer}/installed-software`)

    expect({ item: await api.get(`${computer}/bios`) }).toEqual(sectionOf(plan, machine, 'bios', current))
    expect(disks).toMatchObject(sectionOf(plan, machine, 'disks', current))
    expect(software.totalCount).toBe(
      (sectionOf(plan, machine, 'installedSoftware', current) as { items: [] }).items.length,
    )
  }
  expect(simulation.measurements.summary(1).errors).toEqual({})
})

test('the service detects clones and refuses the enrolment of twins', async () => {
  const simulation = startFleet(await createEnrolmentToken(), 33, { duplicates: { clones: 0.1, refused: 0.1 } })
  const { fleet, measurements } = simulation
  const clones = [...fleet.kind.keys()].filter((index) => at(fleet.kind, index) === 1)

  const seen = await until(async () => {
    const agents = await Promise.all(
      clones.map((index) => findDuplicateTime(at(fleet.clientId, at(fleet.original, index)))),
    )
    return agents.every((time) => time !== null) ? agents : undefined
  }, 'the service to detect the clones')
  const plain = at(fleet.clientId, [...fleet.kind.keys()].find((index) => !isCopied(fleet.original, index)) ?? 0)

  expect(clones.length).toBe(2)
  expect(seen.length).toBe(2)
  expect(await findDuplicateTime(plain)).toBeNull()
  expect(measurements.countOf('refused enrolments')).toBe(2)
})

const isCopied = (originals: Int32Array, index: number) => originals.filter((original) => original === index).length > 1

async function findDuplicateTime(clientId: number): Promise<string | null> {
  type Agent = { inventory: { duplicateIdentitySeenUtc: string | null } | null }
  if (clientId === 0) return null
  return (await api.get<Agent>(`/api/computer/${clientId}/uem-agent`)).inventory?.duplicateIdentitySeenUtc ?? null
}

test('the simulator prints a report on SIGTERM, and the next run continues with the same computers', async () => {
  const state = join(folder, 'fleet.json')
  const report = join(folder, 'report.json')
  const common = ['--server', address, '--api-token', token, '--state', state, '--report', report]
  const scenario = ['--computers', '15', '--seed', '34', '--interval', '0.5', '--set', 'domain=fleet-34.example.org']

  // It creates an enrolment token for itself.
  const first = runSimulator([...common, ...scenario])
  await until(async () => (await usesOfLastToken()) === 15 || undefined, 'the first contacts of the computers')
  first.process.kill('SIGTERM')
  const firstEnd = await first.exited
  const firstReport = JSON.parse(await readFile(report, 'utf8'))
  const second = runSimulator([...common, ...scenario, '--duration', '2'])
  const secondEnd = await second.exited
  const secondReport = JSON.parse(await readFile(report, 'utf8'))

  expect([firstEnd, secondEnd]).toEqual([0, 0])
  expect(first.output()).toMatch(
    /Report: 15 of 15 computers enrolled, seed 34[\s\S]*contact[\s\S]*statements per request/,
  )
  expect(firstReport).toMatchObject({ enrolled: 15, seed: 34, errors: {}, events: { enrolments: 15 } })
  expect(firstReport.service.statementsPerRequest).toBeGreaterThan(1)
  expect(secondReport).toMatchObject({ enrolled: 15, errors: {} })
  expect(secondReport.events).not.toHaveProperty('enrolments')
  expect(secondReport.events.contacts).toBeGreaterThan(0)
})

async function usesOfLastToken(): Promise<number> {
  const { items } = await api.get<{ items: { id: number; uses: number }[] }>('/api/enrolment-tokens')
  return items.toSorted((a, b) => b.id - a.id)[0]?.uses ?? 0
}

const runSimulator = (args: string[]) => startProgram(main, args, 'SIGKILL')
