import { finished, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { rangeNotSatisfiable } from '../general-problems.ts'
import { type Pacer, paceStream } from '../load/pace.ts'
import { Problem } from '../problem.ts'

/** An open file, or what is in memory. */
export type FileSource = {
  createReadStream(range: { start: number; end: number }): Readable
  close(): Promise<void>
}

export function sourceOf(content: Buffer): FileSource {
  return {
    createReadStream: ({ start, end }) => Readable.from([content.subarray(start, end + 1)], { objectMode: false }),
    close: async () => {},
  }
}

export type FileToSend = {
  file: FileSource
  size: number
  etag: string
  /** Whether everybody may have the file, and its address always has the same content. */
  isPublic?: boolean
}

type Range = { first: number; last: number }

/** How often the right of a download in progress is checked. */
export const accessCheckSeconds = 30

/**
 * Answers with an open file, or with the range that the Range header requests, and closes the file. If `requireAccess`
 * throws a problem in the meantime, the answer breaks off. It is no faster than the pacers allow.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, size, etag, isPublic = false }: FileToSend,
  { requireAccess, pacers = [] }: { requireAccess?: (() => Promise<void>) | undefined; pacers?: readonly Pacer[] } = {},
): Promise<FastifyReply> {
  const { range, 'if-range': ifRange } = request.headers
  const requested =
    range === undefined || (ifRange !== undefined && ifRange !== etag) ? undefined : parseRange(range, size)
  if (requested === 'unsatisfiable') {
    await file.close()
    throw rangeNotSatisfiable().withHeaders({ 'content-range': `bytes */${size}` })
  }
  const caching = isPublic ? 'public, max-age=31536000, immutable, no-transform' : 'private, no-transform'
  reply.headers({ 'accept-ranges': 'bytes', etag, 'cache-control': caching })
  const { first, last } = requested ?? { first: 0, last: size - 1 }
  if (requested) reply.code(206).header('content-range', `bytes ${first}-${last}/${size}`)
  reply.type('application/octet-stream').header('content-length', last - first + 1)
  if (request.method === 'HEAD' || last < first) {
    await file.close()
    // A stream, because for a text Fastify would overwrite Content-Length.
    return reply.send(Readable.from([]))
  }
  const content = file.createReadStream({ start: first, end: last })
  if (requireAccess) breakOffWithoutAccess(reply, content, requireAccess)
  return reply.send(paceStream(content, pacers))
}

/** A timer, because a reader that stalls must be cut as well, and a check between chunks would slow all others down. */
function breakOffWithoutAccess(reply: FastifyReply, content: Readable, requireAccess: () => Promise<void>): void {
  const timer = setInterval(() => {
    requireAccess().catch((error: unknown) => {
      // Other errors say nothing about the right: the database may be unavailable for a moment.
      if (error instanceof Problem && error.kind.status < 500) content.destroy(error)
    })
  }, accessCheckSeconds * 1_000)
  timer.unref()
  finished(reply.raw, () => clearInterval(timer))
}

/** Parses one range of bytes. Several ranges and invalid ones are ignored, as RFC 9110 allows. */
function parseRange(header: string, size: number): Range | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? []
  if (from === '' && to === '') return undefined
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < first) return undefined
  return first > last ? 'unsatisfiable' : { first, last }
}
