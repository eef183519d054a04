import { manifestSchemas } from '@muster/package-format'
import { knownSettings } from '../../agent/src/state/settings.ts'
import { operations } from '../../server/src/features/index.ts'
import { ignoredKeyword } from '../../server/src/platform/schema.ts'

type Schema = {
  title?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  [ignoredKeyword]?: boolean
}

/**
 * Every setting, by what it is a setting of: an operation that changes something, a manifest, a schema within them, or the
 * agent. Properties of properties are separated by dots, `[]` means the items of a list. A schema that is listed by its
 * title is a single setting where others use it.
 */
export function listSettings(listedTitles: ReadonlySet<string>): Map<string, Set<string>> {
  const settings = new Map<string, Set<string>>([['AgentSettings', new Set(Object.keys(knownSettings(undefined)))]])

  function add(owner: string, schema: Schema): void {
    if (!settings.has(owner)) settings.set(owner, new Set(listPaths(schema, '')))
  }

  function listPaths(schema: Schema, path: string): string[] {
    if (schema[ignoredKeyword]) return []
    if (path !== '' && schema.title && listedTitles.has(schema.title)) {
      add(schema.title, schema)
      return [path]
    }
    if (schema.anyOf) return schema.anyOf.flatMap((variant) => listPaths(variant, path))
    if (schema.items) return listPaths(schema.items, `${path}[]`)
    if (!schema.properties) return [path]
    const prefix = path === '' ? '' : `${path}.`
    return Object.entries(schema.properties).flatMap(([name, property]) => listPaths(property, `${prefix}${name}`))
  }

  for (const { id, body, mutates } of operations) if (mutates && body) add(id, body)
  for (const schema of Object.values(manifestSchemas)) add(String(schema.title), schema)
  return settings
}
