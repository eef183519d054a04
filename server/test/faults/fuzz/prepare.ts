import { randomUUID } from 'node:crypto'
import { roleNames } from '../../../src/platform/roles.ts'
import {
  type Credentials,
  createPrincipal,
  enrolSimulatedAgent,
  type Fleet,
  prepareFleet,
  type SimulatedAgent,
} from '../matrix/fleet.ts'
import type { Authorization } from '../matrix/operations.ts'
import type { Callers } from './build-request.ts'
import { documentAddresses, type FuzzOperation, readOperations, type Surface } from './documents.ts'
import { type Harvest, openHarvest } from './harvest.ts'
import type { Random } from './random.ts'

export type FuzzTarget = {
  address: string
  operations: FuzzOperation[]
  harvest: Harvest
  callers: Callers
  fleet: Fleet
  /** An agent that hostile requests do not touch. */
  probe: SimulatedAgent
  /** The secret in the address of foreign agents. */
  fusionSecret(): string
  /** Replaces what hostile requests have deleted, revoked or frozen. */
  restore(): Promise<void>
}

const agentsAtOnce = 4
const maxAgents = 12

export type PrepareOptions = { address: string; packageStore: string; administrator: Credentials }

/** Creates callers of all kinds, and objects to which requests can refer. */
export async function prepareTarget({ address, packageStore, administrator }: PrepareOptions): Promise<FuzzTarget> {
  const fleet = await prepareFleet(address, packageStore, agentsAtOnce + 1, administrator)
  const [probe, ...agents] = fleet.agents
  if (!probe) throw new Error('The fleet has no agents.')
  const principals = await Promise.all(roleSets.map((roles) => createPrincipal(address, administrator, roles)))
  const operations = await Promise.all(
    Object.entries(documentAddresses).map(([surface, path]) => read(address, surface, path)),
  )
  const harvest = openHarvest()
  const depot = { credential: '' }
  let fusionSecret = ''
  let round = 0

  async function restore(): Promise<void> {
    const { api, groupId } = fleet
    const name = `fuzz-${++round}`
    await api.put('/api/freeze', { frozen: false, reason: null })
    await api.put('/api/blast-radius', { apiQuota: null, consoleQuota: null })
    const expiresAtUtc = new Date(Date.now() + 86_400_000).toISOString()
    const token = await api.post<{ token: string }>('/api/enrolment-tokens', { groupId, expiresAtUtc })
    for (let number = 0; number < agentsAtOnce; number++)
      agents.push(await enrolSimulatedAgent(api, token.token, `${name}-${number}`))
    agents.splice(0, Math.max(0, agents.length - maxAgents))
    fusionSecret = token.token
    depot.credential = await createDepot(fleet, name)
    await api.post(`/api/group/${groupId}/activation?expectedCount=100000`, { software: true }).catch(() => {})
    harvest.add('/api/enrolment-tokens', token)
    harvest.add('/api/group', { id: groupId, groupId })
    harvest.add(
      '/api/computer',
      agents.slice(-3).map(({ computerId }) => ({ id: computerId })),
    )
  }

  await restore()
  const callers = openCallers({ fleet, principals, agents, depot, isProtected: await protectCallers(fleet, probe) })
  return {
    address,
    operations: operations.flat(),
    harvest,
    callers,
    fleet,
    probe,
    fusionSecret: () => fusionSecret,
    restore,
  }
}

const roleSets = [
  ['computer.read'],
  ['computer.read', 'computer.write', 'group.read'],
  ['admin.manage'],
  roleNames.slice(0, 5),
]

async function read(address: string, surface: string, path: string): Promise<FuzzOperation[]> {
  const answer = await fetch(address + path)
  return readOperations(surface as Surface, (await answer.json()) as object)
}

async function createDepot({ api }: Fleet, name: string): Promise<string> {
  const domain = 'fuzz.example'
  const computer = { name: `${name}-depot`, domain, isDomain: true, uuid: randomUUID() }
  const { id } = await api.post<{ id: number }>('/api/computer', computer)
  const computerRoles = [{ name: computer.name, domain, role: 'DepotServer' }]
  await api.post('/api/catalog/apply', { catalog: { computerRoles } })
  return (await api.post<{ credential: string }>(`/api/depots/${id}/credential`, {})).credential
}

/** Requests must not take the rights of their own callers. */
async function protectCallers({ api, groupId }: Fleet, probe: SimulatedAgent): Promise<Callers['isForbidden']> {
  const principals = await api.get<{ id: number }[]>('/api/admin/local-principals')
  const isProtected: Record<string, Set<string>> = {
    'admin/local-principals': new Set(principals.map(({ id }) => String(id))),
    computer: new Set([String(probe.computerId)]),
    group: new Set([groupId]),
  }
  return (path) => {
    const [, kind = '', id = ''] = /^\/api\/(admin\/local-principals|computer|group)\/([^/?]*)/.exec(path) ?? []
    return isProtected[kind]?.has(decode(id).toLowerCase()) === true
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

type CallerParts = {
  fleet: Fleet
  principals: Authorization[]
  agents: SimulatedAgent[]
  depot: { credential: string }
  isProtected: Callers['isForbidden']
}

function openCallers({ fleet, principals, agents, depot, isProtected }: CallerParts): Callers {
  const ofSurface = (random: Random, surface: Surface) => {
    if (surface === 'agent') return `Bearer ${random.find(agents)?.credential}`
    if (surface === 'depot') return `Bearer ${depot.credential}`
    return random.chance(0.85) ? fleet.authorization.header() : random.find(principals)?.header()
  }
  return {
    authorization(random, surface) {
      if (random.chance(0.02)) return undefined
      // Sometimes the credential of another surface.
      return ofSurface(random, random.chance(0.01) ? random.pick(['api', 'agent', 'depot']) : surface)
    },
    ordinary(surface) {
      if (surface === 'agent') return `Bearer ${agents[0]?.credential}`
      return surface === 'depot' ? `Bearer ${depot.credential}` : fleet.authorization.header()
    },
    isForbidden: isProtected,
  }
}
