import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

const timeoutMs = 10_000

/**
 * Posts the anchors that were not sent yet, oldest first, and returns their number. Throws if the receiver does not
 * accept one: the next run tries again. After a crash, an anchor may be sent twice.
 */
export async function sendAnchors(db: Database, url: string, signal: AbortSignal): Promise<number> {
  for (let sent = 0; ; sent++) {
    const anchor = await claimAnchor(db)
    if (!anchor) return sent
    try {
      await post(url, anchor.document, signal)
    } catch (error) {
      await releaseAnchor(db, anchor.taken_at)
      throw error
    }
    await db.updateTable('audit_anchors').set({ sent_at: sql`now()` }).where('taken_at', '=', anchor.taken_at).execute()
  }
}

/** The oldest anchor that was not sent, unless another node is sending it. */
async function claimAnchor(db: Database): Promise<{ taken_at: Date; document: string } | undefined> {
  return db
    .updateTable('audit_anchors')
    .set({ claimed_until: sql`now() + interval '1 minute'` })
    .where('taken_at', '=', ({ selectFrom }) =>
      selectFrom('audit_anchors')
        .select('taken_at')
        .where('sent_at', 'is', null)
        .orderBy('taken_at')
        .limit(1)
        .forUpdate(),
    )
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<', sql<Date>`now()`)]))
    .where('sent_at', 'is', null)
    .returning(['taken_at', 'document'])
    .executeTakeFirst()
}

async function releaseAnchor(db: Database, takenAt: Date): Promise<void> {
  await db.updateTable('audit_anchors').set({ claimed_until: null }).where('taken_at', '=', takenAt).execute()
}

async function post(url: string, document: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: document,
    // A redirect could lead to an address without TLS.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The receiver of the anchors answered with ${response.status}.`)
}
