import { closed, enumOf, Int32, nameText, nullable, type Static, Type, text, Uuid } from '../../../platform/schema.ts'

const description = Type.Optional(nullable(text(1000, 'What it is for')))
const designation = { ...nameText(255, 'ServerName'), pattern: '^[^.\\s]+$' }
const defaultValue = Type.Optional(
  nullable(text(65_536, 'print01', 'Value used if no other is set. A secret variable cannot have one')),
)
const secret = Type.Optional(
  // Without a default: it would be added to every variable of an export.
  Type.Boolean({ examples: [false], description: 'True if values can be written but never read over the API' }),
)

const Column = closed(
  { name: designation, description, default: defaultValue, secret },
  {
    title: 'CatalogCollectionColumn',
    description: 'A child of a collection. Each entry of the collection has a value for it.',
  },
)

const variable = {
  name: designation,
  description,
  default: defaultValue,
  secret,
  children: Type.Optional(Type.Array(Column, { maxItems: 200, examples: [[{ name: 'Queue' }]] })),
}

const Variable = closed(
  {
    ...variable,
    kind: Type.Optional(enumOf(['Scalar', 'Collection', 'UserDefined'], { description: 'Scalar if missing' })),
  },
  { title: 'CatalogVariable' },
)

const TopLevelVariable = closed(
  {
    ...variable,
    kind: Type.Optional(
      enumOf(['Category', 'Scalar', 'Collection', 'UserDefined'], { description: 'Scalar if missing' }),
    ),
    children: Type.Optional(
      Type.Array(Variable, { maxItems: 2000, examples: [[{ name: 'ServerName', default: 'print01' }]] }),
    ),
  },
  { title: 'CatalogTopLevelVariable', description: 'A variable, or a category that groups variables.' },
)

const Configuration = closed(
  {
    name: nameText(255, 'Branch office'),
    description,
    values: Type.Array(
      closed(
        {
          variable: Type.String({ maxLength: 800, examples: ['Printing.ServerName'], description: 'Dotted name' }),
          value: text(65_536, 'print02'),
          schedule: Type.Optional(nullable(text(255, '2026-03-01T22:00:00Z', 'When the value takes effect'))),
        },
        { title: 'CatalogConfigurationValue' },
      ),
      { maxItems: 5000 },
    ),
  },
  { title: 'CatalogVariableConfiguration' },
)

const SoftwareClass = closed(
  {
    name: nameText(255, 'Browsers'),
    description,
    packages: Type.Array(Uuid, { maxItems: 5000, examples: [[]], description: 'Ids of the packages in the class' }),
  },
  { title: 'CatalogSoftwareClass' },
)

const ComputerRole = closed(
  {
    name: nameText(255, 'depot01'),
    domain: nameText(255, 'corp.example.org'),
    role: enumOf(['DepotServer', 'MasterServer']),
  },
  { title: 'CatalogComputerRole' },
)

export const Catalog = closed(
  {
    variableDefinitions: Type.Optional(Type.Array(TopLevelVariable, { maxItems: 5000 })),
    variableConfigurations: Type.Optional(Type.Array(Configuration, { maxItems: 5000, examples: [[]] })),
    softwareClasses: Type.Optional(Type.Array(SoftwareClass, { maxItems: 5000 })),
    computerRoles: Type.Optional(Type.Array(ComputerRole, { maxItems: 5000, examples: [[]] })),
  },
  { title: 'Catalog', description: 'A section that is missing is not changed.' },
)

export type Catalog = Static<typeof Catalog>

export const CatalogRequest = closed(
  {
    catalog: Catalog,
    removeMissing: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description:
          'Also remove the objects that the sections of the document do not list. System variables are never removed',
      }),
    ),
    removeOnly: Type.Optional(
      Type.Array(text(1000, 'Printing.Server'), {
        maxItems: 20_000,
        description: 'With removeMissing: the only objects to remove, by their names. Others stay, such as new ones',
      }),
    ),
  },
  { title: 'CatalogRequest' },
)

export const catalogSections = [
  'variableDefinitions',
  'variableConfigurations',
  'softwareClasses',
  'computerRoles',
] as const

const count = (description: string) => ({ ...Int32, examples: [0], description })

const CatalogChange = closed(
  {
    section: enumOf(catalogSections),
    name: Type.String({ examples: ['Printing.ServerName'] }),
    action: enumOf(['add', 'change', 'remove']),
    fields: Type.Array(Type.String(), {
      examples: [['default']],
      description: 'Names of the changed fields; empty unless the action is change',
    }),
    affected: closed(
      {
        computers: count(
          'Computers that have their own value, or that are in or below a group that the object is assigned to',
        ),
        groups: count('Groups that have their own value, or that the object is assigned to'),
        configurations: count('Variable configurations that set the variable'),
      },
      { title: 'CatalogAffected' },
    ),
    blockers: Type.Array(Type.String(), {
      examples: [['2 groups have a value']],
      description: 'Uses that block the change. applyCatalog answers 409 if any change has a blocker',
    }),
  },
  { title: 'CatalogChange' },
)

export const CatalogPlan = closed(
  {
    isApplied: Type.Boolean({ examples: [false], description: 'True in the answer of applyCatalog' }),
    added: count('Objects to add'),
    changed: count('Objects to change'),
    removed: count('Objects to remove'),
    changes: Type.Array(CatalogChange),
  },
  { title: 'CatalogPlan' },
)

export type CatalogPlan = Static<typeof CatalogPlan>
