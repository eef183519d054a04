import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parse, stringify } from 'yaml'
import { CatalogCommandError } from './service-client.ts'

/** A desired state, as far as files are concerned: lists of objects by the name of their section. */
export type StateDocument = Record<string, unknown[]>

const isStateFile = (name: string) => /\.(ya?ml|json)$/.test(name)

/** Reads all files below the folder. Their sections are joined, so that a section may be spread over any files. */
export async function readStateFolder(folder: string): Promise<StateDocument> {
  const document: StateDocument = {}
  for (const name of (await readdir(folder, { recursive: true })).filter(isStateFile).sort()) {
    const content: unknown = parse(await readFile(join(folder, name), 'utf8'))
    if (content === null) continue
    if (typeof content !== 'object' || Array.isArray(content))
      throw new CatalogCommandError(`${name} must contain sections, for example groups:`)
    for (const [section, objects] of Object.entries(content)) {
      if (!Array.isArray(objects)) throw new CatalogCommandError(`${name}: ${section} must be a list`)
      document[section] = [...(document[section] ?? []), ...objects]
    }
  }
  return document
}

/** Writes one file for each section, and one for each group below a root with everything below it. */
export async function writeStateFolder(folder: string, document: StateDocument): Promise<string[]> {
  const { groups, ...sections } = document
  const files = new Map(
    Object.entries(sections).map(([name, objects]) => [`${toFileName(name)}.yaml`, { [name]: objects }]),
  )
  for (const [name, members] of groupFiles((groups ?? []) as { path: string }[])) files.set(name, { groups: members })
  // Groups that no longer exist must not come back with the next apply.
  await rm(join(folder, 'groups'), { recursive: true, force: true })
  for (const [name, content] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), stringify(content, { lineWidth: 0 }))
  }
  return [...files.keys()]
}

/** variableDefinitions → variable-definitions */
const toFileName = (section: string) => section.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function groupFiles(groups: readonly { path: string }[]): Map<string, { path: string }[]> {
  const files = new Map<string, { path: string }[]>()
  for (const group of groups) {
    const [root = '', child] = group.path.split('/')
    const name = `groups/${[root, child].flatMap((part) => (part === undefined ? [] : toSafeName(part))).join('/')}.yaml`
    files.set(name, [...(files.get(name) ?? []), group])
  }
  return files
}

/** File systems and shells have trouble with other characters. Groups whose names become equal share a file. */
const toSafeName = (name: string) => name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '_').replace(/^\./, '_')
