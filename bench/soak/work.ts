import { sql } from 'kysely'
import type { Database } from '../../server/src/database/connect.ts'
import { leaseSeconds } from '../../server/src/features/deployments/lease.ts'
import type { Api } from '../api.ts'
import type { Report } from '../simulated-computers.ts'
import { reportTarget } from '../target.ts'
import { pause, seconds, secondsToFinish } from './duration.ts'
import { depotLoss, type FaultRecord } from './faults.ts'
import { importPackages, packageCount } from './packages.ts'

const waveCount = 10
const secondsBetweenWaves = Math.min(60, seconds / 15)

export type PreparedWork = {
  group: string
  /** Groups below `group` that contain the computers. */
  waves: string[]
}

/** Imports packages and assigns them to groups. Each activation of a wave reinstalls them. */
export async function prepareWork(api: Api, store: string): Promise<PreparedWork> {
  const packages = await importPackages(api, store)
  type Groups = { items: { id: string; parentId: string | null }[] }
  const { items } = await api.get<Groups>('/api/group?type=AssignmentGroups')
  const root = items.find(({ parentId }) => parentId === null)?.id
  const group = await createGroup(api, 'Soak', root)
  const waves: string[] = []
  for (let wave = 1; wave <= waveCount; wave++) waves.push(await createGroup(api, `Soak ${wave}`, group))
  for (const packageId of packages) await api.post(`/api/group/${group}/packages`, { packageId })
  await api.put(`/api/group/${group}/distribution-options`, { commands: ['Reinstall'] })
  return { group, waves }
}

async function createGroup(api: Api, name: string, parentId: string | undefined): Promise<string> {
  return (await api.post<{ id: string }>('/api/group', { name, type: 'AssignmentGroups', parentId })).id
}

/** Activates one wave after the other until `secondsToFinish`. A failed activation is retried. */
export async function activateWaves(api: Api, waves: readonly string[], signal: AbortSignal) {
  const end = Date.now() + (seconds - secondsToFinish) * 1000
  let [activations, retries] = [0, 0]
  while (Date.now() < end && !signal.aborted) {
    try {
      await api.post(`/api/group/${waves[activations % waves.length]}/activation`, { software: true })
      activations++
      await pause(secondsBetweenWaves, signal)
    } catch {
      retries++
      await pause(1, signal)
    }
  }
  return { activations, retries, lastAt: new Date() }
}

export type Activated = Awaited<ReturnType<typeof activateWaves>>

type WorkFigures = {
  items: number
  succeeded: number
  failed: number
  /** Work items that computers have leased at the end. */
  leased: number
  /** Leases that ended without a result. */
  lost: number
  /** Successes in the deployment history. */
  recorded: number
}

async function countWork(db: Database): Promise<WorkFigures> {
  const { rows } = await sql<WorkFigures>`
    select count(*)::integer as items,
      count(*) filter (where state = 'Success')::integer as succeeded,
      count(*) filter (where state = 'Failed')::integer as failed,
      count(*) filter (where state = 'Leased')::integer as leased,
      coalesce(sum(attempt - failures - postponements - (state <> 'Due')::integer), 0)::integer as lost,
      (select count(*)::integer from distribution_events where result = 'Success' and classification = 'Report') as recorded
    from work where package_id is not null`.execute(db)
  const [figures] = rows
  if (!figures) throw new Error('The database returned no figures about work.')
  return figures
}

/** Lists open work items of computers that have not started or finished any work since the last activation. */
async function listStuckItems(db: Database, lastActivation: Date): Promise<object[]> {
  const leasedSince = sql`${lastActivation}::timestamptz + ${leaseSeconds} * interval '1 second'`
  const { rows } = await sql<object>`
    select computer_id, kind, state, attempt, failures, progress, leased_until, not_before, created_at
    from work
    where (state = 'Due' and not_before < ${lastActivation} or state = 'Leased' and leased_until < ${leasedSince})
      and not exists (
        select from work other
        where other.computer_id = work.computer_id
          and (other.closed_at >= ${lastActivation} or other.leased_until >= ${leasedSince}))
    order by id`.execute(db)
  return rows
}

export async function reportWork(db: Database, report: Report, activated: Activated): Promise<void> {
  const figures = await countWork(db)
  const stuck = await listStuckItems(db, activated.lastAt)
  const countOf = (event: string) => report.events[event] ?? 0
  console.log(`${activated.activations} activations, ${activated.retries} retries. Work items:`)
  console.table(figures)
  if (stuck.length > 0) console.table(stuck.slice(0, 10))
  reportTarget(`stuck work items: ${stuck.length} of ${figures.items}`, stuck.length === 0 && figures.items > 0)
  const done = countOf('work that succeeded')
  const isConsistent = done - figures.leased <= figures.succeeded && figures.recorded === figures.succeeded
  reportTarget(
    `work items done by computers: ${done}; successes in the service: ${figures.succeeded}, in the history: ` +
      `${figures.recorded}, not reported yet: at most ${figures.leased}; none was done twice`,
    isConsistent && figures.succeeded > 0,
  )
  // A computer that restarts, or does not get the answer to its contact, loses all work that it has leased.
  const contacts = report.operations.find(({ operation }) => operation === 'contact')
  const losses = countOf('restarts') + (contacts?.failed ?? 0) + (contacts?.unanswered ?? 0)
  reportTarget(
    `lost leases: ${figures.lost}; restarts and failed contacts: ${losses}, each loses at most ${packageCount} work items`,
    figures.lost <= packageCount * losses,
  )
}

/** Checks that installations continued while the depot was unavailable. */
export async function reportWorkWithoutDepot(
  db: Database,
  report: Report,
  faults: readonly FaultRecord[],
): Promise<void> {
  const loss = faults.find(({ name }) => name === depotLoss)
  if (!loss) throw new Error('The depot never failed.')
  const { succeeded } = await db
    .selectFrom('work')
    .select(({ fn }) => fn.countAll<number>().as('succeeded'))
    .where('state', '=', 'Success')
    .where('closed_at', '>', new Date(loss.at))
    .where('closed_at', '<', new Date(loss.until))
    .executeTakeFirstOrThrow()
  const [byDepot = 0, byServer = 0] = ['files from depots', 'files from the server'].map((name) => report.events[name])
  const sentence = `successes without the depot: ${succeeded}; files from the depot ${byDepot}, from the server ${byServer}`
  reportTarget(sentence, succeeded > 0 && byDepot > 0 && byServer > 0)
}
