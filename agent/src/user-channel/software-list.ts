import { createHash } from 'node:crypto'
import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'
import type { ComputerSoftware } from '../protocol.ts'
import { Refused, type ServerClient } from '../server-client.ts'
import { readStored, writeDurably } from '../state/durable-file.ts'
import { readOffers } from '../state/requested-packages.ts'
import type { StateFolder } from '../state/state-folder.ts'
import { RequestRefused } from './messages.ts'

type Listed = { atUtc: string; list: ComputerSoftware }

export type ListedSoftware = ComputerSoftware & { asOfUtc: string | null; isCurrent: boolean }

/** Users look every few seconds; the server is asked this often at most. */
const minAgeMs = 10_000
const serverMs = 10_000

const maxIcons = 200
const maxIconBytes = 100 * 1024
const maxIconPixels = 512
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

/** What the server lists for the users of this computer, asked only while somebody looks. */
export function softwareList(state: StateFolder, client: () => Promise<ServerClient>) {
  let asked: { at: number; version: number; answer: Promise<ListedSoftware> } | undefined
  const icons = new Map<string, Buffer>()

  async function ask(): Promise<ListedSoftware> {
    try {
      const list = await (await client()).software(AbortSignal.timeout(serverMs))
      const listed: Listed = { atUtc: new Date().toISOString(), list }
      await writeDurably(state.platform.files, state.software, listed)
      return { ...list, asOfUtc: listed.atUtc, isCurrent: true }
    } catch (error) {
      if (!(error instanceof Refused && error.status === 404))
        log(`The software for users could not be listed: ${messageOf(error)}`)
      return readLast()
    }
  }

  /** Without an answer of the server, what it listed last. An earlier server lists offers only. */
  async function readLast(): Promise<ListedSoftware> {
    const stored = await readStored<Listed>(state.software)
    if (stored) return { ...stored.list, asOfUtc: stored.atUtc, isCurrent: false }
    const software = (await readOffers(state)).map(({ packageId, name, version, untilUtc }) => ({
      ...{ packageId, name, version, description: '', category: '', iconSha256: null },
      ...{ state: 'Offered' as const, action: null, sinceUtc: null, offeredUntilUtc: untilUtc },
      ...{ reasons: [], postponementsLeft: 0 },
    }))
    return { software, history: [], requests: [], asOfUtc: null, isCurrent: false }
  }

  return {
    /** The list, asked again if it is old or if `version` has changed since. */
    async read(version: number): Promise<ListedSoftware> {
      const isFresh = asked && asked.version === version && performance.now() - asked.at < minAgeMs
      if (!asked || !isFresh) asked = { at: performance.now(), version, answer: ask() }
      return asked.answer
    },
    /** What a user has chosen may have changed the list. */
    refresh(): void {
      asked = undefined
    },
    async icon(packageId: string, version: number): Promise<Buffer> {
      const item = (await this.read(version)).software.find((one) => one.packageId === packageId)
      if (!item?.iconSha256) throw new RequestRefused('NoIcon', 'The package has no icon.')
      const known = icons.get(item.iconSha256)
      if (known) return known
      const content = await downloadIcon(await client(), packageId, item.iconSha256)
      if (icons.size >= maxIcons) icons.clear()
      icons.set(item.iconSha256, content)
      return content
    },
  }
}

/** Browsers of users open the icon, so it must be a small image, and the one that the list names. */
async function downloadIcon(client: ServerClient, packageId: string, sha256: string): Promise<Buffer> {
  const { body } = await client.icon(packageId, AbortSignal.timeout(serverMs))
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxIconBytes) break
    parts.push(part)
  }
  const content = Buffer.concat(parts)
  const isSame = createHash('sha256').update(content).digest('hex') === sha256
  if (size > maxIconBytes || !isSame || !isSmallPng(content))
    throw new RequestRefused('NoIcon', 'The icon of the package cannot be shown.')
  return content
}

function isSmallPng(content: Buffer): boolean {
  if (content.length < 24 || !content.subarray(0, 8).equals(pngSignature)) return false
  return Math.max(content.readUInt32BE(16), content.readUInt32BE(20)) <= maxIconPixels
}
