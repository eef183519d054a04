import { createHash } from 'node:crypto'
import { SaxesParser } from 'saxes'
import type { MsixFacts } from '../facts.ts'
import { damaged, unsupported } from '../installer-fault.ts'
import type { Source } from '../source.ts'
import { toLine, toLineOrNothing, toLines } from '../texts.ts'
import { zipEntries } from './zip.ts'

const manifestName = 'AppxManifest.xml'
const bundleManifestName = 'AppxMetadata/AppxBundleManifest.xml'
const maxManifestBytes = 4 * 1024 * 1024
const maxElements = 50_000
const maxDependencies = 100
/** The manifest is one of the last entries, so more of them are passed than are listed of other archives. */
const maxEntriesFactor = 10

/** The facts of a package of Windows, or undefined if the ZIP archive is none. */
export async function findMsix(source: Source): Promise<MsixFacts | undefined> {
  let count = 0
  for await (const entry of zipEntries(source)) {
    if (++count > maxEntriesFactor * source.budget.limits.maxEntries) return undefined
    const isBundle = entry.name === bundleManifestName
    if (!isBundle && entry.name !== manifestName) continue
    return describe(parseElements(decodeXml(await entry.read(maxManifestBytes))), isBundle)
  }
  return undefined
}

function decodeXml(bytes: Buffer): string {
  const isWide = bytes.length >= 2 && bytes.readUInt16LE() === 0xfeff
  return new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes)
}

type Element = { path: string; attributes: Record<string, string>; text: string }

/** The elements with their paths, such as Package/Identity, without namespaces. */
function parseElements(xml: string): Element[] {
  const parser = new SaxesParser({ xmlns: true })
  const [elements, open] = [[] as Element[], [] as Element[]]
  parser.on('error', (error) => {
    throw damaged(error.message.split('\n')[0] ?? 'its manifest is not XML')
  })
  parser.on('doctype', () => {
    throw unsupported('its manifest has a document type')
  })
  parser.on('opentag', ({ local, attributes }) => {
    if (elements.length >= maxElements) throw damaged('its manifest has too many elements')
    const parent = open.at(-1)
    const values = Object.values(attributes).map((one) => [one.local, one.value] as const)
    const element = {
      path: parent ? `${parent.path}/${local}` : local,
      attributes: Object.fromEntries(values),
      text: '',
    }
    // Paths grow with the depth, so deep documents would need much memory.
    if (open.length > 32) throw damaged('its manifest is too deep')
    elements.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element) element.text += text
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.write(xml).close()
  return elements
}

function describe(elements: readonly Element[], isBundle: boolean): MsixFacts {
  const root = isBundle ? 'Bundle' : 'Package'
  const find = (path: string) => elements.find((one) => one.path === `${root}/${path}`)
  const identity = identityOf(find('Identity')?.attributes ?? {}, isBundle)
  const publisherId = publisherIdOf(identity.publisher)
  const { name, version, architecture } = identity
  const resource = isBundle ? '~' : ''
  const property = (path: string) => resolvable(find(`Properties/${path}`)?.text)
  const optional = {
    displayName: property('DisplayName'),
    publisherName: property('PublisherDisplayName'),
    description: property('Description'),
    minWindowsVersion: toLineOrNothing(find('Dependencies/TargetDeviceFamily')?.attributes.MinVersion, 50),
  }
  const dependencies = elements
    .filter(({ path }) => path === `${root}/Dependencies/PackageDependency`)
    .flatMap(({ attributes }) => toLineOrNothing(attributes.Name, 200) ?? [])
  return {
    format: 'msix',
    isBundle,
    identity,
    familyName: `${name}_${publisherId}`,
    fullName: `${name}_${version}_${architecture}_${resource}_${publisherId}`,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    dependencies: dependencies.slice(0, maxDependencies),
  }
}

function identityOf(attributes: Record<string, string>, isBundle: boolean): MsixFacts['identity'] {
  const { Name: name = '', Publisher: publisher = '', Version: version = '', ProcessorArchitecture } = attributes
  if (!/^[\w.-]{1,100}$/.test(name) || !/^\d{1,5}(\.\d{1,5}){3}$/.test(version) || publisher === '')
    throw damaged('its manifest has no valid identity')
  const architecture = isBundle ? 'neutral' : toLine(ProcessorArchitecture ?? 'neutral', 20).toLowerCase()
  if (!/^\w{1,20}$/.test(architecture)) throw damaged('its manifest has no valid architecture')
  // The exact name is hashed, so only its length is limited.
  return { name, version, architecture, publisher: publisher.slice(0, 8_192) }
}

/** Names of resources would have to be looked up in another file. */
function resolvable(text: string | undefined): string | undefined {
  const lines = toLines(text ?? '')
  return lines === '' || /^ms-resource:/i.test(lines) ? undefined : toLineOrNothing(lines)
}

const publisherAlphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Windows shortens the publisher to 13 characters: the first 64 bits of its SHA-256, five at a time. */
export function publisherIdOf(publisher: string): string {
  const hash = createHash('sha256').update(Buffer.from(publisher, 'utf16le')).digest()
  const bits = `${hash.readBigUInt64BE().toString(2).padStart(64, '0')}0`
  return (bits.match(/.{5}/g) ?? []).map((group) => publisherAlphabet[Number.parseInt(group, 2)]).join('')
}
