import type { ExeFacts, Signer } from '../facts.ts'
import type { Source } from '../source.ts'
import { toLineOrNothing } from '../texts.ts'
import { unlessDamaged } from '../unless-damaged.ts'
import { recogniseFamily } from './families.ts'
import { openPortableExecutable, type PortableExecutable } from './portable-executable.ts'
import { listResources, type Resource, resourceTypes } from './resources.ts'
import { findSigner, maxSignatureBytes } from './signer.ts'
import { maxVersionResourceBytes, parseVersionResource, type VersionResource } from './version-resource.ts'

const maxManifestBytes = 256 * 1024

/** The facts of a program for Windows that may be an installer. */
export async function readExe(source: Source): Promise<ExeFacts> {
  const program = await openPortableExecutable(source)
  const resources = await unlessDamaged(() => listResources(program), [])
  const version = await readVersion(resources)
  const manifest = (await readResource(resources, resourceTypes.manifest, maxManifestBytes))?.toString('utf8') ?? ''
  const family = await recogniseFamily({ program, resources, version, manifest })
  const signer = await unlessDamaged(() => readSigner(program), undefined)
  const level = /requestedExecutionLevel[^>]{0,200}level\s*=\s*["'](\w{1,30})["']/.exec(manifest)?.[1]
  return {
    format: 'exe',
    ...family,
    ...(program.architecture !== undefined && { architecture: program.architecture }),
    versionTexts: version.texts,
    ...toVersions(version),
    ...(signer && { signer }),
    ...(level !== undefined && { needsAdministrator: level === 'requireAdministrator' }),
    ...(program.isLibrary && { isLibrary: true }),
  }
}

function readResource(resources: readonly Resource[], type: number, maxBytes: number): Promise<Buffer | undefined> {
  const resource = resources.find((one) => one.type === type)
  if (!resource || resource.size > maxBytes) return Promise.resolve(undefined)
  return unlessDamaged(async () => resource.open().read(0, resource.size), undefined)
}

async function readVersion(resources: readonly Resource[]): Promise<VersionResource> {
  const content = await readResource(resources, resourceTypes.version, maxVersionResourceBytes)
  return content ? parseVersionResource(content) : { texts: {} }
}

/** The text is what people know. The numbers of the resource have four parts, and often the last ones are 0. */
function toVersions({ texts, fileVersion, productVersion }: VersionResource) {
  const known = (text: string | undefined, number: string | undefined) =>
    [toLineOrNothing(text?.replaceAll(/,\s*(?=\d)/g, '.'), 100), number].find(
      (one) => one !== undefined && !/^[0.]*$/.test(one),
    )
  const [file, product] = [known(texts.FileVersion, fileVersion), known(texts.ProductVersion, productVersion)]
  return { ...(file !== undefined && { fileVersion: file }), ...(product !== undefined && { productVersion: product }) }
}

const pkcsSignedData = 2
const certificateHeaderBytes = 8

async function readSigner({ source, signatures }: PortableExecutable): Promise<Signer | undefined> {
  if (!signatures) return undefined
  const header = await source.read(signatures.position, certificateHeaderBytes)
  const size = Math.min(header.readUInt32LE(), signatures.size) - certificateHeaderBytes
  if (header.readUInt16LE(6) !== pkcsSignedData || size <= 0 || size > maxSignatureBytes) return undefined
  return findSigner(await source.read(signatures.position + certificateHeaderBytes, size))
}
