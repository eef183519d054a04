import { type Document, isMap, isNode, isPair, isScalar, isSeq, type LineCounter, type Pair, type YAMLMap } from 'yaml'

/** A file of a folder with the positions of its values. */
export type YamlFile = { name: string; content: Document; lines: LineCounter }

/** An object of the joined document: where it comes from, and its value. */
type Origin = { file: YamlFile; at: number; value: unknown }

/** The files that have a section, and the origins of its objects in the order of the joined document. */
export type SectionOrigins = { files: YamlFile[]; objects: Origin[] }

/** Finds the places in the files to which the answers of the service refer. */
export type StatePlaces = {
  /**
   * The place of a property, for example `state.groups.17.rule`, and its name there. The service names some objects instead of
   * counting them, for example `catalog.variableDefinitions.Printing.Server`.
   */
  ofProperty(property: string): { place: string; name: string } | undefined
  /**
   * The places of an object by its name in a plan: several if it is listed several times. What belongs to a group, such as
   * `Configuration/Berlin ← firefox 128.0`, is found at the group.
   */
  ofObject(section: string, name: string): string[]
}

export function placesOf(sections: ReadonlyMap<string, SectionOrigins>): StatePlaces {
  const ofObject: StatePlaces['ofObject'] = (section, name) => {
    const property = propertyOf(section)
    const found = (sections.get(property)?.objects ?? []).flatMap(({ file, at, value }) => {
      const label = labelOf(property, value)
      return isAbout(name, label) ? [{ label, place: describePlace(file, [property, at]) }] : []
    })
    // Configuration/Berlin is not about the group Configuration.
    const maxLength = Math.max(0, ...found.map(({ label }) => label.length))
    return found.filter(({ label }) => label.length === maxLength).map(({ place }) => place)
  }
  return {
    ofObject,
    ofProperty(property) {
      const [, section = '', first = '', ...rest] = property.split('.')
      const { files: [file] = [], objects = [] } = sections.get(section) ?? {}
      if (!file) return undefined
      const origin = first === '' ? undefined : objects[Number(first)]
      if (origin)
        return { place: describePlace(origin.file, [section, origin.at, ...rest]), name: rest.join('.') || section }
      const named = [first, ...rest].join('.')
      const [place = describePlace(file, [section])] = named ? ofObject(section, named) : []
      return { place, name: named || section }
    },
  }
}

/** The property of the document that has the objects of a section of a plan. */
function propertyOf(section: string): string {
  if (section.startsWith('patchGroup')) return 'patchGroups'
  return section.startsWith('group') ? 'groups' : section
}

/** How a plan names an object, as far as it is known without the service. */
function labelOf(property: string, value: unknown): string {
  const { path, slot, subject, name, version, patch, product } = Object(value) as Record<string, unknown>
  if (property === 'packages') return `${name} ${version}`
  if (property === 'patchApprovals') return `${patch} for ${product}`
  return String(path ?? slot ?? subject ?? name ?? '')
}

/** Whether a name of a plan is the label, begins with it, or ends with it as `Ada Lovelace (3f0c9a52)` does. */
function isAbout(name: string, label: string): boolean {
  const [whole, part] = [name.toLowerCase(), label.toLowerCase()]
  if (part === '') return false
  return whole === part || whole.startsWith(`${part} `) || whole.startsWith(`${part}.`) || whole.endsWith(`(${part})`)
}

/** The file, and the line of the value at the path or of what contains it. */
export function describePlace({ name, content, lines }: YamlFile, path: readonly (string | number)[]): string {
  const offset = findOffset(content.contents, path)
  return offset === undefined ? name : `${name}:${lines.linePos(offset).line}`
}

/** The offset of the value at the path, or of the deepest one on the way to it that exists. */
function findOffset(root: unknown, path: readonly (string | number)[]): number | undefined {
  let offset: number | undefined
  let node = root
  for (const [depth, key] of path.entries()) {
    const found = isSeq(node) ? node.items[Number(key)] : isMap(node) ? findPair(node, path.slice(depth)) : undefined
    const position = isPair(found) ? found.key : found
    if (!isNode(position)) break
    offset = position.range?.[0]
    node = isPair(found) ? found.value : found
  }
  return offset
}

/** Names of columns may contain dots, and then the whole rest of the path is the name. */
function findPair({ items }: YAMLMap, rest: readonly (string | number)[]): Pair | undefined {
  const names = [String(rest[0]), rest.join('.')]
  return items.find(({ key }) => isScalar(key) && names.includes(String(key.value)))
}
