import { type PublicKey, parsePublicKey } from './minisign.ts'

/** Keys to trust. A list that replaces pinned keys has a serial so that an older list cannot be used again. */
export type KeyList = { serial: number | null; keys: PublicKey[] }

/** Hundreds of keys. The list is read before its signature is known to be valid. */
const maxLength = 64 * 1024

const header = /^muster-trusted-keys (\d{1,9})$/

/** Parses keys or whole key files, one line each, with or without the header of a signed list. */
export function parseKeyList(text: string): KeyList | string {
  if (text.length > maxLength) return `it has more than ${maxLength} characters`
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const serial = header.exec(lines[0] ?? '')?.[1]
  const entries = lines
    .slice(serial === undefined ? 0 : 1)
    .filter((line) => line !== '' && !line.startsWith('untrusted comment:'))
  const keys: PublicKey[] = []
  for (const entry of entries) {
    const key = parsePublicKey(entry)
    if (!key) return `'${entry.slice(0, 100)}' is not a public key of minisign`
    if (!keys.some(({ text }) => text === key.text)) keys.push(key)
  }
  if (keys.length === 0) return 'it contains no key'
  return { serial: serial === undefined ? null : Number(serial), keys }
}
