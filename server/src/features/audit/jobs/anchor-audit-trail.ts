import type { Database } from '../../../database/connect.ts'
import { openServerKeys } from '../../../platform/authentication/server-keys.ts'
import type { Configuration } from '../../../platform/configuration.ts'
import { openAnchorKey } from '../anchors/anchor-key.ts'
import { appendAnchorsToFile } from '../anchors/append-to-file.ts'
import { sendAnchors } from '../anchors/send-anchors.ts'
import { takeAnchorIfDue } from '../anchors/take-anchor.ts'

/** Takes an anchor each hour and exports it. What could not be exported is exported by the next run. */
export async function anchorAuditTrail(
  db: Database,
  { anchorFile, anchorUrl, keyFile }: Pick<Configuration, 'anchorFile' | 'anchorUrl' | 'keyFile'>,
  signal: AbortSignal,
): Promise<void> {
  if (!anchorFile && !anchorUrl) return
  // Read for each run, because a restore replaces the key.
  const keys = await openServerKeys(db, keyFile)
  await takeAnchorIfDue(db, openAnchorKey(keys.anchorSeed()))
  const exports = await Promise.allSettled([
    anchorFile && appendAnchorsToFile(db, anchorFile),
    anchorUrl && sendAnchors(db, anchorUrl, signal),
  ])
  const failed = exports.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
