import { manifestName, type PackageManifest } from './manifest.ts'
import { PackageFault } from './package-fault.ts'
import { type FoundFile, readFoundFile } from './package-folder.ts'
import { withSlashes } from './paths.ts'

const maxIconBytes = 100 * 1024
const maxIconPixels = 512
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')
/** The signature, the length and the name of the first chunk, and width and height in it. */
const headerBytes = 24

/** Why a file cannot be an icon, as the end of a sentence about it; undefined if it can. */
export function findIconFault(content: Buffer): string | undefined {
  if (content.length > maxIconBytes) return `has more than ${maxIconBytes / 1024} KiB`
  const isPng =
    content.length >= headerBytes &&
    content.subarray(0, pngSignature.length).equals(pngSignature) &&
    content.toString('latin1', 12, 16) === 'IHDR'
  if (!isPng) return 'is not a PNG image'
  const [width, height] = [content.readUInt32BE(16), content.readUInt32BE(20)]
  return Math.max(width, height) > maxIconPixels ? `has more than ${maxIconPixels} pixels in a row` : undefined
}

/** Refuses a package whose icon the browsers of users should not open. */
export async function requireValidIcon(
  folder: string,
  found: readonly FoundFile[],
  manifest: PackageManifest,
): Promise<void> {
  if (manifest.kind !== 'software' || manifest.icon === undefined) return
  const path = withSlashes(manifest.icon)
  const file = found.find((one) => withSlashes(one.path) === path)
  if (!file) return
  const fault = file.size > maxIconBytes ? `has more than ${maxIconBytes / 1024} KiB` : undefined
  const reason = fault ?? findIconFault(await readFoundFile(folder, file))
  if (reason) throw new PackageFault(`${manifestName}: icon names a file that ${reason}.`)
}
