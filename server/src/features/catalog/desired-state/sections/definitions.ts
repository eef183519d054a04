import { sql } from 'kysely'
import type { Database } from '../../../../database/connect.ts'
import type { Catalog } from '../../api/schemas.ts'
import { toCatalogDocument } from '../../catalog-document.ts'
import { type CatalogDefinition, loadCatalogDefinitions } from '../../catalog-state.ts'
import { parseCatalog } from '../../parse-catalog.ts'
import { packageReference, requireDifferent } from '../group-entries.ts'
import type { PackageNames } from '../package-names.ts'
import type { StateChange, StateObject, StateSection } from '../state-section.ts'

type Variables = NonNullable<Catalog['variableDefinitions']>

/** The parts of the catalog document: each is applied as a whole, by the operation of the catalog. */
export const definitionSections: readonly StateSection[] = [
  {
    name: 'variableDefinitions',
    property: 'variableDefinitions',
    usedBy: ['variableConfigurations', 'groups'],
    readRole: 'package.read',
    whole: true,
    async readCurrent(db) {
      const { variableDefinitions, systemKeys } = await loadCatalogDefinitions(db)
      const ids = await idsByName(db, 'variable_definitions', 'dotted_name')
      return variableDefinitions.map((definition) => ({
        ...toObject(definition, ids),
        details: { definition, isSystem: systemKeys.has(definition.key) },
      }))
    },
    readDocument: ({ variableDefinitions }) =>
      variableDefinitions && parseCatalog({ variableDefinitions }).variableDefinitions?.map((one) => toObject(one)),
    writeDocument(objects, document) {
      const definitions = objects.map(({ details }) => (details as { definition: CatalogDefinition }).definition)
      const empty = { variableConfigurations: [], softwareClasses: [], computerRoles: [] }
      const written = toCatalogDocument({ ...empty, variableDefinitions: definitions }).variableDefinitions ?? []
      document.variableDefinitions = written.map(withoutDefaults) as Variables
    },
    isKept: ({ details }) => (details as { isSystem: boolean }).isSystem,
    toRequests: (changes, { document: { variableDefinitions = [] } }) => [toRequest(changes, { variableDefinitions })],
  },
  {
    name: 'variableConfigurations',
    property: 'variableConfigurations',
    usedBy: ['groups'],
    readRole: 'package.read',
    whole: true,
    async readCurrent(db) {
      const state = await loadCatalogDefinitions(db)
      const ids = await idsByName(db, 'variable_configurations', 'name')
      const documents = toCatalogDocument({ ...state, computerRoles: [] }).variableConfigurations ?? []
      return state.variableConfigurations.map((one, at) => ({ ...toObject(one, ids), details: documents[at] }))
    },
    readDocument: ({ variableConfigurations }) =>
      variableConfigurations &&
      parseCatalog({ variableConfigurations }).variableConfigurations?.map((one) => toObject(one)),
    writeDocument(objects, document) {
      const configurations = objects.map(
        ({ details }) => details as NonNullable<Catalog['variableConfigurations']>[number],
      )
      document.variableConfigurations = configurations.map(({ name, description, values }) => ({
        name,
        ...(description != null && { description }),
        values: values.map(({ variable, value, schedule }) => ({
          variable,
          value,
          ...(schedule != null && { schedule }),
        })),
      }))
    },
    toRequests: (changes, { document: { variableConfigurations = [] } }) => [
      toRequest(changes, { variableConfigurations }),
    ],
  },
  {
    name: 'softwareClasses',
    property: 'softwareClasses',
    usedBy: ['groups'],
    readRole: 'package.read',
    whole: true,
    async readCurrent(db, packages) {
      const { softwareClasses } = await loadCatalogDefinitions(db)
      const ids = await idsByName(db, 'software_classes', 'name')
      return softwareClasses.map(({ key, name, fields: { description, packages: members } }) => {
        const labels = members.flatMap((id) => packages.findById(id)?.label ?? [])
        return { ...toClass(name, description, labels), ...idOf(ids, key) }
      })
    },
    readDocument: ({ softwareClasses }, { packages }) =>
      softwareClasses &&
      requireDifferent(
        'softwareClasses',
        softwareClasses.map(({ name, description = null, packages: members }) =>
          toClass(name, description, members.map(packages.labelOf)),
        ),
      ),
    writeDocument(objects, document, packages) {
      document.softwareClasses = objects.map(({ fields }) => {
        const { name, description, packages: labels } = fields as ReturnType<typeof toClass>['fields']
        const references = labels.flatMap((label) => packages.find(label)?.reference ?? [])
        return { name, ...(description !== null && { description }), packages: references }
      })
    },
    toRequests: (changes, { document: { softwareClasses = [] }, packages }) => [
      toRequest(changes, {
        softwareClasses: softwareClasses.map((one) => ({ ...one, packages: toIds(one.packages, packages) })),
      }),
    ],
  },
]

function toClass(name: string, description: string | null, labels: string[]) {
  return {
    key: name.toLowerCase(),
    name,
    fields: { name, description, packages: labels.toSorted() },
    needs: labels.map(packageReference),
  }
}

const toIds = (references: Parameters<PackageNames['labelOf']>[0][], packages: PackageNames) =>
  references.flatMap((reference) => packages.find(packages.labelOf(reference))?.id ?? [])

/** Removes what the plan removes, and not what somebody has added since. */
function toRequest(changes: readonly StateChange[], catalog: Catalog) {
  const removeOnly = changes.filter(({ action }) => action === 'remove').map(({ object }) => object.key)
  return { operation: 'applyCatalog', body: { catalog, removeMissing: removeOnly.length > 0, removeOnly } }
}

type Named = { key: string; name: string; fields: object }

function toObject({ key, name, fields }: Named, ids?: Map<string, number>): StateObject {
  return { key, name, fields: { ...fields }, ...idOf(ids, key) }
}

function idOf(ids: Map<string, number> | undefined, key: string): { id?: number } {
  const id = ids?.get(key)
  return id === undefined ? {} : { id }
}

async function idsByName(db: Database, table: string, column: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, ${sql.ref(column)} as name from ${sql.table(table)}`.execute(db)
  return new Map(rows.map(({ id, name }) => [name.toLowerCase(), id]))
}

/** Leaves out what a variable is without being specified. */
function withoutDefaults(variable: Variables[number]): object {
  const { name, kind, description, default: value, secret, children } = variable
  return {
    name,
    ...(kind !== 'Scalar' && { kind }),
    ...(description != null && { description }),
    ...(value != null && { default: value }),
    ...(secret && { secret }),
    ...(children && { children: children.map(withoutDefaults) }),
  }
}
