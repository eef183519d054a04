import { type DocumentFile, toStorableText } from './patch-document.ts'

const maxNameLength = 100
const maxUrlLength = 2_048

/** A file at an address. Its name is the last part of the address, as far as every file system accepts it. */
export function toDocumentFile(url: string, sha256: string, product?: string): DocumentFile {
  return {
    url: toStorableText(url, maxUrlLength),
    name: fileNameOf(url),
    sha256: sha256.toLowerCase(),
    ...(product !== undefined && { product }),
  }
}

/** The last part of the path of an address, decoded; undefined if there is none. */
export function findLastPathPart(url: string): string | undefined {
  const part = URL.parse(url)?.pathname.split('/').at(-1)
  if (!part) return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function fileNameOf(url: string): string {
  const name = (findLastPathPart(url) ?? '').replaceAll(/[^\w.+~-]/g, '_').slice(-maxNameLength)
  // Windows does not accept names that end with a point; a leading one would hide the file or leave the folder.
  return name.replace(/^\.+/, '').replace(/\.+$/, '') || 'file'
}
