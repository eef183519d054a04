import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { lockAgent } from '../agents/lock-agent.ts'
import { unmetRequirement } from '../assignments/required-packages.ts'
import { computerScope, pinScopeGroups } from '../deployments/activation/activation-scope.ts'
import { bringRequired } from '../deployments/activation/bring-required.ts'
import { offerFlag } from '../distribution/commands.ts'
import { blockersOf, contactingAgent } from './blockers.ts'
import { recordTakenOffers, toRequesterRows, type WorkRequester } from './lease-work.ts'
import { type WorkCandidate, workCandidateColumns } from './work-candidates.ts'
import { workOf } from './work-facts.ts'

type WantedOffer = WorkCandidate & { rollout_id: string | null }

/** False: somebody has locked the computer, and nobody waits for that. */
type Recorded = { is_recorded: boolean }

/**
 * Takes the offers that the user requests and that wait for nothing but required packages, and brings these. The agent asks only once,
 * so the take is stored: as if the work item had been handed out and delayed. From its first attempt on, an optional package is no
 * offer. One that waits for nothing is taken when it is leased. Contacts that request nothing do nothing here.
 */
export async function takeOffers(db: Database, requester: WorkRequester): Promise<Recorded | undefined> {
  if (requester.requestedPackages.length === 0) return undefined
  const wanted = await listWantedOffers(db, requester)
  if (wanted.length === 0) return undefined
  return db.transaction().execute((transaction) => takeWanted(transaction, requester, wanted))
}

/** An offer whose requirements are not for the computer is none. */
async function listWantedOffers(db: Database, requester: WorkRequester): Promise<WantedOffer[]> {
  const { rows } = await sql<WantedOffer>`
    select ${workCandidateColumns}, w.rollout_id
    from ${workOf(toRequesterRows([requester]))}
    where w.state = 'Due' and w.package_id = any(${requester.requestedPackages}::uuid[]) and ${offerFlag('w')} = 1
      and relation.awaited_packages is not null
      and ${unmetRequirement(sql`w.computer_id`, sql`w.package_id`)} is null
    order by w.package_id`.execute(db)
  const agent = contactingAgent(requester)
  return rows.filter((item) => blockersOf(item, agent).every(({ reason }) => reason === 'RequirementMissing'))
}

/** What new work refers to is pinned before the computer. Its lock for update takes the place of an order of all that follows. */
async function takeWanted(db: Database, requester: WorkRequester, wanted: readonly WantedOffer[]): Promise<Recorded> {
  const { clientId } = requester
  const scope = computerScope(clientId, true)
  await sql`
    select from rollouts where id = any(${wanted.flatMap(({ rollout_id }) => rollout_id ?? [])}::uuid[])
    order by id for key share`.execute(db)
  await pinScopeGroups(db, scope)
  const { rows } = await sql`select from computers where id = ${clientId} for update skip locked`.execute(db)
  if (rows.length === 0) return { is_recorded: false }
  await lockAgent(db, clientId)
  const known = new Set(wanted.map(({ id }) => id))
  const taken = (await listWantedOffers(db, requester)).filter(({ id }) => known.has(id))
  if (taken.length === 0) return { is_recorded: true }
  const ids = taken.map(({ id }) => id)
  await sql`update work set attempt = attempt + 1, delays = delays + 1 where id = any(${ids}::bigint[])`.execute(db)
  await recordTakenOffers(db, taken)
  await bringRequired(db, scope, ids)
  return { is_recorded: true }
}
