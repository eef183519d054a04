import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiOf } from './api.ts'
import { hasBalancer, withBalancer } from './balancer.ts'
import { contactClients } from './contacts.ts'
import { growFleet } from './fleet.ts'
import { compare, load, loadByClients } from './load.ts'
import { type Node, startNode } from './nodes.ts'
import { contactPath } from './plain-contact.ts'
import { type BenchService, withService } from './service.ts'
import { limitToShareOfCore } from './share-of-core.ts'
import { reportTarget } from './target.ts'

const computers = 10_000
const sizes = [1, 2, 4] as const
const rounds = 3
const seconds = 5
/** Enough for each of four nodes to share statements between concurrent contacts, as in a large fleet. */
const agents = 128
const coresPerNode = 0.1
const targets = { 2: 1.7, 4: 3 }

/** Several nodes on one database behind HAProxy: throughput, the crash of a node, and the revocation of a principal. */
export async function benchScale(): Promise<void> {
  if (!hasBalancer()) {
    console.log('SKIPPED: HAProxy is not installed (Debian: apt-get install haproxy).')
    return
  }
  await withService(async (service) => {
    await growFleet(service.database.db, computers)
    const nodes = await Promise.all(Array.from({ length: 4 }, () => startNode(service.database.url)))
    try {
      await withBalancer(
        sizes.map((size) => nodes.slice(0, size)),
        async (addresses) => {
          await benchLimitedNodes(service, nodes, addresses)
          await measureRates(service, addresses)
          await checkRevocation(service, nodes)
          await checkNodeCrash(service, nodes, addresses.at(-1) ?? '')
        },
      )
    } finally {
      await Promise.all(nodes.map(({ stop }) => stop()))
    }
  })
}

/** All nodes run on one machine, so each gets a share of a core. This shows what nodes add before the machine is full. */
async function benchLimitedNodes(service: BenchService, nodes: readonly Node[], addresses: readonly string[]) {
  const limits = await Promise.all(nodes.map(({ pid }) => limitToShareOfCore(pid, coresPerNode)))
  try {
    if (limits.includes(undefined))
      return console.log('SKIPPED: limiting the cores of a node requires root and Linux control groups.')
    console.log(`Each node limited to ${coresPerNode} cores:`)
    const ratiosByKind = await measureRates(service, addresses)
    for (const [kind, ratios] of Object.entries(ratiosByKind))
      reportTarget(
        `${kind}: ${ratios[2]} times one node with two nodes, ${ratios[4]} with four; targets ${targets[2]} and ${targets[4]}`,
        ratios[2] >= targets[2] && ratios[4] >= targets[4],
      )
  } finally {
    await Promise.all(limits.map((limit) => limit?.lift()))
  }
  console.log('Nodes without limits:')
}

type Ratios = Record<(typeof sizes)[number], number>

/** Requests per second with one, two and four nodes, as ratios to one. */
async function measureRates(
  { app, address: ownAddress, database: { db }, headers }: BenchService,
  addresses: readonly string[],
): Promise<Record<string, Ratios>> {
  const clients = await contactClients({ db, keys: app.services.keys, address: ownAddress, count: agents })
  const candidates: Parameters<typeof compare>[0] = {}
  for (const [at, address] of addresses.entries()) {
    candidates[`contacts, nodes: ${sizes[at]}`] = () => loadByClients({ url: address + contactPath, seconds, clients })
    candidates[`reads, nodes: ${sizes[at]}`] = () => load(`${address}/api/computer/100`, headers, seconds)
  }
  const results = await compare(candidates, rounds)
  console.table(results)
  const rate = (kind: string, size: number) => results[`${kind}, nodes: ${size}`]?.requestsPerSecond ?? 0
  return Object.fromEntries(
    ['contacts', 'reads'].map((kind) => [
      kind,
      Object.fromEntries(sizes.map((size) => [size, ratio(rate(kind, size), rate(kind, 1))])) as Ratios,
    ]),
  )
}

const ratio = (figure: number, one: number) => Math.round((figure / one) * 100) / 100

/** Revokes a principal through one node. All other nodes must refuse its next request. */
async function checkRevocation({ headers, address }: BenchService, nodes: readonly Node[]): Promise<void> {
  const admin = apiOf(address, headers)
  const body = { description: 'Revoked by the benchmark', roles: ['computer.read'], expiresAtUtc: null }
  type Created = { id: number; clientId: string; plaintextKey: string }
  const { id, clientId, plaintextKey } = await admin.post<Created>('/api/admin/local-principals', body)
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: plaintextKey }
  const token = await fetch(`${address}/api/auth/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token } = (await token.json()) as { access_token: string }
  const statuses = () =>
    Promise.all(
      nodes.map(async (node) => {
        const answer = await fetch(`${node.address}/api/computer/100`, {
          headers: { authorization: `Bearer ${access_token}` },
        })
        return answer.status
      }),
    )
  const before = await statuses()
  await admin.patch(`/api/admin/local-principals/${id}/revoke`, { isRevoked: true })
  const after = await statuses()
  const isMet = before.every((status) => status === 200) && after.every((status) => status === 401)
  reportTarget(`revoked principal: status ${before.join(', ')} before, ${after.join(', ')} after`, isMet)
}

/** Creates computers through the balancer, kills a node in the meantime, and checks that each computer exists once. */
async function checkNodeCrash({ headers, database }: BenchService, nodes: readonly Node[], address: string) {
  const total = 2_000
  let created = 0
  let retries = 0
  const createOne = async (name: string) => {
    const idempotency = { 'idempotency-key': randomUUID() }
    for (;;) {
      const answer = await fetch(`${address}/api/computer`, {
        method: 'POST',
        headers: { ...headers, ...idempotency, 'content-type': 'application/json' },
        body: JSON.stringify({ name, domain: 'scale.example', isDomain: true, uuid: randomUUID() }),
      }).catch(() => undefined)
      if (answer?.ok) return
      if (answer && answer.status < 500) throw new Error(`${answer.status}: ${await answer.text()}`)
      retries++
      await sleep(50)
    }
  }
  const client = async () => {
    while (created < total) {
      const number = created++
      if (number === total / 4) await nodes[1]?.kill()
      await createOne(`scale-${number}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, client))
  const { count } = await database.db
    .selectFrom('computers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('domain', '=', 'scale.example')
    .executeTakeFirstOrThrow()
  reportTarget(
    `node killed during ${total} creations: ${count} computers exist, ${retries} requests were retried`,
    count === total,
  )
}
