import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isOptionalSql } from '../../distribution/commands.ts'
import { cancelWorkCtes } from '../../work-states/cancel-work.ts'
import { isOpenWork, workLockOrder } from '../../work-states/work-states.ts'

const computersAtOnce = 500

/** Open work with an optional package after its last date. What an agent has now is left to it. */
const isEndedOffer = sql<boolean>`
  ${isOpenWork('work.state')} and work.optional_date <= now() and ${isOptionalSql('work.commands')}
  and (work.leased_until is null or work.leased_until < now())`

/**
 * Cancels offers of optional packages after their last date, in small transactions. Skips what is locked: the next run
 * finds it again. Returns the number of offers.
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
    where id = any(array(select computer_id from work where ${isEndedOffer} limit ${computersAtOnce}))
    order by id for key share skip locked`.execute(db)
  if (computers.length === 0) return 0
  const { rows } = await sql`
    with ended as materialized (
      select work.id from work
      where work.computer_id = any(${computers.map(({ id }) => id)}::integer[]) and ${isEndedOffer}
      order by ${workLockOrder('work')} for update skip locked
    ), ${cancelWorkCtes(sql`select id from ended`, { reason: 'OfferEnded' })}
    select from cancelled`.execute(db)
  return rows.length
}
