import type { AppImageFacts } from '../facts.ts'
import type { Source } from '../source.ts'
import { toLineOrNothing } from '../texts.ts'
import { nodeTypes, openSquashfs, type SquashEntry, type Squashfs } from './squashfs.ts'

const maxEntryBytes = 64 * 1024
/** Links to links, and folders on their way. */
const maxSteps = 20

/** What the desktop entry at the top of the file system of an AppImage says; undefined if there is none. */
export async function readDesktopEntry(
  source: Source,
): Promise<Pick<AppImageFacts, 'name' | 'version' | 'comment'> | undefined> {
  const fileSystem = await openSquashfs(source)
  const top = await fileSystem.listFolder()
  const entry = top.find(({ name }) => name.endsWith('.desktop'))
  const file = entry && (await resolveLinks(fileSystem, top, entry))
  if (!file) return undefined
  const fields = parseFields((await fileSystem.readFile(file.address, maxEntryBytes)).toString('utf8'))
  const facts = {
    name: toLineOrNothing(fields.get('Name')),
    // The field `Version` is the version of the format.
    version: toLineOrNothing(fields.get('X-AppImage-Version'), 100),
    comment: toLineOrNothing(fields.get('Comment')),
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}

async function resolveLinks(
  fileSystem: Squashfs,
  top: readonly SquashEntry[],
  start: SquashEntry,
): Promise<SquashEntry | undefined> {
  let [current, path, folder]: [SquashEntry | undefined, string[], readonly SquashEntry[]] = [start, [], top]
  for (let step = 0; current && step < maxSteps; step++) {
    if (current.type === nodeTypes.link) {
      const target = await fileSystem.readLink(current.address)
      // Entries of an AppImage link to others in the same image, from its top.
      if (target.startsWith('/') || target.includes('..')) return undefined
      path = [...target.split('/').filter((name) => name !== '' && name !== '.'), ...path]
    } else if (path.length === 0) return current.type === nodeTypes.file ? current : undefined
    else if (current.type === nodeTypes.folder) folder = await fileSystem.listFolder(current.address)
    else return undefined
    const name = path.shift()
    current = folder.find((one) => one.name === name)
  }
  return undefined
}

function parseFields(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  let isEntry = false
  for (const line of text.split('\n')) {
    if (line.startsWith('[')) isEntry = line.trim() === '[Desktop Entry]'
    const [, name, value] = /^([\w-]+)\s*=\s*(.*)$/.exec(line) ?? []
    if (isEntry && name !== undefined && value !== undefined && !fields.has(name)) fields.set(name, value)
  }
  return fields
}
