import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { CatalogCommandError } from './catalog-command-error.ts'
import { replaceReferences } from './secret-references.ts'
import type { StateDocument } from './state-files.ts'
import { isYamlName, toYamlText } from './yaml-text.ts'

/** The sections of a desired state. They become names of files, so no other is written. */
export const documentSections: readonly string[] = [
  ...['tags', 'customFields', 'variableDefinitions', 'variableConfigurations', 'softwareClasses', 'packages'],
  ...['groups', 'patchGroups', 'patchApprovals', 'webhooks', 'principals'],
]

/** Writes one file for each section, and one for each group below a root with everything below it. */
export async function writeStateFolder(folder: string, document: StateDocument): Promise<string[]> {
  requireDocument(document)
  const { groups = [], ...sections } = replaceReferences(document)
  const files = new Map(
    Object.entries(sections).map(([name, objects]) => [`${toFileName(name)}.yaml`, { [name]: objects }]),
  )
  for (const [name, members] of groupFiles(groups)) files.set(name, { groups: members })
  await mkdir(folder, { recursive: true })
  const root = await realpath(folder)
  // All that can fail comes first: half an export, applied with --prune, would remove the rest.
  const drafts: { file: string; draft: string }[] = []
  try {
    for (const [name, content] of files) drafts.push(await writeDraft(root, join(root, name), toYamlText(content)))
    // Groups that no longer exist must not come back with the next apply.
    await removeStateFiles(root, join(root, 'groups'))
    for (const { file, draft } of drafts) await rename(draft, file)
  } finally {
    for (const { draft } of drafts) await rm(draft, { force: true })
  }
  return [...files.keys()]
}

/** Throws before anything is written if the service sent something else. */
function requireDocument(document: unknown): void {
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new CatalogCommandError('The service did not answer with a desired state.')
  for (const [section, objects] of Object.entries(document)) {
    if (!documentSections.includes(section))
      throw new CatalogCommandError(
        `The service has sent the section ${section}, which this command does not know. Nothing was written.`,
      )
    if (!Array.isArray(objects)) throw new CatalogCommandError(`The section ${section} of the service is not a list.`)
  }
}

/** Anything else in the folder is not ours to delete. */
async function removeStateFiles(root: string, folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  for (const name of names.filter(isYamlName)) {
    await requireInside(root, dirname(join(folder, name)))
    await rm(join(folder, name))
  }
}

/** Writes what will replace a file of the folder, or a link in its place. A link on the way to it is refused. */
async function writeDraft(root: string, file: string, text: string): Promise<{ file: string; draft: string }> {
  const folder = dirname(file)
  await requireInside(root, await nearestFolder(folder))
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `.${randomUUID()}.draft`)
  await writeFile(draft, text, { flag: 'wx' })
  return { file, draft }
}

/** The folder, or the lowest one above it that exists. */
async function nearestFolder(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const found = await realpath(at).catch(() => undefined)
    if (found !== undefined || dirname(at) === at) return at
  }
}

async function requireInside(root: string, folder: string): Promise<void> {
  const real = await realpath(folder)
  if (real !== root && !real.startsWith(`${root}${sep}`))
    throw new CatalogCommandError(`${folder} is a link that leads out of ${root}: ${real}. Nothing is written there.`)
}

/** variableDefinitions → variable-definitions */
const toFileName = (section: string) => section.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function groupFiles(groups: readonly unknown[]): Map<string, unknown[]> {
  const files = new Map<string, unknown[]>()
  const nameOf = fileNames()
  for (const group of groups) {
    const { path } = Object(group) as { path?: unknown }
    if (typeof path !== 'string') throw new CatalogCommandError('A group of the service has no path.')
    const name = nameOf(path.split('/').slice(0, 2))
    const members = files.get(name)
    if (members) members.push(group)
    else files.set(name, [group])
  }
  return files
}

/**
 * The file of a group and everything below it. Names that many file systems take for the same one, because they differ in case only
 * or were cut, get different files.
 */
function fileNames(): (parts: readonly string[]) => string {
  const owners = new Map<string, string>()
  return (parts) => {
    const owner = JSON.stringify(parts)
    const plain = `groups/${parts.map(toSafeName).join('/')}`
    const key = plain.normalize('NFKC').toLowerCase()
    if ((owners.get(key) ?? owner) !== owner)
      return `${plain}~${createHash('sha256').update(owner).digest('hex').slice(0, 12)}.yaml`
    owners.set(key, owner)
    return `${plain}.yaml`
  }
}

/** File systems allow 255 bytes; the rest is for the ending. */
const maxNameBytes = 200

/** The beginning of a text that fits, without half a character at its end. */
const cutToBytes = (text: string) =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, maxNameBytes), { stream: true })

/** File systems and shells have trouble with other characters. */
const toSafeName = (name: string) =>
  cutToBytes(name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '_') || '_')
    .replace(/^\./, '_')
    // Windows has devices with these names.
    .replace(/^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i, '_$1')
