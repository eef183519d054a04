import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Api, accessToken, apiOf, until } from '../demo/api.ts'
import { importPackages } from '../demo/packages.ts'
import { type DemoService, startService } from '../demo/service.ts'
import { at, packagesOf, phases } from '../src/fleet.ts'
import { sectionOf } from '../src/machines/inventory.ts'
import { machineOf } from '../src/machines/machine.ts'
import { readScenario } from '../src/scenario.ts'
import { type Simulation, simulate } from '../src/simulation.ts'
import { startedProgram } from './started-program.ts'

const administrator = { clientId: 'administrator', clientSecret: 'a-secret-of-the-tests-that-is-long-enough' }
const main = join(import.meta.dirname, '../src/main.ts')

let folder: string
let service: DemoService
let api: Api
let token: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-test-'))
  await chmod(folder, 0o711)
  service = await startService({ dataDirectory: folder, port: 0, administrator })
  const first = apiOf(
    service.address,
    await accessToken(service.address, administrator.clientId, administrator.clientSecret),
  )
  const roles = (await first.get<{ role: string }[]>('/api/admin/roles')).map(({ role }) => role)
  type Created = { clientId: string; plaintextKey: string }
  const caller = await first.post<Created>('/api/admin/local-principals', {
    description: null,
    roles,
    expiresAtUtc: null,
  })
  token = await accessToken(service.address, caller.clientId, caller.plaintextKey)
  api = apiOf(service.address, token)
})

afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString()

async function enrolmentToken(groupId: string | null = null): Promise<string> {
  const body = { description: 'test', groupId, expiresAtUtc: inOneHour() }
  return (await api.post<{ token: string }>('/api/enrolment-tokens', body)).token
}

async function newGroup(name: string): Promise<string> {
  type Listed = { items: { id: string; parentId: string | null }[] }
  const { items } = await api.get<Listed>('/api/group?type=AssignmentGroups')
  const parentId = items.find((group) => group.parentId === null)?.id
  return (await api.post<{ id: string }>('/api/group', { name, type: 'AssignmentGroups', parentId })).id
}

/** Computers of a seed and domain of their own. */
function started(enrolment: string, seed: number, changes: object): Simulation {
  const scenario = readScenario({
    seed,
    domain: `fleet-${seed}.example.org`,
    computers: 20,
    enrolment: { perSecond: 1_000 },
    contact: { intervalSeconds: 0.3 },
    ...changes,
  })
  const simulation = simulate({ scenario, server: service.address, tokenOf: () => enrolment })
  simulation.broken.catch(() => {})
  onTestFinished(() => simulation.stop())
  return simulation
}

const haveArrived = ({ fleet }: Simulation, computers: number) =>
  fleet.phase.slice(0, computers).every((phase, place) => phase !== phases.enrolling && at(fleet.contacts, place) > 0)

test('after lost connections, failures, restarts and a boot storm, service and computers agree about what is installed', async () => {
  const computers = 20
  const group = await newGroup('Disturbed')
  const folders = ['demo/office-fonts-3.1', 'demo/runtime-8.0.11', 'demo/log-shipper-1.8.2']
  const packages = await importPackages(api, join(folder, 'packages'), folders)
  for (const packageId of packages.values()) await api.post(`/api/group/${group}/packages`, { packageId })
  const simulation = started(await enrolmentToken(group), 31, {
    network: { lostRate: 0.04 },
    work: { failureRate: 0.2, minimumSeconds: 0, maximumSeconds: 0.2, interruptionRate: 0.1 },
    reboots: { perDay: 8_000, downSeconds: 0.2 },
    bootStorms: [{ atSeconds: 3, share: 0.7, withinSeconds: 0.5 }],
    shares: { suspended: 0, silent: 0 },
  })
  await until(async () => haveArrived(simulation, computers) || undefined, 'the computers have come')

  await api.post(`/api/group/${group}/activation`, { software: true })
  const deployments = await until(
    async () => {
      const found = await Promise.all([...simulation.fleet.clientId].map((id) => deploymentsOf(id)))
      const isOver = found.flat().every(({ status }) => status !== 'Pending')
      return isOver && simulation.progress().busy === 0 ? found : undefined
    },
    'all work is done',
    50_000,
  )
  await simulation.stop()

  const installed = deployments.map((own) =>
    own
      .filter(({ installationState }) => installationState === 'Installed')
      .map(({ name }) => name)
      .toSorted(),
  )
  const own = [...simulation.fleet.clientId.keys()].map((place) =>
    packagesOf(simulation.fleet, place)
      .map(({ name }) => name)
      .toSorted(),
  )
  expect(installed).toEqual(own)
  expect(new Set(deployments.flat().map(({ status }) => status))).toEqual(new Set(['Success', 'Failed']))
  expect(simulation.measurements.counted('boot storms')).toBe(1)
  expect(simulation.measurements.counted('restarts')).toBeGreaterThan(0)
  const errors = Object.keys(simulation.measurements.summary(1).errors)
  expect(errors).toEqual(
    expect.arrayContaining(['connection lost before the answer', 'connection lost before the request']),
  )
  expect(errors.filter((kind) => !kind.startsWith('connection '))).toEqual([])
})

