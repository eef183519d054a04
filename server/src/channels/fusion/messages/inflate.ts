import { gunzipSync, inflateSync } from 'node:zlib'
import { Unreadable } from './unreadable-error.ts'

/** How the body of a message is packed. Its first bytes say so; what the headers say is not always true. */
export type Packing = 'zlib' | 'gzip' | 'none'

export function packingOf(body: Uint8Array): Packing {
  if (body[0] === 0x78) return 'zlib'
  return body[0] === 0x1f && body[1] === 0x8b ? 'gzip' : 'none'
}

/** The body as it was before it was packed, at most so many bytes. */
export function inflate(body: Uint8Array, maxBytes: number): Uint8Array {
  const packing = packingOf(body)
  if (packing === 'none') {
    if (body.length > maxBytes) throw new Unreadable('The message is too large')
    return body
  }
  try {
    return (packing === 'zlib' ? inflateSync : gunzipSync)(body, { maxOutputLength: maxBytes })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Unreadable(code === 'ERR_BUFFER_TOO_LARGE' ? 'The message is too large' : 'It cannot be unpacked')
  }
}
