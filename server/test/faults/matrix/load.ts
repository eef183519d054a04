import { randomInt, randomUUID } from 'node:crypto'
import type { Fleet, SimulatedAgent } from './fleet.ts'
import { type HttpClient, openHttpClient } from './http-client.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { type Authorization, type Operation, type OperationRequest, pause, performOperation } from './operations.ts'

export type LoadSize = {
  readers: number
  writers: number
  /** How long an agent waits between two contacts, and others between two requests. */
  agentPauseMs: number
  pauseMs: number
  /** How long a client waits for an answer. */
  timeoutMs: number
}

export type Load = {
  /** Appears in every name that the load writes. */
  prefix: string
  startedAt: Date
  operations: Operation[]
  ledger: Ledger
  /** Adds impatient clients that all change the same computer at once. */
  addCrowd(computerId: number, count: number): void
  /** Lets the clients finish what they began, for up to this long. Returns what was not finished. */
  stop(maxSeconds: number): Promise<Operation[]>
}

type LoadContext = {
  address: string
  fleet: Fleet
  size: LoadSize
  prefix: string
  ledger: Ledger
  isStopped(): boolean
  abandon: AbortSignal
  perform(
    client: HttpClient,
    request: OperationRequest,
    authorization?: Authorization,
  ): Promise<Record<string, unknown> | undefined>
}

/** Contacts and results of agents, and reads and writes of the API, each client one request after the other. */
export function startLoad(address: string, fleet: Fleet, size: LoadSize): Load {
  const operations: Operation[] = []
  const abandonment = new AbortController()
  let isStopped = false
  const clients: HttpClient[] = []
  const context: LoadContext = {
    address,
    fleet,
    size,
    prefix: `load-${randomUUID().slice(0, 8)}`,
    ledger: openLedger(),
    isStopped: () => isStopped,
    abandon: abandonment.signal,
    perform: (client, request, authorization = fleet.authorization) =>
      performOperation(client, authorization, request, operations, abandonment.signal),
  }
  const running: Promise<void>[] = []
  const add = (run: (client: HttpClient) => Promise<void>, keepsConnection = true) => {
    const client = openHttpClient({ address, timeoutMs: size.timeoutMs, keepsConnection })
    clients.push(client)
    running.push(run(client))
  }
  for (const agent of fleet.agents) add((client) => runAgent(context, client, agent))
  for (let reader = 0; reader < size.readers; reader++) add((client) => runReader(context, client), reader % 2 === 0)
  for (let writer = 0; writer < size.writers; writer++) add((client) => runWriter(context, client, writer))
  return {
    prefix: context.prefix,
    startedAt: new Date(),
    operations,
    ledger: context.ledger,
    addCrowd(computerId, count) {
      for (let member = 0; member < count; member++) add((client) => runCrowdMember(context, client, computerId))
    },
    async stop(maxSeconds) {
      isStopped = true
      const timer = setTimeout(() => abandonment.abort(), 1000 * maxSeconds)
      await Promise.all(running)
      clearTimeout(timer)
      for (const client of clients) client.close()
      return operations.filter(({ succeededAt }) => succeededAt === undefined)
    },
  }
}

async function repeat({ isStopped, abandon }: LoadContext, pauseMs: number, act: () => Promise<void>): Promise<void> {
  await pause(randomInt(pauseMs), abandon)
  while (!isStopped()) {
    await act()
    await pause(pauseMs * (0.5 + Math.random()), abandon)
  }
}

/** Its work is activated, leased at a contact, started and finished. */
async function runAgent(context: LoadContext, client: HttpClient, agent: SimulatedAgent): Promise<void> {
  const { ledger, prefix, perform } = context
  const { computerId } = agent
  const authorization = { header: () => `Bearer ${agent.credential}`, renew: async () => {} }
  const runId = randomUUID()
  const send = (kind: 'contact' | 'result', name: string, path: string, body: object) =>
    perform(client, { kind, name, computerId, method: 'POST', path: `/agent/v1/${path}`, body }, authorization)
  let number = 0
  await repeat(context, context.size.agentPauseMs, async () => {
    number++
    await change(context, client, {
      name: 'activateComputer',
      computerId,
      method: 'POST',
      path: `/api/computer/${computerId}/activation`,
      body: { software: true },
    })
    const contactedAt = new Date()
    const contact = await send('contact', 'reportContact', 'contact', contactOf(runId, `${prefix}-${number}`))
    if (!contact) return
    ledger.contacts.set(computerId, contactedAt)
    for (const { workId, attempt } of contact.work as { workId: number; attempt: number }[]) {
      if (!(await send('result', 'startWork', `work/${workId}/start`, { attempt, runId }))) continue
      const commandLine = `${prefix} work ${workId} attempt ${attempt}`
      const result = await send('result', 'reportResult', `work/${workId}/result`, resultOf(attempt, commandLine))
      if (result) ledger.results.add(commandLine)
    }
  })
}

