import { createHash } from 'node:crypto'
import { type Counts, type FrameKind, frameHeadLength, frameKinds, type Header, type Trailer } from './format.ts'

/** Turns parts of a backup into frames, and keeps the hash of all of them for the trailer. */
export function frameWriter() {
  const hash = createHash('sha256')
  const hashed = (kind: FrameKind, content: Buffer): Buffer => {
    const written = frame(kind, content)
    hash.update(written)
    return written
  }
  return {
    header: (header: Header) => hashed(frameKinds.header, json(header)),
    table: (place: number) => hashed(frameKinds.table, json(place)),
    data: (piece: Buffer) => hashed(frameKinds.data, piece),
    trailer: (tables: Counts[]) =>
      frame(frameKinds.trailer, json({ tables, sha256: hash.digest('hex') } satisfies Trailer)),
  }
}

function frame(kind: FrameKind, content: Buffer): Buffer {
  const head = Buffer.alloc(frameHeadLength)
  head.write(kind, 'latin1')
  head.writeUInt32BE(content.length, 1)
  return Buffer.concat([head, content])
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}
