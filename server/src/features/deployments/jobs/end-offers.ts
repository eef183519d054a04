import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isOptionalSql, offerFlag } from '../../distribution/commands.ts'
import { cancelWorkCtes } from '../../work-states/cancel-work.ts'
import { isOpenInstallation, isOpenWork, workLockOrder } from '../../work-states/work-states.ts'

const computersAtOnce = 500

/** Open work, given its alias, that is not with an agent now: what one has is left to it. */
const isWithNobody = (work: string) => sql<boolean>`(
  ${isOpenWork(`${work}.state`)} and coalesce(${sql.ref(`${work}.leased_until`)} < now(), true))`

/** Open work with an optional package after its last date. */
const isEndedOffer = (work: string) => sql<boolean>`(
  ${isWithNobody(work)} and ${sql.ref(`${work}.optional_date`)} <= now() and ${isOptionalSql(`${work}.commands`)})`

/** Open work with what a taken offer has brought, and nothing else that comes to the computer requires. */
const isOnlyForEndedOffer = sql<boolean>`(
  work.is_brought and work.kind = 'Install' and ${isWithNobody('work')} and exists (
    select from work offer join package_pulls pulls on pulls.package_id = offer.package_id and pulls.pulled_id = work.package_id
    where offer.computer_id = work.computer_id and ${isEndedOffer('offer')} and ${offerFlag('offer')} = 0)
  and not exists (
    select from work other join package_pulls pulls on pulls.package_id = other.package_id and pulls.pulled_id = work.package_id
    where other.computer_id = work.computer_id and ${isOpenInstallation('other')} and not other.is_brought
      and ${offerFlag('other')} = 0 and not ${isEndedOffer('other')}))`

/**
 * Cancels offers of optional packages after their last date, with what they have brought, in small transactions. Skips what is
 * locked: the next run finds it again. Returns the number of work items.
 */
export async function endOffers(db: Database, signal?: AbortSignal): Promise<number> {
  let ended = 0
  for (let isMore = true; isMore && !signal?.aborted; ) {
    const offers = await db.transaction().execute(endSomeOffers)
    ended += offers
    isMore = offers > 0
  }
  return ended
}

async function endSomeOffers(db: Database): Promise<number> {
  const { rows: computers } = await sql<{ id: number }>`
    select id from computers
    where id = any(array(select computer_id from work where ${isEndedOffer('work')} limit ${computersAtOnce}))
    order by id for key share skip locked`.execute(db)
  if (computers.length === 0) return 0
  const { rows } = await sql`
    with ended as materialized (
      select work.id from work
      where work.computer_id = any(${computers.map(({ id }) => id)}::integer[])
        and (${isEndedOffer('work')} or ${isOnlyForEndedOffer})
      order by ${workLockOrder('work')} for update skip locked
    ), ${cancelWorkCtes(sql`select id from ended`, { reason: 'OfferEnded' })}
    select from cancelled`.execute(db)
  return rows.length
}
