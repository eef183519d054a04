import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import { leaseSeconds } from '../../src/features/deployments/lease.ts'
import type { Api } from '../api.ts'
import type { Report } from '../simulated-computers.ts'
import { verdict } from '../verdict.ts'
import { depotLoss, type Happened } from './faults.ts'
import { pause, seconds, secondsToFinish } from './length.ts'
import { importPackages, packageCount } from './packages.ts'

const waveCount = 10
const secondsBetweenWaves = Math.min(60, seconds / 15)

export type PreparedWork = {
  group: string
  /** Groups below it, in which the computers are. */
  waves: string[]
}

/** Packages that are installed anew whenever a wave of the computers is activated. */
export async function prepareWork(api: Api, store: string): Promise<PreparedWork> {
  const packages = await importPackages(api, store)
  type Groups = { items: { id: string; parentId: string | null }[] }
  const { items } = await api.get<Groups>('/api/group?type=AssignmentGroups')
  const root = items.find(({ parentId }) => parentId === null)?.id
  const group = await newGroup(api, 'Soak', root)
  const waves: string[] = []
  for (let wave = 1; wave <= waveCount; wave++) waves.push(await newGroup(api, `Soak ${wave}`, group))
  for (const packageId of packages) await api.post(`/api/group/${group}/packages`, { packageId })
  await api.put(`/api/group/${group}/distribution-options`, { commands: ['Reinstall'] })
  return { group, waves }
}

async function newGroup(api: Api, name: string, parentId: string | undefined): Promise<string> {
  return (await api.post<{ id: string }>('/api/group', { name, type: 'AssignmentGroups', parentId })).id
}

/** Activates one wave after the other, until it is time to finish. An activation that fails is sent again. */
export async function activateWaves(api: Api, waves: readonly string[], signal: AbortSignal) {
  const end = Date.now() + (seconds - secondsToFinish) * 1000
  let [activations, repeated] = [0, 0]
  while (Date.now() < end && !signal.aborted) {
    try {
      await api.post(`/api/group/${waves[activations % waves.length]}/activation`, { software: true })
      activations++
      await pause(secondsBetweenWaves, signal)
    } catch {
      repeated++
      await pause(1, signal)
    }
  }
  return { activations, repeated, lastAt: new Date() }
}

export type Activated = Awaited<ReturnType<typeof activateWaves>>

type WorkFigures = {
  pieces: number
  succeeded: number
  failed: number
  /** Those that computers have at the end. */
  held: number
  /** Times that a piece was handed out and neither failed nor ended. */
  lost: number
  /** Successes that the service has noted. */
  noted: number
}

async function figuresOf(db: Database): Promise<WorkFigures> {
  const { rows } = await sql<WorkFigures>`
    select count(*)::integer as pieces,
      count(*) filter (where state = 'Success')::integer as succeeded,
      count(*) filter (where state = 'Failed')::integer as failed,
      count(*) filter (where state = 'Leased')::integer as held,
      coalesce(sum(attempt - failures - postponements - (state <> 'Due')::integer), 0)::integer as lost,
      (select count(*)::integer from distribution_events where result = 'Success' and classification = 'Report') as noted
    from work where package_id is not null`.execute(db)
  const [figures] = rows
  if (!figures) throw new Error('The database has told nothing about work.')
  return figures
}

/** Work that is due or handed out, of computers with which nothing was begun or ended since the last activation. */
async function stuckPieces(db: Database, lastActivation: Date): Promise<object[]> {
  const touched = sql`${lastActivation}::timestamptz + ${leaseSeconds} * interval '1 second'`
  const { rows } = await sql<object>`
    select computer_id, kind, state, attempt, failures, progress, leased_until, not_before, created_at
    from work
    where (state = 'Due' and not_before < ${lastActivation} or state = 'Leased' and leased_until < ${touched})
      and not exists (
        select from work other
        where other.computer_id = work.computer_id
          and (other.closed_at >= ${lastActivation} or other.leased_until >= ${touched}))
    order by id`.execute(db)
  return rows
}

export async function tellWork(db: Database, report: Report, activated: Activated): Promise<void> {
  const figures = await figuresOf(db)
  const stuck = await stuckPieces(db, activated.lastAt)
  const happened = (event: string) => report.events[event] ?? 0
  console.log(`${activated.activations} activations, sent again ${activated.repeated} times. Work:`)
  console.table(figures)
  if (stuck.length > 0) console.table(stuck.slice(0, 10))
  verdict(`work that is stuck: ${stuck.length} of ${figures.pieces} pieces`, stuck.length === 0 && figures.pieces > 0)
  const done = happened('work that succeeded')
  const isOnce = done - figures.held <= figures.succeeded && figures.noted === figures.succeeded
  verdict(
    `done by computers: ${done}, of which the service knows ${figures.succeeded}, noted ${figures.noted} times, and ` +
      `${figures.held} at most are still to be told; none was done twice`,
    isOnce && figures.succeeded > 0,
  )
  // A computer that restarts, and one that does not get the answer to its contact, loses all that it was handed.
  const contacts = report.operations.find(({ operation }) => operation === 'contact')
  const losers = happened('restarts') + (contacts?.failed ?? 0) + (contacts?.unanswered ?? 0)
  const bar = packageCount * losers
  verdict(
    `handed out again: ${figures.lost} times; restarts and failed contacts: ${losers}, each of ${packageCount} pieces at most`,
    figures.lost <= bar,
  )
}

/** Whether installations went on while there was no depot. */
export async function tellWorkWithoutDepot(db: Database, report: Report, happened: readonly Happened[]): Promise<void> {
  const loss = happened.find(({ name }) => name === depotLoss)
  if (!loss) throw new Error('The depot was never lost.')
  const { succeeded } = await db
    .selectFrom('work')
    .select(({ fn }) => fn.countAll<number>().as('succeeded'))
    .where('state', '=', 'Success')
    .where('closed_at', '>', new Date(loss.at))
    .where('closed_at', '<', new Date(loss.until))
    .executeTakeFirstOrThrow()
  const [byDepot = 0, byServer = 0] = ['files from depots', 'files from the server'].map((name) => report.events[name])
  const sentence = `work that succeeded without the depot: ${succeeded}; files from the depot ${byDepot}, from the server ${byServer}`
  verdict(sentence, succeeded > 0 && byDepot > 0 && byServer > 0)
}
