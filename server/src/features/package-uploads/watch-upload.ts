import type { Readable } from 'node:stream'
import type { Database } from '../../database/connect.ts'
import { requestTimeout } from '../../platform/general-problems.ts'
import { Problem } from '../../platform/problem.ts'
import { uploadInterrupted } from './problems.ts'
import { renewTransfer, type UploadTransfer, writerSeconds } from './transfer-rows.ts'

const checkMs = 5_000
/** A client that sends nothing for this long has to continue with another request. */
const maxSilenceMs = 30_000
/** Without an answer of the database for this long, another request may soon be allowed to write. */
const maxUnrenewedMs = (writerSeconds - 5) * 1_000

export type WatchedUpload = {
  db: Database
  transfer: UploadTransfer
  bytes: Readable
  /** Throws a problem if the principal has lost its right meanwhile. */
  requireAccess(): Promise<void>
}

/** Ends the reading of the bytes if the client falls silent, loses its right, or the upload is deleted. */
export function watchUpload({ db, transfer, bytes, requireAccess }: WatchedUpload) {
  let lastBytesAt = performance.now()
  let renewedAt = performance.now()
  let fault: Problem | undefined

  function stop(problem: Problem): void {
    fault ??= problem
    bytes.destroy(problem)
  }

  async function check(): Promise<void> {
    const start = performance.now()
    if (start - lastBytesAt > maxSilenceMs) return stop(requestTimeout())
    await requireAccess()
    if (!(await renewTransfer(db, transfer))) return stop(uploadInterrupted())
    renewedAt = start
  }

  const timer = setInterval(() => {
    check().catch((error: unknown) => {
      // Other errors say nothing about the right: the database may be unavailable for a moment.
      if (error instanceof Problem && error.kind.status < 500) stop(error)
    })
  }, checkMs)
  timer.unref()

  return {
    /** Called for each chunk before it is written. A process that was suspended must not write what another one has begun to write. */
    noteBytes(): void {
      lastBytesAt = performance.now()
      if (lastBytesAt - renewedAt > maxUnrenewedMs) throw uploadInterrupted()
    },
    /** Why the watch has ended the reading, if it has. */
    fault: () => fault,
    end: () => clearInterval(timer),
  }
}
