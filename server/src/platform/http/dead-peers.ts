import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isIPv4 } from 'node:net'

/** Unacknowledged bytes are repeated this often within 12 seconds at the earliest. */
const minRepetitions = 6

const tables = ['/proc/net/tcp', '/proc/net/tcp6']
const established = '01'

/** What identifies a peer among those of this machine. */
export const peerKey = (address: string, port: number): string => `${address.replace(/^::ffff:/i, '')} ${port}`

/**
 * Lists the peers of connections that no longer acknowledge what is sent to them, at each call. Without this, a connection over
 * a network that silently drops packets would count as open for a quarter of an hour: Node has no such timeout. Only Linux shows
 * it; elsewhere the list is empty.
 */
export function watchDeadPeers(): () => Promise<Set<string>> {
  let known: string | undefined
  return async () => {
    const timeouts = await readTimeouts()
    // Bytes are repeated when no acknowledgement comes in time. If that has not happened since the last look, no table needs to be read:
    // that takes a tenth of a second for 50,000 connections.
    const isUnchanged = timeouts !== undefined && timeouts === known
    known = timeouts
    if (isUnchanged) return new Set()
    const found = await Promise.all(tables.map(findDeadPeers))
    return new Set(found.flat())
  }
}

/** How often no acknowledgement came in time, on the whole system; undefined where that is not known. */
async function readTimeouts(): Promise<string | undefined> {
  const text = await readFile('/proc/net/netstat', 'latin1').catch(() => '')
  const [names = [], values = []] = text.split('\n').map((line) => line.split(' '))
  const at = names.indexOf('TCPTimeouts')
  return at < 0 ? undefined : values[at]
}

/** Reads the table in parts: the whole text would be garbage of many megabytes. */
async function findDeadPeers(path: string): Promise<string[]> {
  const found: string[] = []
  try {
    let rest = ''
    for await (const part of createReadStream(path, { encoding: 'latin1' })) {
      const text: string = rest + part
      const end = text.lastIndexOf('\n') + 1
      found.push(...parseDeadPeers(text.slice(0, end)))
      rest = text.slice(end)
    }
  } catch {
    // This system has no such table.
  }
  return found
}

const nothingToRepeat = ' 00000000:'

/** Nearly all connections have nothing to repeat. */
export function parseDeadPeers(lines: string): string[] {
  const found: string[] = []
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf('\n', start)
    const line = lines.slice(start, end)
    start = end + 1
    if (line.includes(nothingToRepeat)) continue
    const [, , peer = '', state, , , repetitions = '0'] = line.trim().split(/\s+/)
    if (state === established && Number.parseInt(repetitions, 16) >= minRepetitions) found.push(toPeerKey(peer))
  }
  return found
}

/** Addresses are words of 32 bits in the order of the bytes of the processor. */
function toPeerKey(peer: string): string {
  const [hex = '', port = ''] = peer.split(':')
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => [...Buffer.from(word, 'hex')].reverse())
  const groups = bytes.length === 4 ? bytes.join('.') : formatIpv6(bytes)
  return peerKey(groups, Number.parseInt(port, 16))
}

function formatIpv6(bytes: readonly number[]): string {
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff
  if (isMapped) return bytes.slice(12).join('.')
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16),
  )
  const { hostname } = new URL(`http://[${groups.join(':')}]`)
  return isIPv4(hostname) ? hostname : hostname.slice(1, -1)
}
