import { type Counts, type FrameKind, frameHeadLength, frameKinds, type Header, type Trailer } from './format.ts'

export const headerFrame = (header: Header) => frame(frameKinds.header, json(header))
export const tableFrame = (index: number) => frame(frameKinds.table, json(index))
export const dataFrame = (chunk: Buffer) => frame(frameKinds.data, chunk)
export const trailerFrame = (tables: Counts[]) => frame(frameKinds.trailer, json({ tables } satisfies Trailer))

function frame(kind: FrameKind, content: Buffer): Buffer {
  const head = Buffer.alloc(frameHeadLength)
  head.write(kind, 'latin1')
  head.writeUInt32BE(content.length, 1)
  return Buffer.concat([head, content])
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}
