import type { InstallerScript, RpmFacts } from '../facts.ts'
import { damaged, InstallerFault } from '../installer-fault.ts'
import type { Source } from '../source.ts'
import { toLine, toLineOrNothing, toLines, toScript } from '../texts.ts'

export const rpmSignature = Buffer.from('edabeedb', 'hex')

const leadBytes = 96
const headerMark = Buffer.from('8eade801', 'hex')
const headerStartBytes = 16
const indexEntryBytes = 16
/** The header of a package with 100,000 files has some 20 MB. */
const maxIndexEntries = 10_000
const maxStoreBytes = 64 * 1024 * 1024
const maxTextBytes = 64 * 1024
const maxDependencies = 500

const tags = {
  ...{ name: 1000, version: 1001, release: 1002, epoch: 1003, summary: 1004, description: 1005, vendor: 1011 },
  ...{ architecture: 1022, sourcePackage: 1044, requireFlags: 1048, requireName: 1049, requireVersion: 1050 },
} as const

/** Scripts by the names that rpm shows, with the tags of their text and of their interpreter, which can do without a text. */
const scriptTags = [
  ['%pre', 1023, 1085],
  ['%post', 1024, 1086],
  ['%preun', 1025, 1087],
  ['%postun', 1026, 1088],
  ['%pretrans', 1151, 1153],
  ['%posttrans', 1152, 1154],
  ['%triggers', 1065, 1092],
  ['%filetriggers', 5066, 5067],
  ['%transfiletriggers', 5076, 5077],
] as const
const maxTriggers = 20

const [int32Type, textType, textArrayType, i18nType] = [4, 6, 8, 9]

/** The facts of an RPM package: two headers with tags and values. The first has only signatures. */
export async function readRpm(source: Source): Promise<RpmFacts> {
  const signatures = await openHeader(source, leadBytes)
  // The second header begins at a multiple of eight.
  const header = await openHeader(source, Math.ceil(signatures.end / 8) * 8)
  const text = async (tag: number) => (await header.texts(tag, 1))[0] ?? ''
  const [name, version, release, architecture] = [
    ...[await text(tags.name), await text(tags.version)],
    ...[await text(tags.release), await text(tags.architecture)],
  ].map((one) => toLine(one, 200)) as [string, string, string, string]
  for (const part of [name, version, release, architecture])
    if (!/^\w[\w.+~^-]{0,99}$/.test(part)) throw damaged('it has no valid name, version, release or architecture')
  const [epoch] = await header.numbers(tags.epoch, 1)
  const optional = {
    vendor: toLineOrNothing(await text(tags.vendor)),
    summary: toLineOrNothing(await text(tags.summary)),
    description: toLines(await text(tags.description)) || undefined,
  }
  return {
    format: 'rpm',
    ...{ name, version, release, architecture },
    ...(epoch !== undefined && { epoch }),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    dependencies: await listDependencies(header),
    scripts: await listScripts(header),
    isSource: !header.has(tags.sourcePackage),
  }
}

type Header = {
  end: number
  has(tag: number): boolean
  texts(tag: number, maxCount: number): Promise<string[]>
  numbers(tag: number, maxCount: number): Promise<number[]>
}

/** Reads the index. Values are read when they are needed: lists of files are large. */
async function openHeader(source: Source, position: number): Promise<Header> {
  const start = await source.read(position, headerStartBytes)
  if (!start.subarray(0, 4).equals(headerMark)) throw damaged('a header is missing')
  const [count, storeBytes] = [start.readUInt32BE(8), start.readUInt32BE(12)]
  if (count > maxIndexEntries || storeBytes > maxStoreBytes)
    throw new InstallerFault('tooLarge', 'The header of the package is too large.')
  const index = await source.read(position + headerStartBytes, count * indexEntryBytes)
  const store = position + headerStartBytes + index.length
  const end = store + storeBytes
  if (end > source.size) throw damaged('it ends too early')
  const entries = new Map(
    Array.from({ length: count }, (_, number) => {
      const [tag, type, offset, values] = [0, 4, 8, 12].map((at) => index.readUInt32BE(number * indexEntryBytes + at))
      return [tag, { type, offset: offset ?? 0, values: values ?? 0 }] as const
    }),
  )
  const content = (offset: number, bytes: number) =>
    source.read(store + offset, Math.max(0, Math.min(bytes, storeBytes - offset)))
  return {
    end,
    has: (tag) => entries.has(tag),
    async texts(tag, maxCount) {
      const entry = entries.get(tag)
      if (!entry || ![textType, textArrayType, i18nType].includes(entry.type ?? 0)) return []
      const bytes = await content(entry.offset, maxTextBytes)
      return bytes.toString('utf8').split('\0', Math.min(entry.values, maxCount))
    },
    async numbers(tag, maxCount) {
      const entry = entries.get(tag)
      if (entry?.type !== int32Type) return []
      const bytes = await content(entry.offset, Math.min(entry.values, maxCount) * 4)
      return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readUInt32BE(at * 4))
    },
  }
}

async function listScripts(header: Header): Promise<InstallerScript[]> {
  const scripts: InstallerScript[] = []
  for (const [name, textTag, interpreterTag] of scriptTags) {
    if (!header.has(textTag) && !header.has(interpreterTag)) continue
    const interpreter = await header.texts(interpreterTag, maxTriggers)
    const texts = await header.texts(textTag, maxTriggers)
    const content = [`#!${interpreter.join(' ')}`, ...texts].join('\n')
    scripts.push(toScript(name, interpreter.length + texts.length > 0 ? Buffer.from(content) : undefined))
  }
  return scripts
}

const comparisons = [
  [0x0a, '<='],
  [0x0c, '>='],
  [0x02, '<'],
  [0x04, '>'],
  [0x08, '='],
] as const

async function listDependencies(header: Header): Promise<string[]> {
  const names = await header.texts(tags.requireName, maxDependencies)
  const versions = await header.texts(tags.requireVersion, maxDependencies)
  const flags = await header.numbers(tags.requireFlags, maxDependencies)
  const dependencies = names.flatMap((name, at) => {
    // What rpm itself provides is no package.
    if (/^(rpmlib|config)\(/.test(name)) return []
    const comparison = comparisons.find(([bits]) => ((flags[at] ?? 0) & bits) === bits)?.[1]
    const version = versions[at] ?? ''
    const line = toLineOrNothing(comparison && version !== '' ? `${name} ${comparison} ${version}` : name, 500)
    return line === undefined ? [] : [line]
  })
  return [...new Set(dependencies)]
}
