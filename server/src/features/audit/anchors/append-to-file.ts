import { type FileHandle, open } from 'node:fs/promises'
import type { Database } from '../../../database/connect.ts'
import { parseAnchor } from './anchor.ts'

// Longer than any anchor.
const tailLength = 65_536

/**
 * Appends the anchors that the file does not contain yet, including those that other nodes have taken, and returns their
 * number. The file contains all of them on every node.
 */
export async function appendAnchorsToFile(db: Database, path: string): Promise<number> {
  const file = await open(path, 'a+', 0o644)
  try {
    const lastTakenAt = await findLastTime(file)
    let unwritten = db.selectFrom('audit_anchors').select('document').orderBy('taken_at')
    if (lastTakenAt) unwritten = unwritten.where('taken_at', '>', lastTakenAt)
    const anchors = await unwritten.execute()
    if (anchors.length === 0) return 0
    await file.appendFile(anchors.map(({ document }) => `${document}\n`).join(''))
    await file.sync()
    return anchors.length
  } finally {
    await file.close()
  }
}

/** The time of the last anchor in the file. Removes an incomplete last line, which a crash may leave. */
async function findLastTime(file: FileHandle): Promise<Date | undefined> {
  const { size } = await file.stat()
  const start = Math.max(0, size - tailLength)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(tailLength), 0, tailLength, start)
  const tail = buffer.subarray(0, bytesRead)
  const end = tail.lastIndexOf('\n') + 1
  if (end < bytesRead) await file.truncate(start + end)
  const lines = tail.toString('utf8', 0, end).trimEnd().split('\n')
  const last = parseAnchor(lines.at(-1) ?? '')
  return last && new Date(last.takenAt)
}
