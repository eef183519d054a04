export type Content = { items: object[] } | { item: object }
export type Report = Record<string, Content>

/** How a property is written: a pattern of its text, or that everything is possible. */
export type Formats = Record<string, RegExp | 'free text'>

type Values = Map<string, Set<unknown>>

const itemsOf = (content: Content | undefined) =>
  content && 'item' in content ? [content.item] : (content?.items ?? [])

/** The properties of an object, including those of objects in it, by their path. */
function propertiesOf(item: object, prefix: string): [path: string, value: unknown][] {
  return Object.entries(item).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? propertiesOf(value, `${prefix}.${name}`)
      : [[`${prefix}.${name}`, value] as [string, unknown]],
  )
}

function valuesOf(reports: readonly Report[]): Values {
  const values: Values = new Map()
  for (const report of reports)
    for (const [section, content] of Object.entries(report))
      for (const item of itemsOf(content))
        for (const [path, value] of propertiesOf(item, section))
          values.set(path, (values.get(path) ?? new Set()).add(value))
  return values
}

const known = (values: Set<unknown> | undefined) => [...(values ?? [])].filter((value) => value !== null)
const typeOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value)
const typesOf = (values: Set<unknown> | undefined) => [...new Set(known(values).map(typeOf))].toSorted().join(' or ')

/** The properties that only some of the items of a section have: a shape is the same for all. */
function incompleteItems(reports: readonly Report[], whose: string): string[] {
  const shapes = new Map<string, Set<string>>()
  for (const report of reports)
    for (const [section, content] of Object.entries(report))
      for (const item of itemsOf(content)) {
        const shape = propertiesOf(item, section).map(([path]) => path)
        shapes.set(section, (shapes.get(section) ?? new Set()).add(shape.toSorted().join()))
      }
  return [...shapes]
    .filter(([, different]) => different.size > 1)
    .map(([section]) => `${section}: the items of ${whose} have different properties`)
}

/**
 * How reports of two sources differ: properties that only one sends, types of values, and texts that do not have the form that
 * both must have. A text without a stated form is a difference as well so that none is left out.
 */
export function differencesBetween(one: readonly Report[], other: readonly Report[], formats: Formats): string[] {
  const [ours, theirs] = [valuesOf(one), valuesOf(other)]
  const paths = [...new Set([...ours.keys(), ...theirs.keys()])].toSorted()
  return [
    ...incompleteItems(one, 'the first'),
    ...incompleteItems(other, 'the second'),
    ...paths.flatMap((path) => differencesOf(path, ours.get(path), theirs.get(path), formats[path])),
  ]
}

function differencesOf(
  path: string,
  ours: Set<unknown> | undefined,
  theirs: Set<unknown> | undefined,
  format: RegExp | 'free text' | undefined,
): string[] {
  if (!ours || !theirs) return [`${path}: only ${ours ? 'the first' : 'the second'} sends it`]
  const [type, otherType] = [typesOf(ours), typesOf(theirs)]
  if (type !== '' && otherType !== '' && type !== otherType) return [`${path}: ${type} and ${otherType}`]
  const texts = [...known(ours), ...known(theirs)].filter((value) => typeof value === 'string')
  if (texts.length > 0 && format === undefined) return [`${path}: a text without a stated form`]
  if (!(format instanceof RegExp)) return []
  return texts.filter((text) => !format.test(text)).map((text) => `${path}: ${text}`)
}
