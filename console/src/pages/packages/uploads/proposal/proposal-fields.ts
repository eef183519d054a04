import type { components } from '../../../../api/types.ts'

export type PackageProposal = components['schemas']['PackageProposal']
type ProposedLine = PackageProposal['lines'][number]

export type InstallerScript = { name: string; text: string; isComplete: boolean }

/** The scripts of an installer. Only some formats have them. */
export function scriptsOf({ facts = {} }: Partial<Pick<PackageProposal, 'facts'>>): readonly InstallerScript[] {
  return Array.isArray(facts.scripts) ? (facts.scripts as InstallerScript[]) : []
}

/** How a value is typed: as a text, as one argument in each line, as a list with commas, or as JSON. */
type FieldForm = 'text' | 'longText' | 'lines' | 'texts' | 'numbers' | 'json'

/** A property of the manifest that can be changed. */
export type ProposalField = {
  /** Names of the property and of those that contain it. */
  path: readonly string[]
  form: FieldForm
  /** What the field contains at first. */
  text: string
  /** Those of the line from which it comes. Fields that nothing was proposed for have none. */
  origin?: Pick<ProposedLine, 'confidence' | 'reason'>
}

export const keyOf = ({ path }: Pick<ProposalField, 'path'>) => path.join('.')

/** What follows from the file itself, and is not changed. */
const fixedProperties = ['kind', 'msi.file']

/** Properties that people add most often, with what makes them superfluous. */
const addable: readonly (readonly [property: string, form: FieldForm, covers: string])[] = [
  ['displayName', 'text', 'displayName'],
  ['author', 'text', 'author'],
  ['description', 'longText', 'description'],
  ['commands.install.successCodes', 'numbers', 'commands.install.successCodes'],
  ['commands.install.rebootCodes', 'numbers', 'commands.install.rebootCodes'],
  ['commands.uninstall.shell', 'longText', 'commands.uninstall'],
  ['commands.detect.shell', 'longText', 'commands.detect'],
]

/** In the order in which people read them. What is not listed comes last. */
const order = [
  ...['name', 'version', 'displayName', 'author', 'description', 'operatingSystems', 'onlyFor', 'msi'],
  ...['commands.install.argv', 'commands.install.shell', 'commands.install', 'commands.uninstall', 'commands.detect'],
]

const isWithin = (property: string, parent: string) => property === parent || property.startsWith(`${parent}.`)

function rankOf(field: ProposalField): number {
  const found = order.findIndex((parent) => isWithin(keyOf(field), parent))
  return found === -1 ? order.length : found
}

/** The fields of a form for the proposal. */
export function toFields({ lines }: Pick<PackageProposal, 'lines'>): ProposalField[] {
  const proposed = lines
    .filter(({ property, isImplied }) => !isImplied && !fixedProperties.includes(property))
    .flatMap(({ property, value, confidence, reason }) =>
      fieldsOf(property.split('.'), value).map((field) => ({ ...field, origin: { confidence, reason } })),
    )
  // The agent installs an MSI file by itself, and adding a part of a command would replace all of it.
  const isInstalledByAgent = lines.some(
    ({ property, isImplied }) => isImplied && isWithin(property, 'commands.install'),
  )
  const added = addable
    .filter(([, , covers]) => !lines.some(({ property }) => isWithin(property, covers)))
    .filter(([property]) => !(isInstalledByAgent && isWithin(property, 'commands.install')))
    .map(([property, form]) => ({ path: property.split('.'), form, text: '' }))
  return [...proposed, ...added].sort((one, other) => rankOf(one) - rankOf(other))
}

const longProperties = ['description', 'shell']

/** An object becomes a field for each of its properties. */
function fieldsOf(path: readonly string[], value: unknown): ProposalField[] {
  if (typeof value === 'string')
    return [{ path, form: longProperties.includes(path.at(-1) ?? '') ? 'longText' : 'text', text: value }]
  if (Array.isArray(value) && value.every((item) => typeof item === 'number'))
    return [{ path, form: 'numbers', text: value.join(', ') }]
  const [listForm, separator] = path.at(-1) === 'argv' ? (['lines', '\n'] as const) : (['texts', ','] as const)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes(separator)))
    return [{ path, form: listForm, text: value.join(listForm === 'lines' ? '\n' : ', ') }]
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).flatMap(([name, item]) => fieldsOf([...path, name], item))
  return [{ path, form: 'json', text: JSON.stringify(value) }]
}

type Manifest = Record<string, unknown>

/** The manifest with what the fields contain. Empty ones are left out: the service says what is required. */
export function toManifest(
  { lines }: Pick<PackageProposal, 'lines'>,
  fields: readonly ProposalField[],
  textOf: (field: ProposalField) => string,
): Manifest {
  const manifest: Manifest = {}
  for (const { property, value } of lines)
    if (fixedProperties.includes(property)) put(manifest, property.split('.'), value)
  for (const field of fields) {
    const value = parseText(field.form, textOf(field))
    if (value !== undefined) put(manifest, field.path, value)
  }
  return manifest
}

function put(manifest: Manifest, path: readonly string[], value: unknown): void {
  const parent = path.slice(0, -1).reduce<Manifest>((object, name) => {
    object[name] ??= {}
    return object[name] as Manifest
  }, manifest)
  parent[path.at(-1) ?? ''] = value
}

function parseText(form: FieldForm, text: string): unknown {
  if (text.trim() === '') return undefined
  switch (form) {
    case 'text':
      return text.trim()
    case 'longText':
      return text
    case 'lines':
      return text.replace(/\n+$/, '').split('\n')
    case 'texts':
      return itemsOf(text)
    case 'numbers':
      return itemsOf(text).map(numberOrText)
    case 'json':
      return jsonOrText(text)
  }
}

const itemsOf = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** The service refuses a text with the reason, which is shown at the field. */
const numberOrText = (item: string) => (Number.isFinite(Number(item)) ? Number(item) : item)

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The field that a fault of the manifest is about: the property itself, one that contains it, or the first in it. */
export function findFieldOf(fields: readonly ProposalField[], property: string): ProposalField | undefined {
  return (
    fields.find((field) => isWithin(property, keyOf(field))) ?? fields.find((field) => isWithin(keyOf(field), property))
  )
}
