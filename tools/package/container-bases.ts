import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildPackages } from './product.ts'

/** What the stages of the Containerfile start from, by build argument. */
export const baseImages = {
  BUILD_IMAGE: 'docker.io/library/node:24-trixie-slim',
  BASE_IMAGE: 'docker.io/library/debian:trixie-slim',
}

/** The build arguments of pinned images, one per line: `BASE_IMAGE=docker.io/library/debian:trixie-slim@sha256:…`. */
const pinFile = join(import.meta.dirname, 'container/base-images')

const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]

/** Asks the registries which images these tags name now, and records their digests. Commit the file. */
export const pinContainerBases: BuildPackages = async () => {
  const lines: string[] = []
  for (const [argument, image] of Object.entries(baseImages))
    lines.push(`${argument}=${image}@${await resolveDigest(image)}\n`)
  await writeFile(pinFile, lines.join(''))
  return [pinFile]
}

/** The build arguments that name the pinned images. */
export async function readContainerBases(file = pinFile): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line !== '')
  const isPinned = (line: string) => /^\w+=\S+@sha256:[\da-f]{64}$/.test(line)
  const missing = Object.keys(baseImages).filter((argument) => !lines.some((line) => line.startsWith(`${argument}=`)))
  if (missing.length === 0 && lines.every(isPinned)) return lines
  throw new Error(
    'The images that the container image is made of are not pinned. Run `npm run package -- container-bases`, which records ' +
      'their digests in tools/package/container/base-images, and commit that file.',
  )
}

/** The digest of the manifest that a tag names: of all architectures, if there are several. */
export async function resolveDigest(image: string, scheme = 'https'): Promise<string> {
  const [, host = '', name = '', tag = ''] = /^([^/]+)\/(.+):([\w.-]+)$/.exec(image) ?? []
  const registry = host === 'docker.io' ? 'registry-1.docker.io' : host
  const manifest = await requestWithToken(`${scheme}://${registry}/v2/${name}/manifests/${tag}`)
  // Computed here: it is the hash of these bytes, whatever the registry names it.
  return `sha256:${createHash('sha256').update(manifest).digest('hex')}`
}

/** Registries give everybody a token for public images, at an address that they name. */
async function requestWithToken(url: string): Promise<Buffer> {
  const headers = { accept: manifestTypes.join(', ') }
  const first = await fetch(url, { headers })
  const challenge = first.status === 401 ? parseChallenge(first.headers.get('www-authenticate') ?? '') : undefined
  if (!challenge) return readAnswer(first)
  const { token } = JSON.parse((await readAnswer(await fetch(challenge))).toString()) as { token: string }
  return readAnswer(await fetch(url, { headers: { ...headers, authorization: `Bearer ${token}` } }))
}

function parseChallenge(header: string): URL | undefined {
  const { realm, ...query } = Object.fromEntries(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  return realm === undefined ? undefined : new URL(`${realm}?${new URLSearchParams(query)}`)
}

async function readAnswer(response: Response): Promise<Buffer> {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}.`)
  return Buffer.from(await response.arrayBuffer())
}
