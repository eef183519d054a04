import { invalidPart } from '../../platform/validation.ts'
import type { Catalog } from './api/schemas.ts'
import {
  type CatalogObject,
  type CatalogState,
  type ComputerRole,
  type Configuration,
  computerKey,
  type Definition,
  type SoftwareClass,
} from './catalog-state.ts'

export type WantedCatalog = { [S in keyof CatalogState]: CatalogState[S] | undefined }

/** The document as flat lists; a section that it leaves out is undefined. Throws where it contradicts itself. */
export function wantedCatalog(catalog: Catalog): WantedCatalog {
  return {
    variableDefinitions: catalog.variableDefinitions && definitions(catalog.variableDefinitions),
    variableConfigurations: catalog.variableConfigurations && configurations(catalog.variableConfigurations),
    softwareClasses: catalog.softwareClasses && softwareClasses(catalog.softwareClasses),
    computerRoles: catalog.computerRoles && computerRoles(catalog.computerRoles),
  }
}

type Variable = NonNullable<Catalog['variableDefinitions']>[number]

function definitions(variables: readonly Variable[]): Definition[] {
  return unique(
    'variableDefinitions',
    variables.flatMap((variable) => withChildren(variable, undefined)),
  )
}

function withChildren(variable: Variable, parent: Definition | undefined): Definition[] {
  const { name: designation, kind = 'Scalar', description = null, default: value = null, secret = false } = variable
  const name = parent ? `${parent.name}.${designation}` : designation
  const definition: Definition = {
    key: name.toLowerCase(),
    name,
    parentKey: parent?.key ?? null,
    depth: parent ? parent.depth + 1 : 0,
    fields: { designation, kind, description, default: value, secret },
  }
  const children = variable.children ?? []
  refuseContradictions(definition, children.length)
  return [definition, ...children.flatMap((child) => withChildren(child, definition))]
}

function refuseContradictions({ name, fields: { kind, default: value, secret } }: Definition, children: number): void {
  const refuse = (reason: string) => invalidPart('body', `catalog.variableDefinitions.${name}`, reason)
  if (children > 0 && kind !== 'Category' && kind !== 'Collection') throw refuse(`is ${kind} and has no children`)
  if (kind !== 'Scalar' && value !== null) throw refuse(`is ${kind} and has no default`)
  if (kind !== 'Scalar' && secret) throw refuse(`is ${kind} and cannot be secret`)
  if (secret && value !== null) throw refuse('is secret and has no default')
}

function configurations(wanted: NonNullable<Catalog['variableConfigurations']>): Configuration[] {
  const objects = wanted.map(({ name, description = null, values }) => ({
    key: name.toLowerCase(),
    name,
    fields: {
      name,
      description,
      values: unique(
        `variableConfigurations.${name}`,
        values.map(({ variable, value, schedule = null }) => ({
          key: variable.toLowerCase(),
          name: variable,
          fields: { value, schedule },
        })),
      )
        .map(({ key, fields }) => ({ variable: key, ...fields }))
        .sort(by(({ variable }) => variable)),
    },
  }))
  return unique('variableConfigurations', objects)
}

function softwareClasses(wanted: NonNullable<Catalog['softwareClasses']>): SoftwareClass[] {
  const objects = wanted.map(({ name, description = null, packages }) => ({
    key: name.toLowerCase(),
    name,
    fields: { name, description, packages: [...new Set(packages.map((id) => id.toLowerCase()))].sort() },
  }))
  return unique('softwareClasses', objects)
}

function computerRoles(wanted: NonNullable<Catalog['computerRoles']>): ComputerRole[] {
  const objects = wanted.map(({ name, domain, role }) => ({
    key: computerKey(name, domain),
    name: `${name}.${domain}`,
    computer: { name, domain },
    fields: { role },
  }))
  return unique('computerRoles', objects)
}

function unique<T extends Pick<CatalogObject<unknown>, 'key' | 'name'>>(where: string, objects: T[]): T[] {
  const seen = new Set<string>()
  for (const { key, name } of objects) {
    if (seen.has(key)) throw invalidPart('body', `catalog.${where}`, `names '${name}' twice`)
    seen.add(key)
  }
  return objects
}

function by<T>(text: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => (text(a) < text(b) ? -1 : 1)
}
