import { isYamlName } from '@muster/desired-state/in-browsers'

/** A file of a desired state, with its path in the folder from which it comes. */
export type StateFile = { name: string; text: string; size: number }

/** What was read of files, and what was left out. */
export type ReadFiles = { files: StateFile[]; others: number; tooLarge: string[] }

/** A larger file is no desired state: the service accepts 1 MB in all unless it is configured for more. */
const maxBytes = 32 * 1024 * 1024

type NamedFile = { name: string; file: File }

/** Reads files, and all files below folders. */
export async function readFiles(
  files: readonly File[],
  folders: readonly FileSystemDirectoryEntry[],
): Promise<ReadFiles> {
  const found = [
    ...files.map((file) => ({ name: pathInFolder(file.webkitRelativePath) || file.name, file })),
    ...(await Promise.all(folders.map(listFiles))).flat(),
  ]
  const wanted = found.filter(({ name }) => isYamlName(name))
  const usable = wanted.filter(({ file }) => file.size <= maxBytes)
  return {
    files: await Promise.all(
      usable.map(async ({ name, file }) => ({ name, text: await file.text(), size: file.size })),
    ),
    others: found.length - wanted.length,
    tooLarge: wanted.filter(({ file }) => file.size > maxBytes).map(({ name }) => name),
  }
}

/** Without the name of the chosen folder, as the command line names files. */
const pathInFolder = (path: string) => path.split('/').slice(1).join('/')

async function listFiles(folder: FileSystemDirectoryEntry): Promise<NamedFile[]> {
  const found = await listBelow(folder)
  return found.map(({ name, file }) => ({ name: pathInFolder(name), file }))
}

async function listBelow(folder: FileSystemDirectoryEntry): Promise<NamedFile[]> {
  const reader = folder.createReader()
  const found: NamedFile[] = []
  for (;;) {
    // Browsers give a hundred entries at a time.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (entries.length === 0) return found
    for (const entry of entries) found.push(...(await filesOf(entry)))
  }
}

async function filesOf(entry: FileSystemEntry): Promise<NamedFile[]> {
  if (entry.isDirectory) return listBelow(entry as FileSystemDirectoryEntry)
  const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
  return [{ name: entry.fullPath.replace(/^\//, ''), file }]
}
