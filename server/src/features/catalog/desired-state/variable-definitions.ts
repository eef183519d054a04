import type { DesiredState } from '../api/desired-state/document-schemas.ts'
import type { CatalogDefinition } from '../catalog-state.ts'
import { parseCatalog } from '../parse-catalog.ts'
import type { CurrentState } from './state-section.ts'

export type DefinedVariable = { name: string; default: string | null; secret: boolean }

/** The variables as they are defined after the apply, by their names in lower case. Columns of collections are among them. */
export function listDefinedVariables(
  { variableDefinitions }: DesiredState,
  current: CurrentState,
): Map<string, DefinedVariable> {
  const inDocument = (variableDefinitions && parseCatalog({ variableDefinitions }).variableDefinitions) ?? []
  return new Map(
    [...(current.get('variableDefinitions')?.values() ?? []), ...inDocument].map(({ key, name, fields }) => {
      const { default: value, secret } = fields as CatalogDefinition['fields']
      return [key, { name, default: value, secret }]
    }),
  )
}

/** What keeps the values of secrets from being stored where everybody who may read groups sees them, as sentences. */
export function listExposedSecrets(names: readonly string[], defined: ReadonlyMap<string, DefinedVariable>): string[] {
  return names
    .filter((name) => defined.get(name.toLowerCase())?.secret === false)
    .map((name) => `${name} is not a secret variable: define it as secret, or write a value instead of a secret`)
}
