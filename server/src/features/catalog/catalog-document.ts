import type { Catalog } from './api/schemas.ts'
import type { CatalogDefinition, CatalogState } from './catalog-state.ts'

type Variable = NonNullable<Catalog['variableDefinitions']>[number]

/** The document that, applied to an empty catalog, produces this state. */
export function toCatalogDocument(state: CatalogState): Catalog {
  const names = new Map(state.variableDefinitions.map(({ key, name }) => [key, name]))
  return {
    variableDefinitions: toVariables(null, state.variableDefinitions),
    variableConfigurations: state.variableConfigurations.map(({ fields: { name, description, values } }) => ({
      name,
      description,
      values: values.map((value) => ({ ...value, variable: names.get(value.variable) ?? value.variable })),
    })),
    softwareClasses: state.softwareClasses.map(({ fields }) => fields),
    computerRoles: state.computerRoles.map(({ computer, fields }) => ({ ...computer, ...fields })),
  }
}

function toVariables(parentKey: string | null, definitions: CatalogDefinition[]): Variable[] {
  return definitions
    .filter((definition) => definition.parentKey === parentKey)
    .map(({ key, fields: { designation, kind, ...fields } }) => {
      const children = toVariables(key, definitions)
      return { name: designation, kind, ...fields, ...(children.length > 0 && { children }) } as Variable
    })
}
