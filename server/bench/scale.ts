import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiOf } from './api.ts'
import { hasBalancer, withBalancer } from './balancer.ts'
import { contactClients, contactPath } from './contacts.ts'
import { growFleet } from './fleet.ts'
import { compare, load, loadByClients } from './load.ts'
import { type Node, startNode } from './nodes.ts'
import { type BenchService, withService } from './service.ts'
import { limitToShareOfCore } from './share-of-core.ts'
import { verdict } from './verdict.ts'

const computers = 10_000
const sizes = [1, 2, 4] as const
const rounds = 3
const seconds = 5
/** So many that each of the nodes has enough of them to share statements, as in a large fleet. */
const agents = 128
const shareOfNode = 0.1
const bars = { 2: 1.7, 4: 3 }

/** Several nodes on one database behind HAProxy: what they add, what the death of one costs, how fast rights change. */
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
          await sharesOfCore(service, nodes, addresses)
          await rates(service, addresses)
          await revocation(service, nodes)
          await deathOfNode(service, nodes, addresses.at(-1) ?? '')
        },
      )
    } finally {
      await Promise.all(nodes.map(({ stop }) => stop()))
    }
  })
}

/** All nodes stand on one machine here, so that each gets a part of it: what they add is seen before the machine is full. */
async function sharesOfCore(service: BenchService, nodes: readonly Node[], addresses: readonly string[]) {
  const limits = await Promise.all(nodes.map(({ pid }) => limitToShareOfCore(pid, shareOfNode)))
  try {
    if (limits.includes(undefined))
      return console.log('SKIPPED: shares of a core need root and a control group of Linux.')
    console.log(`Each node has ${shareOfNode} of a core:`)
    const grown = await rates(service, addresses)
    for (const [kind, ratios] of Object.entries(grown))
      verdict(
        `${kind}: two nodes ${ratios[2]} of one, four ${ratios[4]}, bars ${bars[2]} and ${bars[4]}`,
        ratios[2] >= bars[2] && ratios[4] >= bars[4],
      )
  } finally {
    await Promise.all(limits.map((limit) => limit?.lift()))
  }
  console.log('Each node takes what it gets:')
}

type Ratios = Record<(typeof sizes)[number], number>

/** Requests per second with one, two and four nodes, as ratios to one. */
async function rates(
  { app, address: own, database: { db }, headers }: BenchService,
  addresses: readonly string[],
): Promise<Record<string, Ratios>> {
  const clients = await contactClients({ db, keys: app.services.keys, address: own, count: agents })
  const contestants: Parameters<typeof compare>[0] = {}
  for (const [at, address] of addresses.entries()) {
    contestants[`contacts, nodes: ${sizes[at]}`] = () => loadByClients({ url: address + contactPath, seconds, clients })
    contestants[`reads, nodes: ${sizes[at]}`] = () => load(`${address}/api/computer/100`, headers, seconds)
  }
  const results = await compare(contestants, rounds)
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

/** Revokes through one node, and asks all others at once. */
async function revocation({ headers, address }: BenchService, nodes: readonly Node[]): Promise<void> {
  const admin = apiOf(address, headers)
  const body = { description: 'revoked by the benchmark', roles: ['computer.read'], expiresAtUtc: null }
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
  verdict(`a revoked principal: ${before.join(' ')} before, ${after.join(' ')} on the next request`, isMet)
}

/** Creates computers through the balancer, kills a node meanwhile, and looks whether each one is there once. */
async function deathOfNode({ headers, database }: BenchService, nodes: readonly Node[], address: string) {
  const wanted = 2_000
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
    while (created < wanted) {
      const number = created++
      if (number === wanted / 4) await nodes[1]?.kill()
      await createOne(`scale-${number}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, client))
  const { count } = await database.db
    .selectFrom('computers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('domain', '=', 'scale.example')
    .executeTakeFirstOrThrow()
  verdict(
    `a node killed among ${wanted} creations: ${count} are there, ${retries} requests were sent again`,
    count === wanted,
  )
}
