import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet } from '../../simulator/src/fleet.ts'
import { readScenario } from '../../simulator/src/scenario.ts'
import { type Simulation, simulate } from '../../simulator/src/simulation.ts'
import { type Api, apiOf } from '../api.ts'
import { findFreePort } from '../free-port.ts'
import { type Node, startNode } from '../nodes.ts'
import type { BenchOptions } from '../options.ts'
import { megabytesOf, processorSecondsOf } from '../processor-time.ts'
import { round } from '../round.ts'
import { reportTarget } from '../target.ts'

const defaultComputers = 5_000
const clicks = 100
const settlingSeconds = 20
const restSeconds = 20
const restSamples = 3
/** What the targets are set for. */
const targetComputers = 50_000
const attackers = 10_000

/**
 * Agents that keep a connection: what they cost at rest, how soon their work begins after a click, also beside idle connections of
 * attackers, how fast all come back after a restart, and how the whole fleet is called. `--requests` sets their number.
 */
export async function benchWake({ requests: computers = defaultComputers }: BenchOptions): Promise<void> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'muster-wake-'))
  await chmod(dataDirectory, 0o711)
  const secret = randomBytes(24).toString('hex')
  const port = await findFreePort()
  const start = () => startNode(undefined, settingsOf(dataDirectory, port, secret))
  let node = await start()
  let simulation: Simulation | undefined
  try {
    const api = await signIn(node.address, secret)
    const groupId = await createGroup(api)
    const enrolled = await enrolAll(node, api, groupId, computers)
    await node.stop()
    node = await start()
    const without = await measureRest(node)
    simulation = await connectAll(node, enrolled, computers)
    reportRest(without, await measureRest(node), computers)
    await measureClicks(api, simulation, 'click to start')
    await measureAttack(node, api, simulation)
    node = await measureRestart(node, start, simulation, computers)
    await measureActivation(await signIn(node.address, secret), simulation, groupId, computers)
  } finally {
    await simulation?.stop()
    await node.stop()
    await rm(dataDirectory, { recursive: true, force: true })
  }
}

async function createGroup(api: Api): Promise<string> {
  const type = 'AssignmentGroups'
  const { items } = await api.get<{ items: { id: string; parentId: string | null }[] }>(`/api/group?type=${type}`)
  const parentId = items.find((group) => group.parentId === null)?.id
  return (await api.post<{ id: string }>('/api/group', { name: 'Connected', type, parentId })).id
}

const settingsOf = (dataDirectory: string, port: number, secret: string) => ({
  MUSTER_DATA_DIR: dataDirectory,
  MUSTER_PORT: String(port),
  MUSTER_ENROLMENT_RATE_LIMIT: '0',
  MUSTER_BOOTSTRAP_CLIENT_ID: 'bench',
  MUSTER_BOOTSTRAP_CLIENT_SECRET: secret,
  ...(process.env.MUSTER_BENCH_WORKERS && { MUSTER_WORKERS: process.env.MUSTER_BENCH_WORKERS }),
})

async function signIn(address: string, secret: string): Promise<Api> {
  const administrator = await signInAs(address, 'bench', secret)
  const roles = ['admin.manage', 'computer.write', 'computer.read', 'group.write', 'group.read', 'activation.execute']
  const { clientId, plaintextKey } = await administrator.post<{ clientId: string; plaintextKey: string }>(
    '/api/admin/local-principals',
    { description: 'Caller of the benchmark', roles, expiresAtUtc: null },
  )
  return signInAs(address, clientId, plaintextKey)
}

