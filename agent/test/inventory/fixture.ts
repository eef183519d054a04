import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import type { NetworkInterfaceInfo } from 'node:os'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { accessTo, type SystemAccess } from '../../src/platform/linux/inventory/system-access.ts'

/** Path to content; a link is written as `-> path`, an empty folder ends with a slash. */
export type Tree = Record<string, string | Buffer>

export type Computer = {
  files?: Tree
  /** What tools write, by their name or by the whole command. */
  tools?: Record<string, string>
  addresses?: Record<string, Partial<NetworkInterfaceInfo>[]>
  /** Bytes in all and free bytes, by mount point. */
  space?: Record<string, [number, number]>
}

/** A folder that stands for the root of a computer; it has no tools but those that are given. */
export async function computer({
  files = {},
  tools = {},
  addresses = {},
  space = {},
}: Computer): Promise<SystemAccess> {
  const root = await mkdtemp(join(tmpdir(), 'muster-inventory-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    const place = join(root, path)
    await mkdir(path.endsWith('/') ? place : dirname(place), { recursive: true })
    if (path.endsWith('/')) continue
    const link = typeof content === 'string' && content.startsWith('-> ') ? content.slice(3) : undefined
    if (link) await symlink(link.startsWith('/') ? join(root, link) : link, place)
    else await writeFile(place, content)
  }
  return {
    ...accessTo(root),
    output: async (tool, ...args) => tools[[tool, ...args].join(' ')] ?? tools[tool],
    addresses: () => addresses as Record<string, NetworkInterfaceInfo[]>,
    space: async (path) => {
      const [totalBytes, freeBytes] = space[path] ?? []
      return totalBytes === undefined || freeBytes === undefined ? undefined : { totalBytes, freeBytes }
    },
  }
}

/** The first block of an EDID, with a right checksum. */
export function edidBlock(changes: Record<number, number> = {}): Buffer {
  const block = Buffer.alloc(128)
  block.set([
    0, 255, 255, 255, 255, 255, 255, 0, 0x10, 0xac, 0x42, 0xa1, 0x4c, 0x33, 0x30, 0x31, 17, 33, 1, 4, 0xa5, 52, 32,
  ])
  // 2560 x 1440, then the serial number and the name.
  block.set([0x56, 0x5e, 0x00, 0xa0, 0xa0, 0xa0, 0x29, 0x50], 54)
  block.set([0, 0, 0, 0xff, 0, ...Buffer.from('CN0123456\n   ')], 72)
  block.set([0, 0, 0, 0xfc, 0, ...Buffer.from('Contoso 24\n  ')], 90)
  for (const [place, value] of Object.entries(changes)) block[Number(place)] = value
  block[127] = (256 - (block.subarray(0, 127).reduce((sum, byte) => sum + byte, 0) % 256)) % 256
  return block
}
