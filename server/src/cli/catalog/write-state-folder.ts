import { randomUUID } from 'node:crypto'
import { mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { stringify } from 'yaml'
import { replaceReferences } from './secret-references.ts'
import { CatalogCommandError } from './service-client.ts'
import { isStateFile, type StateDocument } from './state-folder.ts'

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
  // Groups that no longer exist must not come back with the next apply.
  await removeStateFiles(root, join(root, 'groups'))
  for (const [name, content] of files) await writeInside(root, join(root, name), stringify(content, { lineWidth: 0 }))
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
  for (const name of names.filter(isStateFile)) {
    await requireInside(root, dirname(join(folder, name)))
    await rm(join(folder, name))
  }
}

/** Replaces a file of the folder. A link in its place is replaced as well, and one on the way to it is refused. */
async function writeInside(root: string, file: string, text: string): Promise<void> {
  const folder = dirname(file)
  await requireInside(root, await nearestFolder(folder))
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `.${basename(file)}.${randomUUID()}`.slice(-200))
  await writeFile(draft, text, { flag: 'wx' })
  await rename(draft, file)
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
  for (const group of groups) {
    const { path } = Object(group) as { path?: unknown }
    if (typeof path !== 'string') throw new CatalogCommandError('A group of the service has no path.')
    const [root = '', child] = path.split('/')
    const name = `groups/${[root, child].flatMap((part) => (part === undefined ? [] : toSafeName(part))).join('/')}.yaml`
    files.set(name, [...(files.get(name) ?? []), group])
  }
  return files
}

/** File systems and shells have trouble with other characters. Groups whose names become equal share a file. */
const toSafeName = (name: string) =>
  name
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, '_')
    .replace(/^\./, '_')
    // Windows has devices with these names.
    .replace(/^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i, '_$1')