async function signInAs(address: string, clientId: string, secret: string): Promise<Api> {
  const answer = await fetch(`${address}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return apiOf(address, { authorization: `Bearer ${token}` })
}

/** Computers that have enrolled and make no contact by themselves for an hour. */
async function enrolAll(node: Node, api: Api, groupId: string, computers: number): Promise<Enrolled> {
  const expiresAtUtc = new Date(Date.now() + 86_400_000).toISOString()
  const { token } = await api.post<{ token: string }>('/api/enrolment-tokens', { expiresAtUtc, groupId })
  const tokenOf = () => token
  const { fleet, startedAt, measurements, stop } = simulate({
    scenario: scenarioOf(computers, 0),
    server: node.address,
    tokenOf,
  })
  while (measurements.countOf('contacts') < computers) await sleep(100)
  await stop()
  return { saved: { fleet, startedAt }, tokenOf }
}

type Enrolled = { saved: { fleet: Fleet; startedAt: number }; tokenOf(): string }

const scenarioOf = (computers: number, connectedShare: number) =>
  readScenario({
    computers,
    durationSeconds: null,
    connections: 64,
    enrolment: { perSecond: 300 },
    contact: { intervalSeconds: null, connectedShare },
    inventory: { isSent: false },
    patchScan: { everyMinutes: 1_000_000 },
    reboots: { perDay: 0 },
    work: { failureRate: 0, interruptionRate: 0, minimumSeconds: 0, maximumSeconds: 1, rebootRate: 0 },
    shares: { suspended: 0, rebootRequired: 0 },
  })

async function connectAll(node: Node, { saved, tokenOf }: Enrolled, computers: number): Promise<Simulation> {
  const simulation = simulate({ scenario: scenarioOf(computers, 1), server: node.address, tokenOf, saved })
  const seconds = await secondsUntilConnected(simulation, computers, 600)
  console.log(`${computers} agents were connected after ${round(seconds)} s.`)
  return simulation
}

async function secondsUntilConnected({ progress }: Simulation, computers: number, maxSeconds: number): Promise<number> {
  const began = performance.now()
  while (progress().connected < computers) {
    await sleep(100)
    if (performance.now() - began > maxSeconds * 1e3)
      throw new Error(`Only ${progress().connected} of ${computers} agents are connected.`)
  }
  return (performance.now() - began) / 1e3
}

type Rest = { megabytes: number; shares: readonly number[] }

/** The memory, and several samples of the share of a core, of service and database while nothing happens. */
async function measureRest({ pid }: Node): Promise<Rest> {
  await sleep(settlingSeconds * 1e3)
  const shares: number[] = []
  for (let sample = 0; sample < restSamples; sample++) {
    const before = await processorSecondsOf(pid)
    await sleep(restSeconds * 1e3)
    shares.push(((await processorSecondsOf(pid)) - before) / restSeconds)
  }
  return { shares, megabytes: await megabytesOf(pid) }
}

const percent = (shares: readonly number[]) => shares.map((share) => round(100 * share)).join(', ')

/**
 * Both were measured on processes that have done nothing else, so the garbage of enrolments is in neither. The processor time of
 * connections is known only if every sample with them is above every one without; otherwise the noise is larger.
 */
function reportRest(without: Rest, connected: Rest, computers: number): void {
  const factor = targetComputers / computers
  const perConnection = (1_024 * (connected.megabytes - without.megabytes)) / computers
  console.log(
    `At rest: ${Math.round(without.megabytes)} MB and ${percent(without.shares)} % of a core without connections, ` +
      `${Math.round(connected.megabytes)} MB and ${percent(connected.shares)} % with them: ${round(perConnection)} KB for each.`,
  )
  const megabytes = without.megabytes + factor * (connected.megabytes - without.megabytes)
  reportTarget(
    `memory of service and database, extrapolated from ${computers} to ${targetComputers} connections: ${Math.round(megabytes)} MB, below 1,500`,
    megabytes < 1_500,
  )
  const least = Math.min(...connected.shares) - Math.max(...without.shares)
  const most = Math.max(...connected.shares) - Math.min(...without.shares)
  const range = `${round(100 * factor * least)} to ${round(100 * factor * most)} % of a core`
  if (least <= 0)
    console.log(`Processor time of ${targetComputers} connections: not known, the noise is larger (${range}).`)
  else reportTarget(`processor time, extrapolated likewise: ${range}, below 5`, factor * most < 0.05)
}

let nextClick = 0

type TaskActions = { actions: { items: { attempt: number }[] } }

/** From the request that creates work until the agent has it. */
async function measureClicks(api: Api, { fleet }: Simulation, label: string): Promise<void> {
  const times: number[] = []
  for (let click = 0; click < clicks; click++) {
    // Never the same twice: work that is still open would create none.
    const id = fleet.clientId[nextClick++ % fleet.size]
    const began = performance.now()
    const { trackingId } = await api.post<{ trackingId: string }>(`/api/computer/${id}/activation`, { pull: true })
    const hasBegun = async () => {
      const { actions } = await api.get<TaskActions>(`/api/tasks/${trackingId}`)
      return actions.items.some(({ attempt }) => attempt > 0)
    }
    while (!(await hasBegun())) {
      await sleep(10)
      if (performance.now() - began > 30_000) break
    }
    times.push(performance.now() - began)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0) / 1e3
  console.log(`${label}: median ${round(at(0.5))} s, p95 ${round(at(0.95))} s, p99 ${round(at(0.99))} s.`)
  reportTarget(`${label}: p95 below 3 s and p99 below 10 s`, at(0.95) < 3 && at(0.99) < 10)
}

async function measureAttack({ address }: Node, api: Api, simulation: Simulation): Promise<void> {
  const { port } = new URL(address)
  const { connected } = simulation.progress()
  const sockets: Socket[] = []
  for (let at = 0; at < attackers; at++) {
    const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress: `127.66.${at % 4}.1` })
    socket.on('error', () => {})
    if (at % 2 === 0) socket.write('GET /agent/v1/wake HTTP/1.1\r\nhost: a\r\nx: ')
    sockets.push(socket)
    if (at % 500 === 0) await sleep(50)
  }
  await sleep(5_000)
  await measureClicks(api, simulation, `click to start beside ${attackers} idle and half-open connections`)
  const lost = connected - simulation.progress().connected
  reportTarget(`agents that lost their connection to ${attackers} attackers: ${lost}, none`, lost === 0)
  for (const socket of sockets) socket.destroy()
}

async function measureRestart(
  node: Node,
  start: () => Promise<Node>,
  simulation: Simulation,
  computers: number,
): Promise<Node> {
  await node.stop()
  const stoppedAt = performance.now()
  const next = await start()
  const readySeconds = (performance.now() - stoppedAt) / 1e3
  const seconds = readySeconds + (await secondsUntilConnected(simulation, computers, 300))
  console.log(
    `The node was ready ${round(readySeconds)} s after its stop, and all agents were back after ${round(seconds)} s.`,
  )
  reportTarget('all agents are back within 60 s of the stop of a node', seconds < 60)
  return next
}

/** All agents are called at the pace at which work is handed out. */
async function measureActivation(
  api: Api,
  { measurements, progress }: Simulation,
  groupId: string,
  computers: number,
): Promise<void> {
  const began = performance.now()
  const before = measurements.countOf('contacts')
  const { trackingId } = await api.post<{ trackingId: string }>(`/api/group/${groupId}/activation`, { pull: true })
  const answered = (performance.now() - began) / 1e3
  const waits: number[] = []
  let open = computers
  while (open > 0 && performance.now() - began < 600_000) {
    const asked = performance.now()
    await api.get('/api/fleet/computers?top=1')
    waits.push(performance.now() - asked)
    await sleep(250)
    open = (await api.get<{ open: number }>(`/api/tasks/${trackingId}`)).open
  }
  const seconds = (performance.now() - began) / 1e3
  const made = measurements.countOf('contacts') - before
  console.log(
    `Activation of all: answered after ${round(answered)} s; ${open} open after ${round(seconds)} s; ${Math.round(made / seconds)} contacts/s, ` +
      `${round(made / computers)} contacts for each computer, ${progress().waiting} waiting; a read took ${Math.round(Math.max(...waits))} ms at most.`,
  )
  reportTarget('all agents of an activation have done their work', open === 0)
}
