import { inflate } from './inflate.ts'
import { readXml } from './read-xml.ts'
import { Unreadable } from './unreadable-error.ts'

/** What an agent says, in lower-case names whatever the format is. */
export type Message = {
  format: 'xml' | 'json'
  /** What it wants, in lower case: prolog, contact, inventory or something else. */
  action: string
  deviceId: string
  /** Only what has changed is in it. */
  isPartial: boolean
  /** All of the message. */
  said: Record<string, unknown>
  /** The sections of an inventory. */
  content: Record<string, unknown>
}

/** The largest real inventory that was seen has 1.4 MB. */
export const mostInflatedBytes = 16 * 1024 * 1024

const ignored = new Set([
  // There are secrets in them.
  ...['processes', 'envs', 'licenseinfos', 'versionprovider', 'winprodkey', 'winprodid'],
  // Nobody needs them, and there are thousands of them.
  ...['filesize', 'from', 'system_category', 'uninstall_string', 'helplink', 'no_remove', 'accesslog'],
])

export function readMessage(body: Uint8Array, maxBytes = mostInflatedBytes): Message {
  const bytes = inflate(body, maxBytes)
  const text = textOf(bytes)
  const first = /[^\s\uFEFF]/.exec(text)?.[0]
  if (first === '<') return fromXml(text)
  if (first === '{') return fromJson(text)
  throw new Unreadable('Neither XML nor JSON')
}

function textOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(100, bytes.length)).toString('latin1')
  const isLatin = /^\s*<\?xml[^>]+encoding=["'](?:iso-8859-1|windows-1252)["']/i.test(head)
  return new TextDecoder(isLatin ? 'windows-1252' : 'utf-8').decode(bytes)
}

function fromXml(text: string): Message {
  const { request } = readXml(text, ignored)
  const said = recordOf(request)
  if (!said) throw new Unreadable('XML: it is no request')
  return {
    format: 'xml',
    action: textAt(said.query).toLowerCase(),
    deviceId: deviceIdOf(said),
    isPartial: false,
    said,
    content: recordOf(said.content) ?? {},
  }
}

function fromJson(text: string): Message {
  const said = recordOf(parsed(text))
  if (!said) throw new Unreadable('JSON: it is no object')
  return {
    format: 'json',
    action: textAt(said.action).toLowerCase() || 'inventory',
    deviceId: deviceIdOf(said),
    isPartial: said.partial === true || said.partial === 1,
    said,
    content: recordOf(said.content) ?? {},
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw new Unreadable('JSON: it is not valid')
  }
}

function deviceIdOf({ deviceid }: Record<string, unknown>): string {
  const id = textAt(deviceid).trim()
  if (!/^[\x21-\x7e]{1,255}$/.test(id)) throw new Unreadable('The id of the device is missing, or is none')
  return id
}

function textAt(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}
