import type { Effects } from './effects-type.ts'

/** The settings of the catalog document. */
export const catalogEffects: Effects = {
  applyCatalog: {
    removeMissing: 'catalog/catalog.test.ts: applying keeps what a section does not list, unless removeMissing is set',
    'removeOnly[]': 'catalog/catalog.test.ts: applying removes only what is named, and no parent of what stays',
    'catalog.variableDefinitions[], catalog.variableConfigurations[]':
      'catalog/catalog.test.ts: applying creates the objects of the document, and applying it again changes nothing',
    'catalog.softwareClasses[], catalog.computerRoles[]':
      'catalog/catalog.test.ts: applying an export changes nothing, and recreates the catalog in an empty installation',
  },
  'CatalogTopLevelVariable, CatalogVariable, CatalogCollectionColumn': {
    name: 'channels/agent/work-variables.test.ts: started work gets its entries of collections, but only those secret children that the manifest names',
    secret:
      'channels/agent/work-variables.test.ts: started work gets its entries of collections, but only those secret children that the manifest names',
  },
  'CatalogTopLevelVariable, CatalogVariable': {
    default: 'variables/inheritance.test.ts: each stronger source of a value overrides the weaker ones for a computer',
    kind: 'channels/agent/work-variables.test.ts: started work gets its entries of collections, but only those secret children that the manifest names',
    'children[]': 'variables/definitions.test.ts: a category or collection has children, and a scalar has none',
  },
  CatalogCollectionColumn: {
    default:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how the test writes its title.
      'variables/collections.test.ts: a child that is missing in a new entry of a ${kind} gets its default, which is stored',
  },
  CatalogVariableConfiguration: {
    name: 'catalog/catalog.test.ts: a plan lists what would be added, changed and removed and what is affected, and changes nothing',
    'values[].variable, values[].value':
      'variables/inheritance.test.ts: each stronger source of a value overrides the weaker ones for a computer',
    'values[].schedule':
      'variables/inheritance.test.ts: a value from any source is without effect before the time of its schedule',
  },
  CatalogSoftwareClass: {
    name: 'catalog/catalog.test.ts: a plan lists what would be added, changed and removed and what is affected, and changes nothing',
    'packages[]':
      'deployments/activate-computer.test.ts: packages of a software class are published with the options of the group to which the class is assigned',
  },
  CatalogComputerRole: {
    'name, domain, role':
      'tests/end-to-end/deployment.test.ts: real agents install, reinstall and remove a package that is assigned over the API',
  },
}