type Deployment = { name: string; status: string; installationState: string }
const deploymentsOf = (id: number) => api.get<Deployment[]>(`/api/computer/${id}/software-deployment`)

test('the inventory that the service has is the one of the seed', async () => {
  const simulation = started(await enrolmentToken(), 32, { inventory: { changeMinutes: 100_000 } })
  await until(async () => haveArrived(simulation, 20) || undefined, 'the computers have come')
  await simulation.stop()

  const platforms = { windows: 0.78, linux: 0.13, macos: 0.09 }
  const plan = { seed: 32, domain: 'fleet-32.example.org', platforms, startedAt: simulation.startedAt }
  for (const place of [3, 7, 12]) {
    const machine = machineOf(plan, place + 1)
    const present = { now: Date.now(), changeMinutes: 100_000, packages: [], revision: 0 }
    const computer = `/api/computer/${at(simulation.fleet.clientId, place)}/inventory`
    const disks = await api.get<{ items: object[] }>(`${computer}/disks`)
    const software = await api.get<{ totalCount: number }>(`${computer}/installed-software`)

    expect({ item: await api.get(`${computer}/bios`) }).toEqual(sectionOf(plan, machine, 'bios', present))
    expect(disks).toMatchObject(sectionOf(plan, machine, 'disks', present))
    expect(software.totalCount).toBe(
      (sectionOf(plan, machine, 'installedSoftware', present) as { items: [] }).items.length,
    )
  }
  expect(simulation.measurements.summary(1).errors).toEqual({})
})

test('the service notices clones, and refuses twins', async () => {
  const simulation = started(await enrolmentToken(), 33, { duplicates: { clones: 0.1, refused: 0.1 } })
  const { fleet, measurements } = simulation
  const clones = [...fleet.kind.keys()].filter((place) => at(fleet.kind, place) === 1)

  const seen = await until(async () => {
    const agents = await Promise.all(
      clones.map((place) => duplicateSeen(at(fleet.clientId, at(fleet.original, place)))),
    )
    return agents.every((time) => time !== null) ? agents : undefined
  }, 'the clones are noticed')
  const plain = at(fleet.clientId, [...fleet.kind.keys()].find((place) => !isCopied(fleet.original, place)) ?? 0)

  expect(clones.length).toBe(2)
  expect(seen.length).toBe(2)
  expect(await duplicateSeen(plain)).toBeNull()
  expect(measurements.counted('refused enrolments')).toBe(2)
})

const isCopied = (originals: Int32Array, place: number) => originals.filter((original) => original === place).length > 1

async function duplicateSeen(clientId: number): Promise<string | null> {
  type Agent = { inventory: { duplicateIdentitySeenUtc: string | null } | null }
  if (clientId === 0) return null
  return (await api.get<Agent>(`/api/computer/${clientId}/uem-agent`)).inventory?.duplicateIdentitySeenUtc ?? null
}

test('SIGTERM ends the program with a report, and the next run continues with the same computers', async () => {
  const state = join(folder, 'fleet.json')
  const report = join(folder, 'report.json')
  const common = ['--server', service.address, '--api-token', token, '--state', state, '--report', report]
  const scenario = ['--computers', '15', '--seed', '34', '--interval', '0.5', '--set', 'domain=fleet-34.example.org']

  const first = program([...common, ...scenario, '--token', await enrolmentToken()])
  await until(async () => (await usesOfLastToken()) === 15 || undefined, 'the computers have come')
  first.process.kill('SIGTERM')
  const firstEnd = await first.exited
  const told = JSON.parse(await readFile(report, 'utf8'))
  const second = program([...common, ...scenario, '--duration', '2'])
  const secondEnd = await second.exited
  const toldLater = JSON.parse(await readFile(report, 'utf8'))

  expect([firstEnd, secondEnd]).toEqual([0, 0])
  expect(first.output()).toMatch(
    /Report: 15 of 15 computers enrolled, seed 34[\s\S]*contact[\s\S]*statements per request/,
  )
  expect(told).toMatchObject({ enrolled: 15, seed: 34, errors: {}, events: { enrolments: 15 } })
  expect(told.service.statementsPerRequest).toBeGreaterThan(1)
  expect(toldLater).toMatchObject({ enrolled: 15, errors: {} })
  expect(toldLater.events).not.toHaveProperty('enrolments')
  expect(toldLater.events.contacts).toBeGreaterThan(0)
})

async function usesOfLastToken(): Promise<number> {
  const { items } = await api.get<{ items: { id: number; uses: number }[] }>('/api/enrolment-tokens')
  return items.toSorted((a, b) => b.id - a.id)[0]?.uses ?? 0
}

const program = (args: string[]) => startedProgram(main, args, 'SIGKILL')
