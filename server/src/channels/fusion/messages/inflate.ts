import { gunzipSync, inflateSync } from 'node:zlib'
import { UnreadableError } from './unreadable-error.ts'

/** How the body of a message is packed. The first bytes show it; the headers are not always right. */
export type Packing = 'zlib' | 'gzip' | 'none'

export function detectPacking(body: Uint8Array): Packing {
  if (body[0] === 0x78) return 'zlib'
  return body[0] === 0x1f && body[1] === 0x8b ? 'gzip' : 'none'
}

/** Unpacks the body. Fails when the result would exceed the limit so that a small message cannot fill the memory. */
export function inflate(body: Uint8Array, maxBytes: number): Uint8Array {
  const packing = detectPacking(body)
  if (packing === 'none') {
    if (body.length > maxBytes) throw new UnreadableError('The message is too large')
    return body
  }
  try {
    return (packing === 'zlib' ? inflateSync : gunzipSync)(body, { maxOutputLength: maxBytes })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UnreadableError(
      code === 'ERR_BUFFER_TOO_LARGE' ? 'The message is too large' : 'The message cannot be unpacked',
    )
  }
}
