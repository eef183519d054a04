import { findJsonExcess, type JsonLimits } from '@muster/schema'
import { inflate } from './inflate.ts'
import { readXml } from './read-xml.ts'
import { UnreadableError } from './unreadable-error.ts'

/** A message of an agent. Names are in lower case in both formats. */
export type Message = {
  format: 'xml' | 'json'
  /** In lower case: prolog, contact, inventory or something that this service does not support. */
  action: string
  deviceId: string
  /** It contains only what has changed. */
  isPartial: boolean
  /** The whole message. */
  fields: Record<string, unknown>
  /** The sections of an inventory. */
  content: Record<string, unknown>
}

/** The largest real inventory so far has 1.4 MB. */
export const maxInflatedBytes = 16 * 1024 * 1024

/** As for XML: agents send five levels, and the largest report so far has 40,000 elements. */
const jsonLimits: JsonLimits = { maxDepth: 16, maxValues: 400_000 }

const ignoredElements = new Set([
  // They may contain secrets.
  ...['processes', 'envs', 'licenseinfos', 'versionprovider', 'winprodkey', 'winprodid'],
  // They are numerous and not used.
  ...['filesize', 'from', 'system_category', 'uninstall_string', 'helplink', 'no_remove', 'accesslog'],
])

export function readMessage(body: Uint8Array, maxBytes = maxInflatedBytes): Message {
  const bytes = inflate(body, maxBytes)
  const text = decodeText(bytes)
  const first = /[^\s\uFEFF]/.exec(text)?.[0]
  if (first === '<') return fromXml(text)
  if (first === '{') return fromJson(bytes, text)
  throw new UnreadableError('Neither XML nor JSON')
}

function decodeText(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(100, bytes.length)).toString('latin1')
  const isLatin = /^\s*<\?xml[^>]+encoding=["'](?:iso-8859-1|windows-1252)["']/i.test(head)
  return new TextDecoder(isLatin ? 'windows-1252' : 'utf-8').decode(bytes)
}

function fromXml(text: string): Message {
  const { request } = readXml(text, ignoredElements)
  const fields = toRecord(request)
  if (!fields) throw new UnreadableError('XML: it is not a request')
  return {
    format: 'xml',
    action: toStringOrEmpty(fields.query).toLowerCase(),
    deviceId: parseDeviceId(fields),
    isPartial: false,
    fields,
    content: toRecord(fields.content) ?? {},
  }
}

function fromJson(bytes: Uint8Array, text: string): Message {
  const excess = findJsonExcess(bytes, jsonLimits)
  if (excess !== undefined) throw new UnreadableError(`JSON: it ${excess}`)
  const fields = toRecord(parseJson(text))
  if (!fields) throw new UnreadableError('JSON: it is not an object')
  return {
    format: 'json',
    action: toStringOrEmpty(fields.action).toLowerCase() || 'inventory',
    deviceId: parseDeviceId(fields),
    isPartial: fields.partial === true || fields.partial === 1,
    fields,
    content: toRecord(fields.content) ?? {},
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw new UnreadableError('JSON: it is not valid')
  }
}

function parseDeviceId({ deviceid }: Record<string, unknown>): string {
  const id = toStringOrEmpty(deviceid).trim()
  if (!/^[\x21-\x7e]{1,255}$/.test(id)) throw new UnreadableError('The device id is missing or not valid')
  return id
}

function toStringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function toRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}
