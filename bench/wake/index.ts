import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'selfsigned'
import { type Api, apiOf } from '../api.ts'
import { findFreePort } from '../free-port.ts'
import { type Node, startNode } from '../nodes.ts'
import type { BenchOptions } from '../options.ts'
import { processorSecondsOf } from '../processor-time.ts'
import { round } from '../round.ts'
import { reportTarget } from '../target.ts'
import { measureAttack, measureClicks } from './clicks.ts'
import { type Agents, connectAll, enrol, type Server, secondsUntilConnected } from './fleet.ts'
import { measureRest, reportRest } from './rest.ts'

const defaultComputers = 5_000

/** Computers without a connection, whose contacts must go on while all others are called. */
const others = { computers: 500, intervalSeconds: 10 }
const rateSeconds = 20
const minShareOfRate = 0.8

/** A process takes as many wake connections as four fifths of its file descriptors, which many systems limit to 20,000. */
const connectionsPerWorker = 15_000

/**
 * Agents that keep a connection: what they cost at rest, how soon their work begins after a click, also beside idle connections of
 * attackers, how fast all come back after a restart, whether contacts are refused meanwhile, and how the whole fleet is called.
 * `--requests` sets their number. With MUSTER_BENCH_TLS, agents connect over TLS. The service has one worker for each 15,000 agents.
 */
export async function benchWake({ requests: computers = defaultComputers }: BenchOptions): Promise<void> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'muster-wake-'))
  await chmod(dataDirectory, 0o711)
  const secret = randomBytes(24).toString('hex')
  const { settings, secure } = await prepare(dataDirectory, secret, computers)
  const start = () => startNode(undefined, settings)
  const fleets: Agents[] = []
  let node = await start()
  const server = secure ?? { address: node.address }
  try {
    const api = await signIn(node.address, secret)
    const groupId = await createGroup(api)
    const enrolNext = async (count: number, intoGroup?: string) => {
      const enrolled = await enrol(server, api, count, intoGroup)
      fleets.push(enrolled)
      return enrolled
    }
    const agents = await enrolNext(computers, groupId)
    const unconnected = await enrolNext(others.computers)
    await node.stop()
    node = await start()
    const none = await measureRest(node, 0)
    await connectAll(agents)
    reportRest(none, await measureRest(node, computers))
    await measureClicks(api, agents, 'click to start')
    await measureAttack(node, api, agents)
    unconnected.behave({ intervalSeconds: others.intervalSeconds, connectedShare: 0 })
    await sleep(others.intervalSeconds * 1e3)
    node = await measureRestart(node, start, agents, unconnected)
    await measureActivation(await signIn(node.address, secret), groupId, agents, unconnected)
  } finally {
    for (const agents of fleets) await agents.stop()
    await node.stop()
    await rm(dataDirectory, { recursive: true, force: true })
  }
}

/** The settings of the node and, with TLS, where agents reach it. */
async function prepare(
  dataDirectory: string,
  secret: string,
  computers: number,
): Promise<{ settings: Settings; secure?: Server }> {
  const settings = {
    MUSTER_DATA_DIR: dataDirectory,
    MUSTER_PORT: String(await findFreePort()),
    MUSTER_ENROLMENT_RATE_LIMIT: '0',
    MUSTER_BOOTSTRAP_CLIENT_ID: 'bench',
    MUSTER_BOOTSTRAP_CLIENT_SECRET: secret,
    MUSTER_WORKERS: String(Math.ceil(computers / connectionsPerWorker)),
  }
  if (!process.env.MUSTER_BENCH_TLS) return { settings }
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  const files = { MUSTER_TLS_CERT: join(dataDirectory, 'cert.pem'), MUSTER_TLS_KEY: join(dataDirectory, 'key.pem') }
  await writeFile(files.MUSTER_TLS_CERT, cert)
  await writeFile(files.MUSTER_TLS_KEY, key)
  const port = String(await findFreePort())
  return {
    settings: { ...settings, ...files, MUSTER_TLS_PORT: port, MUSTER_PLAIN_HTTP: 'on' },
    secure: { address: `https://127.0.0.1:${port}`, certificates: cert },
  }
}

