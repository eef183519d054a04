import { sql } from 'kysely'
import { tryLockForTransaction } from '../../../database/advisory-locks.ts'
import type { Database } from '../../../database/connect.ts'
import { type ChainHead, toAnchorDocument } from './anchor.ts'
import { type AnchorKey, hashAnchor } from './anchor-key.ts'

/** Nodes that were stopped for longer do not get the anchors of that time. */
const retentionDays = 90

/** Signs the ends of the chains if the last anchor is an hour old. One node does it at a time. */
export async function takeAnchorIfDue(db: Database, key: AnchorKey): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await tryLockForTransaction(tx, 'auditAnchors'))) return false
    const last = await tx
      .selectFrom('audit_anchors')
      .select(['document', sql<boolean>`taken_at > now() - interval '1 hour'`.as('isRecent')])
      .orderBy('taken_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (last?.isRecent) return false
    // Documents contain milliseconds. Without rounding, the time in the table would be later than the one in the file.
    const { rows } = await sql<{ installation: string; takenAt: Date; heads: ChainHead[] }>`
      select id as installation, date_trunc('milliseconds', now()) as "takenAt", (
        select coalesce(json_agg(json_build_object('chain', chain, 'position', position, 'hash', encode(hash, 'hex'))
          order by chain), '[]') from audit_chains) as heads
      from installation`.execute(tx)
    const [now] = rows
    if (!now) return false
    const { installation, takenAt, heads } = now
    const previous = last ? hashAnchor(last.document) : null
    const document = toAnchorDocument({ installation, takenAt: takenAt.toISOString(), heads, previous }, key)
    await tx.insertInto('audit_anchors').values({ taken_at: takenAt, document }).execute()
    await tx
      .deleteFrom('audit_anchors')
      .where('taken_at', '<', sql<Date>`now() - make_interval(days => ${retentionDays})`)
      .execute()
    return true
  })
}
