import { readFile } from 'node:fs/promises'
import { isIPv4 } from 'node:net'

/** Unacknowledged bytes are repeated this often within 12 seconds at the earliest. */
const minRepetitions = 6

const tables = ['/proc/net/tcp', '/proc/net/tcp6']
const established = '01'

/** What identifies a peer among those of this machine. */
export const peerKey = (address: string, port: number): string => `${address.replace(/^::ffff:/i, '')} ${port}`

/**
 * The peers of connections that no longer acknowledge what is sent to them. Without this, a connection over a network that
 * silently drops packets would count as open for a quarter of an hour: Node has no such timeout. Only Linux shows it; elsewhere
 * the list is empty.
 */
export async function listDeadPeers(): Promise<Set<string>> {
  const texts = await Promise.all(tables.map((path) => readFile(path, 'latin1').catch(() => '')))
  return new Set(texts.flatMap(parseDeadPeers))
}

/** The lines of a table have fields of a fixed width. Nearly all connections have nothing to repeat. */
export function parseDeadPeers(table: string): string[] {
  const found: string[] = []
  for (let start = table.indexOf('\n') + 1; start > 0 && start < table.length; ) {
    const end = table.indexOf('\n', start)
    const line = table.slice(start, end < 0 ? undefined : end)
    start = end < 0 ? -1 : end + 1
    if (line.includes(' 00000000:')) continue
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
