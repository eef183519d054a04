import type { IncomingHttpHeaders } from 'node:http'
import { invalidRequest } from '../../platform/general-problems.ts'
import { tusVersionUnsupported } from './problems.ts'

/** The version of tus, the protocol of resumable uploads (https://tus.io/protocols/resumable-upload). */
const tusVersion = '1.0.0'

/** What the service supports of tus. */
export const tusCapabilities = {
  'tus-resumable': tusVersion,
  'tus-version': tusVersion,
  'tus-extension': 'creation,termination,expiration',
}

/** Throws if the client speaks another version. One that does not name any calls the API without a library. */
export function requireTusVersion(headers: IncomingHttpHeaders): void {
  const version = headers['tus-resumable']
  if (version !== undefined && version !== tusVersion)
    throw tusVersionUnsupported().withHeaders({ 'tus-version': tusVersion, 'tus-resumable': tusVersion })
}

export type TransferState = { size: number; received: number; expiresAtUtc: Date }

/** What clients of tus read of an upload. */
export function tusHeaders({ size, received, expiresAtUtc }: TransferState): Record<string, string> {
  return {
    'tus-resumable': tusVersion,
    'upload-offset': String(received),
    'upload-length': String(size),
    'upload-expires': expiresAtUtc.toUTCString(),
  }
}

/** The body of a new upload whose client describes it in headers, as tus defines it. */
export function announcedUpload(headers: IncomingHttpHeaders): unknown {
  const length = headers['upload-length']
  if (length === undefined) return undefined
  const metadata = parseMetadata(String(headers['upload-metadata'] ?? ''))
  const [fingerprint, sha256] = [metadata.get('fingerprint'), metadata.get('sha256')]
  return {
    fileName: metadata.get('filename') ?? metadata.get('name'),
    size: parseCount(length),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(sha256 !== undefined && { sha256 }),
  }
}

/** The position from which the request continues. */
export function requireOffset(headers: IncomingHttpHeaders): number {
  const offset = parseCount(headers['upload-offset'])
  if (typeof offset === 'number') return offset
  throw invalidRequest({ detail: 'The header Upload-Offset must have the position at which the upload continues.' })
}

/** The number; the text itself if it is none, which the schema refuses. */
function parseCount(text: string | string[] | undefined): unknown {
  return /^\d{1,15}$/.test(String(text)) ? Number(text) : text
}

/** Pairs of a key and a value in base64, as in `filename c2V0dXAubXNp,fingerprint MTIz`. */
function parseMetadata(header: string): Map<string, string> {
  const pairs = header.split(',').map((pair) => pair.trim().split(' '))
  return new Map(pairs.map(([key = '', value = '']) => [key.toLowerCase(), Buffer.from(value, 'base64').toString()]))
}
