import { CatalogCommandError } from './catalog-command-error.ts'
import { placesOf, type SectionOrigins, type StatePlaces, type YamlFile } from './state-places.ts'
import { toValues } from './yaml-text.ts'

/** A desired state, as far as files are concerned: lists of objects by the name of their section. */
export type StateDocument = Record<string, unknown[]>

export type ReadState = { document: StateDocument; places: StatePlaces }

/** Joins the sections of files, so a section may be spread over any of them. */
export function joinStateFiles(files: readonly YamlFile[]): ReadState {
  const sections = new Map<string, SectionOrigins>()
  for (const file of files)
    for (const [section, objects] of listSections(file)) {
      const origins = sections.get(section) ?? { files: [], objects: [] }
      origins.files.push(file)
      for (const [at, value] of objects.entries()) origins.objects.push({ file, at, value })
      sections.set(section, origins)
    }
  const document = Object.fromEntries(
    [...sections].map(([name, { objects }]) => [name, objects.map(({ value }) => value)]),
  )
  return { document, places: placesOf(sections) }
}

function listSections(file: YamlFile): [string, unknown[]][] {
  const { name } = file
  const sections = toValues(file)
  if (sections === null) return []
  if (typeof sections !== 'object' || Array.isArray(sections))
    throw new CatalogCommandError(`${name} must contain sections, for example groups:`)
  return Object.entries(sections).map(([section, objects]) => {
    if (!Array.isArray(objects)) throw new CatalogCommandError(`${name}: ${section} must be a list`)
    return [section, objects]
  })
}
