import Fastify from 'fastify'
import { compileContactStatement } from '../server/src/channels/agent/record-agent-contact.ts'
import type { Database } from '../server/src/database/connect.ts'
import type { ServerKeys } from '../server/src/platform/authentication/server-keys.ts'
import { type BenchAgent, enrolAgents } from './agents.ts'
import { countStatements } from './count-statements.ts'
import { growFleet } from './fleet.ts'
import { compare, type Load, loadByClients } from './load.ts'
import { contactPath, plainContact } from './plain-contact.ts'
import { type BenchService, withService } from './service.ts'
import { reportTarget } from './target.ts'

const computers = 10_000
const callers = 32
const target = 0.6
const rounds = 5
const seconds = 4

/** Compares contacts of agents without work to a bare route with the same statement. */
export async function benchContacts(): Promise<void> {
  await withService(async (service) => {
    await growFleet(service.database.db, computers)
    await compareContacts(service)
  })
}

async function compareContacts({ app, address, database: { db, pool } }: BenchService): Promise<void> {
  const agents = await enrolCallers(db, app.services.keys)
  const [first] = agents
  if (!first) return
  const body = { ...plainContact, settingsHash: await fetchSettingsHash(address, first.credential) }
  const statement = compileContactStatement(db, '')
  const bare = Fastify()
  bare.post('/bare', async (request) => {
    const { rows } = await pool.query({ name: 'bare', text: statement.sql, values: [JSON.stringify([request.body])] })
    return rows[0]
  })
  const bareAddress = await bare.listen({ host: '127.0.0.1', port: 0 })
  const bareClients = agents.map((agent) => ({ headers: {}, body: statementInputOf(agent, body) }))
  const agentClients = agents.map(({ credential }) => ({ headers: bearer(credential), body: JSON.stringify(body) }))
  const results = await compare(
    {
      bare: () => loadByClients({ url: `${bareAddress}/bare`, seconds, clients: bareClients }),
      contact: () => loadByClients({ url: address + contactPath, seconds, clients: agentClients }),
    },
    rounds,
  )
  await bare.close()
  report(results, await countStatements(() => send(address, first.credential, body)))
}

/** Returns a load of contacts: some agents of an existing fleet make contacts as often as they can. */
export async function prepareContactLoad({
  app,
  address,
  database: { db },
}: BenchService): Promise<() => Promise<Load>> {
  const clients = await contactClients({ db, keys: app.services.keys, address })
  return () => loadByClients({ url: address + contactPath, seconds, clients })
}

type Fleet = { db: Database; keys: ServerKeys; address: string; count?: number }

/** The headers and bodies that these agents send, on any node. */
export async function contactClients({ db, keys, address, count }: Fleet) {
  const agents = await enrolCallers(db, keys, count)
  const hash = agents[0] ? await fetchSettingsHash(address, agents[0].credential) : null
  const body = JSON.stringify({ ...plainContact, settingsHash: hash })
  return agents.map(({ credential }) => ({ headers: bearer(credential), body }))
}

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })

/** Enrols agents of computers from all parts of the fleet. */
const enrolCallers = (db: Database, keys: ServerKeys, count = callers) =>
  enrolAgents(
    db,
    keys,
    Array.from({ length: count }, (_, at) => 1 + at * Math.floor(computers / count)),
  )

/** The input of the contact statement for one agent. */
function statementInputOf({ clientId, secretHash }: BenchAgent, body: typeof plainContact): string {
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
  if (!answer.ok) throw new Error(`The contact failed with ${answer.status}.`)
  return (await answer.json()) as { settings: { hash: string } | null }
}

async function fetchSettingsHash(address: string, credential: string): Promise<string | null> {
  return (await send(address, credential, plainContact)).settings?.hash ?? null
}

function report(results: Awaited<ReturnType<typeof compare>>, statements: number): void {
  const rate = (name: string) => results[name]?.requestsPerSecond ?? 0
  console.table(results)
  const ratio = rate('contact') / rate('bare')
  reportTarget(
    `contacts: ${ratio.toFixed(2)} of the rate of the bare route, target ${target}; statements per contact: ${statements}, target 1`,
    ratio >= target && statements === 1,
  )
}
