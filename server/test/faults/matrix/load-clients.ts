import { createHash, randomInt, randomUUID } from 'node:crypto'
import { enrolmentOf, type Fleet, type SimulatedAgent } from './fleet.ts'
import type { HttpClient } from './http-client.ts'
import type { Ledger, WrittenValue } from './ledger.ts'
import { type Authorization, type OperationRequest, pause } from './operations.ts'

export type LoadSize = {
  readers: number
  writers: number
  /** Clients that enrol new agents and send their inventories. */
  enrollers?: number
  /** How long an agent waits between two contacts, and others between two requests. */
  agentPauseMs: number
  pauseMs: number
  /** How long a client waits for an answer. */
  timeoutMs: number
}

export type LoadContext = {
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

async function repeat({ isStopped, abandon }: LoadContext, pauseMs: number, act: () => Promise<void>): Promise<void> {
  await pause(randomInt(pauseMs), abandon)
  while (!isStopped()) {
    await act()
    await pause(pauseMs * (0.5 + Math.random()), abandon)
  }
}

/** Activations are rare compared to contacts. */
const contactsPerActivation = 3

/** Makes contacts. Before some of them its work is activated, which it then leases, starts and finishes. */
export async function runAgent(context: LoadContext, client: HttpClient, agent: SimulatedAgent): Promise<void> {
  const { ledger, prefix, perform } = context
  const { computerId } = agent
  const authorization = { header: () => `Bearer ${agent.credential}`, renew: async () => {} }
  const runId = randomUUID()
  const send = (kind: 'contact' | 'result', name: string, path: string, body: object) =>
    perform(client, { kind, name, computerId, method: 'POST', path: `/agent/v1/${path}`, body }, authorization)
  // Not all begin with an activation.
  let number = computerId
  await repeat(context, context.size.agentPauseMs, async () => {
    if (number++ % contactsPerActivation === 0) {
      const activated = await change(context, client, {
        name: 'activateComputer',
        computerId,
        method: 'POST',
        path: `/api/computer/${computerId}/activation`,
        body: { software: true },
      })
      if (typeof activated?.trackingId === 'string') ledger.tasks.add(activated.trackingId)
    }
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

export function contactOf(runId: string, loggedOnUser: string): object {
  return {
    runId,
    agentVersion: '1.0',
    platform: 'Linux',
    environment: 'OperatingSystem',
    bootTimeUtc: '2026-03-14T09:26:53.000Z',
    rebootRequired: false,
    rebootRequiredSource: null,
    suspension: null,
    // Another one each time so that each contact writes to the row of the agent.
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

export async function runReader(context: LoadContext, client: HttpClient): Promise<void> {
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

export async function runWriter(context: LoadContext, client: HttpClient, writer: number): Promise<void> {
  const { fleet, ledger, prefix, size } = context
  // No two writers change the same computer so that the order of its values is known.
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

/** How many inventories a new agent sends. */
const inventoriesPerAgent = 2

export async function runEnroller(context: LoadContext, client: HttpClient, enroller: number): Promise<void> {
  const { fleet, ledger, perform, prefix, size } = context
  const noCredential = { header: () => '', renew: async () => {} }
  const computerId = null
  let number = 0
  await repeat(context, size.pauseMs, async () => {
    const name = `${prefix}-e${enroller}-${++number}`
    // The key of the enrolment is the same at each attempt so that a repeated one is recognised.
    const body = enrolmentOf(fleet.enrolmentToken, name)
    const enrolment = { kind: 'write', name: 'enrolAgent', computerId, method: 'POST', body } as const
    const enrolled = await perform(client, { ...enrolment, path: '/agent/v1/enrolment' }, noCredential)
    if (!enrolled) return
    ledger.enrolments.add(name)
    const { clientId, credential } = enrolled as { clientId: number; credential: string }
    const authorization = { header: () => `Bearer ${credential}`, renew: async () => {} }
    const written: WrittenValue[] = []
    ledger.serialNumbers.set(clientId, written)
    for (let sent = 0; sent < inventoriesPerAgent; sent++) {
      const value = { value: `${name}-${sent}`, isAcknowledged: false }
      written.push(value)
      const inventory = { kind: 'write', name: 'putInventoryBios', computerId: clientId, method: 'PUT' } as const
      const path = '/agent/v1/inventory/bios'
      const answer = await perform(client, { ...inventory, path, body: biosOf(value.value) }, authorization)
      value.isAcknowledged = answer !== undefined
    }
  })
}

function biosOf(serialNumber: string): object {
  const item = { caption: null, manufacturer: null, smBiosVersion: null, serialNumber, version: null, uuid: null }
  const hash = createHash('sha256').update(serialNumber).digest('hex')
  return { hash, collectedUtc: new Date().toISOString(), item }
}

export async function runCrowdMember(context: LoadContext, client: HttpClient, computerId: number): Promise<void> {
  context.ledger.crowded.add(computerId)
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

/** Creations and activations have an Idempotency-Key so that repeating them cannot do them twice. */
async function change({ ledger, perform }: LoadContext, client: HttpClient, request: Change) {
  const requestId = randomUUID()
  const hasKey = request.method === 'POST'
  const headers = { 'x-request-id': requestId, ...(hasKey && { 'idempotency-key': requestId }) }
  const answer = await perform(client, { ...request, kind: 'write', headers })
  if (answer) ledger.changes.set(requestId, { name: request.name, hasKey })
  return answer
}
