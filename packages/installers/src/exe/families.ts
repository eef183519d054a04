import { listZipNames } from '../archive/zip-names.ts'
import type { ExeFacts } from '../facts.ts'
import { compoundFileSignature } from '../msi/compound-file.ts'
import { readUpTo } from '../source.ts'
import { toLineOrNothing } from '../texts.ts'
import { unlessDamaged } from '../unless-damaged.ts'
import { findInnoSetup } from './inno.ts'
import type { PortableExecutable } from './portable-executable.ts'
import type { Resource } from './resources.ts'
import type { VersionResource } from './version-resource.ts'

export type Recognised = Pick<
  ExeFacts,
  'family' | 'familyReason' | 'familyVersion' | 'isUninstaller' | 'inno' | 'bundleId' | 'squirrel' | 'runs'
>

export type Program = {
  program: PortableExecutable
  resources: readonly Resource[]
  version: VersionResource
  manifest: string
}

type Recogniser = (program: Program) => Promise<Recognised | undefined>

/** Recognises the tool that made an installer, by the marks that the tool leaves for itself. */
export async function recogniseFamily(program: Program): Promise<Recognised> {
  for (const recognise of recognisers) {
    const found = await unlessDamaged(() => recognise(program), undefined)
    if (found) return found
  }
  return { family: 'unknown' }
}

const inno: Recogniser = async ({ program, resources }) => {
  const setup = await findInnoSetup(program, resources)
  if (!setup) return undefined
  const { version, header } = setup
  const familyReason = 'The program has the table of offsets and the header of Inno Setup'
  return { family: 'inno', familyReason, familyVersion: version, ...(header && { inno: header }) }
}

const nsisMark = Buffer.concat([Buffer.from('efbeadde', 'hex'), Buffer.from('NullsoftInst')])
/** NSIS looks for its header at multiples of this. */
const nsisStep = 512
const maxNsisSearchBytes = 256 * 1024

const nsis: Recogniser = async ({ program: { source, overlayPosition, overlayEnd }, manifest }) => {
  const searchEnd = Math.min(overlayEnd, overlayPosition + maxNsisSearchBytes)
  for (let at = Math.floor(overlayPosition / nsisStep) * nsisStep; at + 28 <= searchEnd; at += nsisStep) {
    const header = await source.read(at, 28)
    if (!header.subarray(4, 20).equals(nsisMark)) continue
    const [, version] = /Nullsoft Install System v?([\w.-]+)/.exec(manifest) ?? []
    return {
      family: 'nsis',
      familyReason: 'The payload begins with the mark of NSIS',
      ...(version !== undefined && { familyVersion: version }),
      ...((header.readUInt32LE() & 1) === 1 && { isUninstaller: true }),
    }
  }
  return undefined
}

const burnMark = 0x00f14300

const burn: Recogniser = async ({ program: { source, sections } }) => {
  const section = sections.find(({ name }) => name === '.wixburn')
  if (!section) return undefined
  const content = await readUpTo(source, section.position, 24)
  if (content.length < 24 || content.readUInt32LE() !== burnMark) return undefined
  const id = toGuid(content.subarray(8, 24))
  const familyReason = 'The program has the section .wixburn'
  return { family: 'burn', familyReason, ...(!/^[{0-]*\}$/.test(id) && { bundleId: id }) }
}

function toGuid(bytes: Buffer): string {
  const parts = [bytes.readUInt32LE(0).toString(16).padStart(8, '0')]
  for (const at of [4, 6]) parts.push(bytes.readUInt16LE(at).toString(16).padStart(4, '0'))
  parts.push(bytes.toString('hex', 8, 10), bytes.toString('hex', 10, 16))
  return `{${parts.join('-').toUpperCase()}}`
}

const squirrelResource = 131
const nupkgName = /^(?:.*\/)?([^/]+?)-(\d+(?:\.\d+){1,3}(?:-[\w.]+)?)-full\.nupkg$/

const squirrel: Recogniser = async ({ resources }) => {
  const payload = resources.find(({ type, name }) => type === 'DATA' && name === squirrelResource)
  if (!payload) return undefined
  const { names } = await listZipNames(payload.open())
  const found = names.map((name) => nupkgName.exec(name)).find((match) => match !== null)
  const [id, version] = [found?.[1], found?.[2]].map((text) => toLineOrNothing(text, 200))
  const isSquirrel = names.some((name) => /^(Update\.exe|RELEASES)$/i.test(name)) || found !== undefined
  if (!isSquirrel) return undefined
  const familyReason = 'A resource is the archive that Squirrel installs'
  return { family: 'squirrel', familyReason, ...(id && version && { squirrel: { id, version } }) }
}

const installShield: Recogniser = async ({ program, version: { texts } }) => {
  const start = (await overlayStart(program)).toString('latin1')
  const isMarked = start.startsWith('InstallShield\0') || start.startsWith('ISSetupStream\0')
  // Its vendor has made other programs, so the company is no sign.
  const named = [texts.ProductName, texts.FileDescription].some((text) =>
    /InstallShield|InstallScript/i.test(text ?? ''),
  )
  const isNamed = named || Object.keys(texts).some((name) => name.startsWith('ISInternal'))
  if (!isMarked && !isNamed) return undefined
  const familyReason = isMarked
    ? 'The payload begins with the mark of InstallShield'
    : 'The version resource names InstallShield'
  return { family: 'installshield', familyReason }
}

const archiveMarks = [
  ['sevenZipSfx', Buffer.from('377abcaf271c', 'hex'), 'an archive of 7-Zip'],
  ['winrarSfx', Buffer.from('526172211a07', 'hex'), 'an archive of WinRAR'],
  ['zipSfx', Buffer.from('504b0304', 'hex'), 'a ZIP archive'],
  ['msiWrapper', compoundFileSignature, 'an MSI file'],
] as const

const sfxConfig = /;!@Install@!UTF-8!([\s\S]{0,4096}?);!@InstallEnd@!/

const selfExtracting: Recogniser = async ({ program }) => {
  const start = await overlayStart(program)
  const config = sfxConfig.exec(start.toString('latin1'))
  const content = config ? start.subarray((config.index ?? 0) + config[0].length) : start
  const found = archiveMarks.find(([, mark]) => content.subarray(0, 64).includes(mark))
  if (!found) return undefined
  const [, runs] = /^\s*(?:RunProgram|ExecuteFile)="(.*)"\s*$/m.exec(config?.[1] ?? '') ?? []
  const line = toLineOrNothing(runs)
  return { family: found[0], familyReason: `The payload is ${found[2]}`, ...(line !== undefined && { runs: line }) }
}

const embeddedMsi: Recogniser = async ({ resources }) => {
  for (const resource of resources) {
    if (resource.size < 4096) continue
    const start = await readUpTo(resource.open(), 0, compoundFileSignature.length)
    if (start.equals(compoundFileSignature)) return { family: 'msiWrapper', familyReason: 'A resource is an MSI file' }
  }
  return undefined
}

const maxOverlayStartBytes = 8 * 1024

function overlayStart({ source, overlayPosition, overlayEnd }: PortableExecutable): Promise<Buffer> {
  return source.read(overlayPosition, Math.max(0, Math.min(maxOverlayStartBytes, overlayEnd - overlayPosition)))
}

/** Marks that only one tool leaves come first. */
const recognisers: readonly Recogniser[] = [inno, nsis, burn, squirrel, installShield, selfExtracting, embeddedMsi]