function contactOf(runId: string, loggedOnUser: string): object {
  return {
    runId,
    agentVersion: '1.0',
    platform: 'Linux',
    environment: 'OperatingSystem',
    bootTimeUtc: '2026-03-14T09:26:53.000Z',
    rebootRequired: false,
    rebootRequiredSource: null,
    suspension: null,
    // Another one each time, so that each contact writes to the row of the agent.
    loggedOnUser,
    ipAddress: null,
    settingsHash: null,
    sections: {},
    wants: [],
    // Each contact comes after the work of the one before: work whose lease did not arrive is leased again.
    emptyHanded: true,
  }
}

function resultOf(attempt: number, commandLine: string): object {
  const now = new Date().toISOString()
  return {
    attempt,
    status: 'Success',
    installationState: 'Installed',
    exitCode: 0,
    startedUtc: now,
    finishedUtc: now,
    commandLine,
    output: '',
    errorText: null,
    rebootRequired: false,
  }
}

async function runReader(context: LoadContext, client: HttpClient): Promise<void> {
  const { fleet, perform, size } = context
  const kind = 'read'
  await repeat(context, size.pauseMs, async () => {
    const computerId = fleet.agents[randomInt(fleet.agents.length)]?.computerId ?? 0
    const reads: OperationRequest[] = [
      { kind, name: 'whoAmI', computerId: null, method: 'GET', path: '/api/service/whoami' },
      { kind, name: 'getComputer', computerId, method: 'GET', path: `/api/computer/${computerId}` },
      {
        kind,
        name: 'searchComputers',
        computerId: null,
        method: 'POST',
        path: '/api/computer/search?top=5',
        body: { hostname: `computer-${randomInt(10)}` },
      },
    ]
    const read = reads[randomInt(reads.length)]
    if (read) await perform(client, read)
  })
}

async function runWriter(context: LoadContext, client: HttpClient, writer: number): Promise<void> {
  const { fleet, ledger, prefix, size } = context
  // No two writers change the same computer, so that the order of its values is known.
  const own = fleet.agents.filter((_, index) => index % size.writers === writer).map(({ computerId }) => computerId)
  let number = 0
  await repeat(context, size.pauseMs, async () => {
    number++
    const name = `${prefix}-${writer}-${number}`
    const create = { computerId: null, method: 'POST' }
    if (number % 3 === 0) {
      const body = { name, type: 'AssignmentGroups', parentId: fleet.groupId }
      const created = await change(context, client, { ...create, name: 'createGroup', path: '/api/group', body })
      if (created) ledger.groups.add(name)
    } else if (number % 3 === 1) {
      const body = { designation: name }
      const created = await change(context, client, { ...create, name: 'createTag', path: '/api/tags', body })
      if (created) ledger.tags.add(name)
    } else {
      const computerId = own[number % own.length] ?? 0
      const written = { value: name, isAcknowledged: false }
      ledger.inventoryIds.set(computerId, [...(ledger.inventoryIds.get(computerId) ?? []), written])
      written.isAcknowledged = await changeInventoryId(context, client, computerId, name)
    }
  })
}

async function runCrowdMember(context: LoadContext, client: HttpClient, computerId: number): Promise<void> {
  // The value of this computer is no longer known: only the audit trail shows that each change happened once.
  context.ledger.inventoryIds.delete(computerId)
  await repeat(context, context.size.pauseMs, async () => {
    await changeInventoryId(context, client, computerId, `${context.prefix}-${randomUUID()}`)
  })
}

async function changeInventoryId(context: LoadContext, client: HttpClient, computerId: number, inventoryId: string) {
  const path = `/api/computer/${computerId}`
  const body = { inventoryId }
  return !!(await change(context, client, { name: 'updateComputer', computerId, method: 'PATCH', path, body }))
}

type Change = Omit<OperationRequest, 'kind' | 'headers'>

/** Creations and activations have an Idempotency-Key, so that repeating them cannot do them twice. */
async function change({ ledger, perform }: LoadContext, client: HttpClient, request: Change) {
  const requestId = randomUUID()
  const hasKey = request.method === 'POST'
  const headers = { 'x-request-id': requestId, ...(hasKey && { 'idempotency-key': requestId }) }
  const answer = await perform(client, { ...request, kind: 'write', headers })
  if (answer) ledger.changes.set(requestId, { name: request.name, hasKey })
  return answer
}
