import { pathFault } from '@muster/package-format'
import type { InstallerFacts } from '../facts.ts'
import { toLine } from '../texts.ts'
import { type Confidence, line, type ProposedLine } from './proposal.ts'

const versionPattern = /\bv?\d+(?:\.\d+)+(?:[-+~.]?(?:alpha|beta|rc|pre|b)\.?\d*)?\b/i
const installerWords = /\b(setup|installer|install|windows|win|linux|full)\b/gi

/**
 * A name that stays the same in later versions: lower case, without the version. The architecture stays: the packages for two of them
 * are different ones.
 */
export function toStableName(text: string): string {
  const stable = toLine(text, 255)
    .replace(versionPattern, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+.]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
  return stable
    .slice(0, 100)
    .toWellFormed()
    .replace(/[-.]+$/, '')
}

/** The same for paths and shells: letters beyond ASCII are left out. */
export const toPathName = (name: string) =>
  name.replace(/[^a-z0-9+.-]+/g, '').replace(/^[-.]+|[-.]+$/g, '') || 'package'

const extension =
  /\.(msi|exe|msix|msixbundle|appx|appxbundle|deb|rpm|zip|tar|tgz|txz|tar\.\w{2,4}|sh|run|ps1|bat|cmd|appimage)$/i

/** What the name of a file says about the software: `Example-Setup-1.2.exe` is example 1.2. */
export function describeFileName(fileName: string): { name: string; version: string | undefined } {
  const text = fileName.replace(extension, '').replaceAll('_', ' ')
  const version = versionPattern.exec(text)?.[0].replace(/^v/i, '')
  const name = toStableName(text.replace(installerWords, ' '))
  return { name: name === '' ? 'package' : name, version }
}

/** Names that say nothing about the software. */
const generalNames = /^(setup|install|installer|update|application|program)$/

type Found = { text: string | undefined; reason: string; confidence: Confidence }

/** The lines for name and version: from what the file says, otherwise from its name. */
export function identityLines(fileName: string, name: Found, version: Found): ProposedLine[] {
  const fromFile = describeFileName(fileName)
  const stated = name.text === undefined ? '' : toStableName(name.text)
  const stableName = generalNames.test(stated) ? '' : stated
  const exact = toLine(version.text ?? '', 100)
  return [
    stableName === ''
      ? line('name', fromFile.name, 'guess', 'From the name of the file')
      : line('name', stableName, name.confidence, `${name.reason}, without the version`),
    exact === ''
      ? line('version', fromFile.version ?? '0', 'guess', versionReason(fromFile.version))
      : line('version', exact, version.confidence, version.reason),
  ]
}

const versionReason = (version: string | undefined) =>
  version === undefined ? 'Neither the file nor its name has a version' : 'From the name of the file'

/** Lines for people: shown as the file has them. */
export function textLines(
  texts: Partial<Record<'displayName' | 'author' | 'description', string | undefined>>,
  reason: string,
): ProposedLine[] {
  const limits = { displayName: 255, author: 255, description: 10_000 }
  return Object.entries(texts).flatMap(([property, text]) => {
    const limited = text
      ?.slice(0, limits[property as keyof typeof limits])
      .toWellFormed()
      .trim()
    return limited ? [line(property, limited, 'certain', reason)] : []
  })
}

/** Programs that install files look at the end of their names. */
const requiredEndings: Partial<Record<InstallerFacts['format'], string>> = {
  msi: '.msi',
  exe: '.exe',
  deb: '.deb',
  rpm: '.rpm',
}

/** The name of the file in the package: its own, unless shells or some system would read it differently. */
export function toSafeFileName({ fileName, format }: Pick<InstallerFacts, 'fileName' | 'format'>): string {
  const required = requiredEndings[format] ?? ''
  const name = fileName.toLowerCase().endsWith(required) ? fileName : `${fileName}${required}`
  const isSafe = (one: string) => /^[A-Za-z0-9][\w .()+,@~-]*$/.test(one) && pathFault(one) === undefined
  if (isSafe(name)) return name
  const [, ending = ''] = /(\.[A-Za-z0-9]{1,12})$/.exec(name) ?? []
  const stem = name
    .slice(0, name.length - ending.length)
    .normalize('NFKD')
    .replace(/[^\w.+]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[-.]+$/g, '')
    .slice(0, 100)
  return isSafe(`${stem}${ending}`) ? `${stem}${ending}` : `installer${ending}`
}
