import type { Catalog } from './api/schemas.ts'
import type { CatalogState, Definition } from './catalog-state.ts'

type Variable = NonNullable<Catalog['variableDefinitions']>[number]

/** The document that says what the state says. */
export function exportedCatalog(state: CatalogState): Catalog {
  const names = new Map(state.variableDefinitions.map(({ key, name }) => [key, name]))
  return {
    variableDefinitions: childrenOf(null, state.variableDefinitions),
    variableConfigurations: state.variableConfigurations.map(({ fields: { name, description, values } }) => ({
      name,
      description,
      values: values.map((value) => ({ ...value, variable: names.get(value.variable) ?? value.variable })),
    })),
    softwareClasses: state.softwareClasses.map(({ fields }) => fields),
    computerRoles: state.computerRoles.map(({ computer, fields }) => ({ ...computer, ...fields })),
  }
}

function childrenOf(parentKey: string | null, definitions: Definition[]): Variable[] {
  return definitions
    .filter((definition) => definition.parentKey === parentKey)
    .map(({ key, fields: { designation, kind, ...fields } }) => {
      const children = childrenOf(key, definitions)
      return { name: designation, kind, ...fields, ...(children.length > 0 && { children }) } as Variable
    })
}
