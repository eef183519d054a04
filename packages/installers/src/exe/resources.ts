import { damaged } from '../installer-fault.ts'
import type { Source } from '../source.ts'
import { loadedPart, type PortableExecutable } from './portable-executable.ts'

/** Types and names are numbers or texts. */
export type ResourceName = number | string

export type Resource = { type: ResourceName; name: ResourceName; size: number; open(): Source }

export const resourceTypes = { data: 10, version: 16, manifest: 24 } as const

const isDirectory = 0x80000000
const maxResources = 10_000
const maxNameLength = 200
/** Types, names, languages. */
const depth = 3

type Level = { position: number; path: readonly ResourceName[] }

/**
 * All resources of a program. They form a tree of three levels; a tree with more, or one that leads back to itself, ends the
 * reading.
 */
export async function listResources(program: PortableExecutable): Promise<Resource[]> {
  const { resources } = program
  if (!resources) return []
  const tree = openTree(program, resources.address)
  const found: Resource[] = []
  const open: Level[] = [{ position: 0, path: [] }]
  const seen = new Set<number>()
  for (let level = open.pop(); level; level = open.pop()) {
    if (seen.has(level.position)) throw damaged('its resources lead back to themselves')
    seen.add(level.position)
    for (const { name, offset } of await readEntries(tree, level.position)) {
      const path = [...level.path, name]
      if (found.length + open.length > maxResources) throw damaged('it has too many resources')
      if ((offset & isDirectory) === 0) found.push(await toResource(program, tree, path, offset))
      else if (path.length < depth) open.push({ position: offset & 0x7fffffff, path })
    }
  }
  return found
}

/** The stated size of the directory is not used: some are too small, and Windows loads them all the same. */
function openTree(program: PortableExecutable, address: number): Source {
  const section = program.sections.find((one) => address >= one.address && address < one.address + one.rawSize)
  if (!section) throw damaged('its resources are in no section')
  const end = Math.min(section.position + section.rawSize, program.source.size)
  const start = section.position + address - section.address
  return loadedPart(program, address, Math.max(0, end - start))
}

async function readEntries(tree: Source, position: number): Promise<{ name: ResourceName; offset: number }[]> {
  const header = await tree.read(position, 16)
  const count = header.readUInt16LE(12) + header.readUInt16LE(14)
  const entries = await tree.read(position + 16, count * 8)
  const read: { name: ResourceName; offset: number }[] = []
  for (let at = 0; at < count * 8; at += 8) {
    const name = entries.readUInt32LE(at)
    const text = (name & isDirectory) === 0 ? name : await readName(tree, name & 0x7fffffff)
    read.push({ name: text, offset: entries.readUInt32LE(at + 4) })
  }
  return read
}

async function readName(tree: Source, position: number): Promise<string> {
  const length = Math.min((await tree.read(position, 2)).readUInt16LE(), maxNameLength)
  return (await tree.read(position + 2, length * 2)).toString('utf16le')
}

async function toResource(
  program: PortableExecutable,
  tree: Source,
  [type = 0, name = 0]: readonly ResourceName[],
  position: number,
): Promise<Resource> {
  const entry = await tree.read(position, 8)
  const [address, size] = [entry.readUInt32LE(), entry.readUInt32LE(4)]
  return { type, name, size, open: () => loadedPart(program, address, size) }
}