type Settings = Record<string, string>

async function createGroup(api: Api): Promise<string> {
  const type = 'AssignmentGroups'
  const { items } = await api.get<{ items: { id: string; parentId: string | null }[] }>(`/api/group?type=${type}`)
  const parentId = items.find((group) => group.parentId === null)?.id
  return (await api.post<{ id: string }>('/api/group', { name: 'Connected', type, parentId })).id
}

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

/** Others make their contacts meanwhile. While no node runs, they get no answer, which is not a refusal. */
async function measureRestart(
  node: Node,
  start: () => Promise<Node>,
  agents: Agents,
  unconnected: Agents,
): Promise<Node> {
  const [made, refused] = [unconnected.countContacts(), unconnected.countRefused()]
  await node.stop()
  const stoppedAt = performance.now()
  const next = await start()
  const readySeconds = (performance.now() - stoppedAt) / 1e3
  const before = await processorSecondsOf(next.pid)
  const seconds = readySeconds + (await secondsUntilConnected(agents, 300))
  const milliseconds = (1e3 * ((await processorSecondsOf(next.pid)) - before)) / agents.computers
  console.log(
    `The node was ready ${round(readySeconds)} s after its stop, and all agents were back after ${round(seconds)} s. ` +
      `Each took ${round(milliseconds)} ms of processor time of service and database.`,
  )
  reportTarget('all agents are back within 60 s of the stop of a node', seconds < 60)
  const refusals = unconnected.countRefused() - refused
  const contacts = unconnected.countContacts() - made
  reportTarget(`refused contacts of others meanwhile: ${refusals}, and ${contacts} were answered`, refusals === 0)
  return next
}

/** All agents are called at the pace at which work is handed out, and computers without a connection still get their contacts. */
async function measureActivation(api: Api, groupId: string, agents: Agents, unconnected: Agents): Promise<void> {
  const usual = await rateOf(unconnected.countContacts, () => sleep(rateSeconds * 1e3))
  const made = agents.countContacts()
  const began = performance.now()
  const beside = await rateOf(unconnected.countContacts, () => activateAll(api, groupId, agents.computers))
  const seconds = (performance.now() - began) / 1e3
  console.log(`Agents that were called made ${Math.round((agents.countContacts() - made) / seconds)} contacts/s.`)
  reportTarget(
    `contacts of others during an activation of all: ${round(beside)}/s instead of ${round(usual)}/s, at least ${minShareOfRate} of them`,
    beside >= minShareOfRate * usual,
  )
}

async function rateOf(count: () => number, meanwhile: () => Promise<void>): Promise<number> {
  const before = count()
  const began = performance.now()
  await meanwhile()
  return (count() - before) / ((performance.now() - began) / 1e3)
}

async function activateAll(api: Api, groupId: string, computers: number): Promise<void> {
  const began = performance.now()
  const { trackingId } = await api.post<{ trackingId: string }>(`/api/group/${groupId}/activation`, { pull: true })
  const answered = (performance.now() - began) / 1e3
  const waits: number[] = []
  let open = computers
  // The work of a large group is created after the answer.
  const countOpen = async () => {
    const task = await api.get<{ open: number; preparation?: { completed: number } }>(`/api/tasks/${trackingId}`)
    return task.open + (task.preparation ? computers - task.preparation.completed : 0)
  }
  while (open > 0 && performance.now() - began < 600_000) {
    const asked = performance.now()
    await api.get('/api/fleet/computers?top=1')
    waits.push(performance.now() - asked)
    await sleep(250)
    open = await countOpen()
  }
  const seconds = (performance.now() - began) / 1e3
  console.log(
    `Activation of all: answered after ${round(answered)} s; ${open} open after ${round(seconds)} s; a read took ` +
      `${Math.round(Math.max(...waits))} ms at most.`,
  )
  reportTarget('all agents of an activation have done their work', open === 0)
}
