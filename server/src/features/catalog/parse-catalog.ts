import { invalidPart } from '../../platform/validation.ts'
import { findScheduleFault } from '../variables/schedule-fault.ts'
import type { Catalog } from './api/schemas.ts'
import {
  type CatalogComputerRole,
  type CatalogConfiguration,
  type CatalogDefinition,
  type CatalogObject,
  type CatalogSoftwareClass,
  type CatalogState,
  computerKey,
} from './catalog-state.ts'

export type ParsedCatalog = { [S in keyof CatalogState]: CatalogState[S] | undefined }

/** Flattens the document into lists. A missing section is undefined. Throws if the document contradicts itself. */
export function parseCatalog(catalog: Catalog): ParsedCatalog {
  return {
    variableDefinitions: catalog.variableDefinitions && parseDefinitions(catalog.variableDefinitions),
    variableConfigurations: catalog.variableConfigurations && parseConfigurations(catalog.variableConfigurations),
    softwareClasses: catalog.softwareClasses && parseSoftwareClasses(catalog.softwareClasses),
    computerRoles: catalog.computerRoles && parseComputerRoles(catalog.computerRoles),
  }
}

type Variable = NonNullable<Catalog['variableDefinitions']>[number]

function parseDefinitions(variables: readonly Variable[]): CatalogDefinition[] {
  return requireUnique(
    'variableDefinitions',
    variables.flatMap((variable) => parseWithChildren(variable, undefined)),
  )
}

function parseWithChildren(variable: Variable, parent: CatalogDefinition | undefined): CatalogDefinition[] {
  const { name: designation, kind = 'Scalar', description = null, default: value = null, secret = false } = variable
  const name = parent ? `${parent.name}.${designation}` : designation
  const definition: CatalogDefinition = {
    key: name.toLowerCase(),
    name,
    parentKey: parent?.key ?? null,
    depth: parent ? parent.depth + 1 : 0,
    fields: { designation, kind, description, default: value, secret },
  }
  const children = variable.children ?? []
  requireConsistentDefinition(definition, children.length)
  return [definition, ...children.flatMap((child) => parseWithChildren(child, definition))]
}

function requireConsistentDefinition(
  { name, fields: { kind, default: value, secret } }: CatalogDefinition,
  children: number,
): void {
  const refusal = (reason: string) => invalidPart('body', `catalog.variableDefinitions.${name}`, reason)
  if (children > 0 && kind !== 'Category' && kind !== 'Collection')
    throw refusal(`is of the kind ${kind}, which cannot have children`)
  if (kind !== 'Scalar' && value !== null) throw refusal(`is of the kind ${kind}, which cannot have a default`)
  if (kind !== 'Scalar' && secret) throw refusal(`is of the kind ${kind}, which cannot be secret`)
  if (secret && value !== null) throw refusal('is secret and cannot have a default')
}

function parseConfigurations(configurations: NonNullable<Catalog['variableConfigurations']>): CatalogConfiguration[] {
  const objects = configurations.map(({ name, description = null, values }) => ({
    key: name.toLowerCase(),
    name,
    fields: {
      name,
      description,
      values: requireUnique(
        `variableConfigurations.${name}`,
        values.map(({ variable, value, schedule = null }) => ({
          key: variable.toLowerCase(),
          name: variable,
          fields: { value, schedule: requireValidSchedule(name, variable, schedule) },
        })),
      )
        .map(({ key, fields }) => ({ variable: key, ...fields }))
        .sort(compareBy(({ variable }) => variable)),
    },
  }))
  return requireUnique('variableConfigurations', objects)
}

function requireValidSchedule(configuration: string, variable: string, schedule: string | null): string | null {
  const fault = findScheduleFault(schedule)
  if (fault)
    throw invalidPart(
      'body',
      `catalog.variableConfigurations.${configuration}.${variable}`,
      `has a schedule that ${fault}`,
    )
  return schedule
}

function parseSoftwareClasses(classes: NonNullable<Catalog['softwareClasses']>): CatalogSoftwareClass[] {
  const objects = classes.map(({ name, description = null, packages }) => ({
    key: name.toLowerCase(),
    name,
    fields: { name, description, packages: [...new Set(packages.map((id) => id.toLowerCase()))].sort() },
  }))
  return requireUnique('softwareClasses', objects)
}

function parseComputerRoles(roles: NonNullable<Catalog['computerRoles']>): CatalogComputerRole[] {
  const objects = roles.map(({ name, domain, role }) => ({
    key: computerKey(name, domain),
    name: `${name}.${domain}`,
    computer: { name, domain },
    fields: { role },
  }))
  return requireUnique('computerRoles', objects)
}

function requireUnique<T extends Pick<CatalogObject<unknown>, 'key' | 'name'>>(where: string, objects: T[]): T[] {
  const seen = new Set<string>()
  for (const { key, name } of objects) {
    if (seen.has(key)) throw invalidPart('body', `catalog.${where}`, `contains '${name}' twice`)
    seen.add(key)
  }
  return objects
}

function compareBy<T>(text: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => (text(a) < text(b) ? -1 : 1)
}
