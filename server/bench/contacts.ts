import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { compileContactStatement } from '../src/channels/agent/record-agent-contact.ts'
import type { Database } from '../src/database/connect.ts'
import type { ServerKeys } from '../src/platform/authentication/server-keys.ts'
import { type BenchAgent, enrolledAgents } from './agents.ts'
import { countStatements } from './count-statements.ts'
import { growFleet } from './fleet.ts'
import { compare, type Load, loadByClients } from './load.ts'
import { type BenchService, withService } from './service.ts'

const computers = 10_000
const callers = 32
const bar = 0.6
const rounds = 5
const seconds = 4

/** Contacts of agents for which nothing is to be done. */
export async function benchContacts(): Promise<void> {
  await withService(async (service) => {
    await growFleet(service.database.db, computers)
    await contacts(service)
  })
}

async function contacts({ app, address, database: { db, pool } }: BenchService): Promise<void> {
  const agents = await givenAgents(db, app.services.keys)
  const [first] = agents
  if (!first) return
  const body = { ...plainContact, settingsHash: await settingsHash(address, first.credential) }
  const statement = compileContactStatement(db, '')
  const bare = Fastify()
  bare.post('/bare', async (request) => {
    const { rows } = await pool.query({ name: 'bare', text: statement.sql, values: [JSON.stringify([request.body])] })
    return rows[0]
  })
  const bareAddress = await bare.listen({ host: '127.0.0.1', port: 0 })
  const plain = agents.map((agent) => ({ headers: {}, body: said(agent, body) }))
  const own = agents.map(({ credential }) => ({ headers: bearer(credential), body: JSON.stringify(body) }))
  const results = await compare(
    {
      bare: () => loadByClients({ url: `${bareAddress}/bare`, seconds, clients: plain }),
      contact: () => loadByClients({ url: address + contactPath, seconds, clients: own }),
    },
    rounds,
  )
  await bare.close()
  report(results, await countStatements(() => send(address, first.credential, body)))
}

/** Contacts of some agents of a fleet that is there already, as often as they can. */
export async function contactLoad({ app, address, database: { db } }: BenchService): Promise<() => Promise<Load>> {
  const clients = await contactClients({ db, keys: app.services.keys, address })
  return () => loadByClients({ url: address + contactPath, seconds, clients })
}

export const contactPath = '/agent/v1/contact'

type Fleet = { db: Database; keys: ServerKeys; address: string; count?: number }

/** What those agents send, on a node at any address. */
export async function contactClients({ db, keys, address, count }: Fleet) {
  const agents = await givenAgents(db, keys, count)
  const hash = agents[0] ? await settingsHash(address, agents[0].credential) : null
  const body = JSON.stringify({ ...plainContact, settingsHash: hash })
  return agents.map(({ credential }) => ({ headers: bearer(credential), body }))
}

/** Of an agent that has nothing to tell. */
export const plainContact = {
  runId: randomUUID(),
  agentVersion: '1.0',
  platform: 'Linux',
  environment: 'OperatingSystem',
  bootTimeUtc: '2026-03-14T09:26:53.000Z',
  rebootRequired: false,
  rebootRequiredSource: null,
  suspension: null,
  loggedOnUser: null,
  ipAddress: null,
  settingsHash: null as string | null,
  sections: {},
  wants: [],
}

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })

/** Callers from all parts of the fleet. */
const givenAgents = (db: Database, keys: ServerKeys, count = callers) =>
  enrolledAgents(
    db,
    keys,
    Array.from({ length: count }, (_, at) => 1 + at * Math.floor(computers / count)),
  )

/** What the statement is told, when a bare route runs it. */
function said({ clientId, secretHash }: BenchAgent, body: typeof plainContact): string {
  return JSON.stringify({
    client_id: clientId,
    secret_hash: secretHash.toString('hex'),
    run_id: body.runId,
    version: body.agentVersion,
    platform: body.platform,
    boot_at: body.bootTimeUtc,
    is_reboot_required: false,
    settings_hash: body.settingsHash,
    sections: {},
  })
}

async function send(address: string, credential: string, body: object) {
  const answer = await fetch(address + contactPath, {
    method: 'POST',
    headers: { ...bearer(credential), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`The contact was answered with ${answer.status}.`)
  return (await answer.json()) as { settings: { hash: string } | null }
}

async function settingsHash(address: string, credential: string): Promise<string | null> {
  return (await send(address, credential, plainContact)).settings?.hash ?? null
}

function report(results: Awaited<ReturnType<typeof compare>>, statements: number): void {
  const rate = (name: string) => results[name]?.requestsPerSecond ?? 0
  console.table(results)
  const ratio = rate('contact') / rate('bare')
  const isMet = ratio >= bar && statements === 1
  console.log(
    `contacts: ${ratio.toFixed(2)} of the bare route, bar ${bar}; ${statements} statement(s) each, bar 1: ${isMet ? 'met' : 'MISSED'}`,
  )
  if (!isMet) process.exitCode = 1
}
