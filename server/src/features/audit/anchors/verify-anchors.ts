import type { KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { anchorText, parseAnchor, type SignedAnchor } from './anchor.ts'
import { hashAnchor, hasValidSignature } from './anchor-key.ts'

export type AnchorVerification = { anchors: number; faults: string[] }

const maxFaults = 100

/**
 * Compares the audit trail with anchors that were kept elsewhere. Together with the verification of the chains, this
 * finds entries that were changed, inserted or deleted before the newest anchor, even if all hashes were written again.
 */
export async function verifyAnchors(
  db: Database,
  lines: readonly string[],
  key: KeyObject,
): Promise<AnchorVerification> {
  // Two nodes may have written to one file.
  const documents = [...new Set(lines)]
  const { id: installation } = await db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  const faults: string[] = []
  const anchors: SignedAnchor[] = []
  for (const [index, document] of documents.entries()) {
    const anchor = parseAnchor(document)
    const fault = anchor ? findFault(anchor, documents[index - 1], installation, key) : 'is not an anchor'
    if (fault) faults.push(`Anchor ${index + 1}${anchor ? ` of ${anchor.takenAt}` : ''} ${fault}.`)
    if (anchor) anchors.push(anchor)
  }
  faults.push(...(await listMissingHeads(db, anchors)))
  return { anchors: documents.length, faults: faults.slice(0, maxFaults) }
}

function findFault(
  anchor: SignedAnchor,
  before: string | undefined,
  installation: string,
  key: KeyObject,
): string | undefined {
  if (!hasValidSignature(key, anchorText(anchor), anchor.signature)) return 'has no valid signature of this key'
  if (anchor.installation !== installation) return 'belongs to another installation'
  if (before !== undefined && anchor.previous !== hashAnchor(before))
    return 'does not follow the one before it: anchors are missing, or a backup was restored'
  return undefined
}

type MissingHead = { chain: number; position: number; takenAt: string; isChanged: boolean }

async function listMissingHeads(db: Database, anchors: readonly SignedAnchor[]): Promise<string[]> {
  const heads = anchors.flatMap(({ takenAt, heads }) => heads.map((head) => ({ ...head, takenAt })))
  const { rows } = await sql<MissingHead>`
    select head.chain, head.position, head.taken_at as "takenAt", entry.id is not null as "isChanged"
    from unnest(${heads.map(({ chain }) => chain)}::integer[], ${heads.map(({ position }) => position)}::bigint[],
        ${heads.map(({ hash }) => hash)}::text[], ${heads.map(({ takenAt }) => takenAt)}::text[])
      as head (chain, position, hash, taken_at)
      left join audit_entries entry on entry.chain = head.chain and entry.position = head.position
    where head.position > 0 and encode(entry.hash, 'hex') is distinct from head.hash
    order by head.chain, head.position limit ${maxFaults}`.execute(db)
  return rows.map(
    ({ chain, position, takenAt, isChanged }) =>
      `Chain ${chain} ${isChanged ? 'has another entry' : 'has no entry'} at position ${position}, where the anchor of ` +
      `${takenAt} was taken: ${isChanged ? 'the trail was rewritten' : 'entries were deleted, or a backup was restored'}.`,
  )
}
