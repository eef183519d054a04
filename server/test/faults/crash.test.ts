import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { postmasterPid, query } from '../database/embedded-postgres/muster.ts'
import { modelRuns } from '../world/model-runs.ts'
import {
  accessToken,
  createPrincipal,
  type ServiceProcess,
  startServiceProcess,
  untilHealthy,
  untilOtherPostmaster,
} from '../world/service-process.ts'

const rounds = modelRuns(6)
const victims = ['service', 'postmaster', 'both'] as const
type Victim = (typeof victims)[number]

test(
  'acknowledged changes survive kill -9 of the service and of its database, and every restart succeeds without help',
  async () => {
    const acknowledged = new Set<string>()
    let service = await startServiceProcess()
    const { dataDirectory } = service
    const token = await accessToken(service)

    for (let round = 0; round < rounds; round++) {
      const victim = victims[round % victims.length] ?? 'both'
      const writers = startWriters(service, token, acknowledged, `round ${round}`)
      await sleep(randomInt(50, 500))
      await kill(victim, service)
      if (victim === 'postmaster') await untilHealthy(service)
      const answers = await writers.stop()
      if (victim !== 'postmaster') service = await startServiceProcess({ dataDirectory })

      expect(answers, `after round ${round} (${victim})`).toEqual(expectedAnswers(answers))
      const kept = await descriptions(service, token)
      expect([...acknowledged].filter((description) => !kept.has(description))).toEqual([])
      expect(await brokenAuditEntries(dataDirectory)).toEqual([])
      expect(await auditEntries(dataDirectory)).toBeGreaterThanOrEqual(acknowledged.size)
    }

    expect(acknowledged.size).toBeGreaterThan(rounds)
  },
  60_000 + 10_000 * rounds,
)

async function kill(victim: Victim, service: ServiceProcess): Promise<void> {
  const postmaster = await postmasterPid(service.dataDirectory)
  if (victim !== 'service') process.kill(postmaster, 'SIGKILL')
  if (victim !== 'postmaster') await service.kill('SIGKILL')
  // The processes of the old server may answer for a moment longer.
  else await untilOtherPostmaster(service.dataDirectory, postmaster)
}

/** Four clients that write as fast as they can, and keep account of what they were promised. */
function startWriters(service: ServiceProcess, token: string, acknowledged: Set<string>, name: string) {
  const answers = new Set<string>()
  let stopped = false
  async function write(writer: number): Promise<void> {
    for (let number = 0; !stopped; number++) {
      const description = `${name}, writer ${writer}, number ${number}`
      const response = await createPrincipal(service, token, description).catch(() => undefined)
      // Whether a write whose connection broke was kept is unknown to its client.
      if (!response) return
      answers.add(`${response.status}, retry after ${response.headers.get('retry-after')}`)
      if (await arrivedWhole(response)) acknowledged.add(description)
      else await sleep(20)
    }
  }
  const writers = Promise.all([0, 1, 2, 3].map(write))
  return {
    async stop() {
      stopped = true
      await writers
      return answers
    },
  }
}

async function arrivedWhole(response: Response): Promise<boolean> {
  return await response.json().then(
    () => response.ok,
    () => false,
  )
}

/** Clients may only get a success or the request to try again later. */
function expectedAnswers(answers: Set<string>): Set<string> {
  return new Set(['200, retry after null', '503, retry after 2'].filter((answer) => answers.has(answer)))
}

async function descriptions({ address }: ServiceProcess, token: string): Promise<Set<string>> {
  const response = await fetch(`${address}/api/admin/local-principals`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(200)
  const principals = (await response.json()) as { description: string }[]
  return new Set(principals.map(({ description }) => description))
}

function databaseOf(dataDirectory: string) {
  return { host: join(dataDirectory, 'postgres/socket'), port: 5432, user: 'muster', database: 'muster' }
}

async function auditEntries(dataDirectory: string): Promise<unknown> {
  const [row] = await query(databaseOf(dataDirectory), 'select count(*)::integer as entries from audit_entries')
  return row?.entries
}

/** Entries whose hash is not that of their content, or that do not follow the entry before them, or the head. */
async function brokenAuditEntries(dataDirectory: string): Promise<unknown[]> {
  return await query(
    databaseOf(dataDirectory),
    `with linked as (
      select entry.id, entry.chain, entry.position, entry.hash, audit_entry_hash(entry) as computed, entry.previous_hash,
        lag(entry.hash, 1, '\\x') over chain as hash_before, lag(entry.position, 1, 0::bigint) over chain as position_before,
        lead(entry.id) over chain is null as is_last
      from audit_entries entry
      window chain as (partition by entry.chain order by entry.position)
    )
    select linked.id, linked.chain, linked.position from linked join audit_chains head using (chain)
    where linked.hash <> linked.computed or linked.previous_hash <> linked.hash_before
      or linked.position <> linked.position_before + 1
      or is_last and (head.hash, head.position) is distinct from (linked.hash, linked.position)`,
  )
}
