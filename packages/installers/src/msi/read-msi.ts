import { findSigner } from '../exe/signer.ts'
import type { MsiFacts } from '../facts.ts'
import { damaged, InstallerFault } from '../installer-fault.ts'
import type { Source } from '../source.ts'
import { toLine, toLineOrNothing } from '../texts.ts'
import { type CompoundFile, openCompoundFile } from './compound-file.ts'
import { parseStringPool, type StringPool } from './string-pool.ts'
import { parseSummaryInformation, type SummaryInformation, summaryStreamName } from './summary-information.ts'

const patchClassId = '86100c0000000000c000000000000046'
const signatureStreamName = '\u0005DigitalSignature'
const [template, wordCount] = [7, 15]
/** Of the word count: the installation needs no rights of an administrator. */
const needsNoElevation = 8
const maxProperties = 5_000
const maxConditions = 50

/** The facts of an MSI file: a compound file with the tables of a database. */
export async function readMsi(source: Source): Promise<MsiFacts> {
  const file = await openCompoundFile(source)
  if (file.classId === patchClassId)
    throw new InstallerFault(
      'unsupported',
      'The file is a patch of Windows Installer (MSP), which installs no product.',
    )
  const tables = new Map(file.streamNames.map((name) => [decodeStreamName(name), name]))
  const findTable = async (name: string) => {
    const stream = tables.get(`!${name}`)
    return stream === undefined ? undefined : file.findStream(stream)
  }
  const [pool, data] = [await findTable('_StringPool'), await findTable('_StringData')]
  if (!pool || !data) throw new InstallerFault('unknownFormat', 'The file is a compound file, but not an MSI file.')
  const strings = parseStringPool(pool, data)
  const rows = async (name: string) => parsePairs((await findTable(name)) ?? Buffer.alloc(0), strings)
  const properties = new Map(await rows('Property'))
  const summary = parseSummaryInformation((await file.findStream(summaryStreamName)) ?? Buffer.alloc(0))
  const conditions = (await rows('LaunchCondition')).slice(0, maxConditions)
  return { ...describeProduct(properties, summary, conditions), ...(await findMsiSigner(file)) }
}

async function findMsiSigner(file: CompoundFile): Promise<Pick<MsiFacts, 'signer'>> {
  const signature = await file.findStream(signatureStreamName)
  const signer = signature && findSigner(signature)
  return signer ? { signer } : {}
}

function describeProduct(
  properties: Map<string, string>,
  summary: SummaryInformation,
  conditions: readonly Pair[],
): MsiFacts {
  const line = (name: string) => toLineOrNothing(properties.get(name))
  const language = Number(line('ProductLanguage') ?? Number.NaN)
  const optional = {
    productName: line('ProductName'),
    productVersion: line('ProductVersion'),
    manufacturer: line('Manufacturer'),
    productCode: line('ProductCode'),
    upgradeCode: line('UpgradeCode'),
    language: Number.isInteger(language) ? language : undefined,
    architecture: architectureOf(summary.texts.get(template) ?? ''),
  }
  const isPublic = ([name]: Pair) => /^[A-Z_][A-Z0-9_.]{0,71}$/.test(name)
  return {
    format: 'msi',
    ...withoutUndefined(optional),
    scope: scopeOf(properties, summary),
    properties: Object.fromEntries([...properties].filter(isPublic).map(([name, value]) => [name, toLine(value)])),
    conditions: conditions.map(([, message]) => toLine(message)),
  }
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function withoutUndefined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>
}

const architectures = new Map([
  ['', 'x86'],
  ['intel', 'x86'],
  ['x64', 'x64'],
  ['amd64', 'x64'],
  ['intel64', 'ia64'],
  ['arm', 'arm'],
  ['arm64', 'arm64'],
])

/** The template is the platform and the languages, such as `x64;1033`. */
function architectureOf(text: string): string | undefined {
  const [platform = ''] = text.split(';')
  return text === '' ? undefined : (architectures.get(platform.trim().toLowerCase()) ?? toLineOrNothing(platform, 20))
}

function scopeOf(properties: Map<string, string>, { numbers }: SummaryInformation): MsiFacts['scope'] {
  const allUsers = properties.get('ALLUSERS')
  if (allUsers === '2' || properties.get('MSIINSTALLPERUSER') === '1') return 'choice'
  if (allUsers === '1') return 'machine'
  return ((numbers.get(wordCount) ?? 0) & needsNoElevation) === 0 ? 'choice' : 'user'
}

type Pair = [string, string]

/** A table of two strings. All values of the first column are followed by those of the second. */
function parsePairs(table: Buffer, { referenceBytes, get }: StringPool): Pair[] {
  const count = table.length / (2 * referenceBytes)
  if (!Number.isInteger(count)) throw damaged('a table ends within a row')
  const textAt = (index: number) => get(table.readUIntLE(index * referenceBytes, referenceBytes))
  return Array.from({ length: Math.min(count, maxProperties) }, (_, row) => [textAt(row), textAt(count + row)])
}

const nameCharacters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz._'
const [pairStart, singleStart, tableMark] = [0x3800, 0x4800, 0x4840]

/** Names of tables begin with a mark, here '!', and have up to two characters in each one. */
export function decodeStreamName(name: string): string {
  let decoded = ''
  for (const character of name) {
    const code = character.charCodeAt(0)
    if (code === tableMark) decoded += '!'
    else if (code >= singleStart && code < tableMark) decoded += nameCharacters[code - singleStart]
    else if (code >= pairStart && code < singleStart) {
      const pair = code - pairStart
      decoded += `${nameCharacters[pair & 0x3f]}${nameCharacters[pair >> 6]}`
    } else decoded += character
  }
  return decoded
}
