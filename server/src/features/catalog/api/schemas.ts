import { closed, enumOf, Int32, nullable, type Static, Type, text, Uuid } from '../../../platform/schema.ts'

const description = Type.Optional(nullable(text(1000, 'What it is for')))
const designation = Type.String({ maxLength: 255, pattern: '^[^.\\s]+$', examples: ['ServerName'] })
const defaultValue = Type.Optional(
  nullable(text(65_536, 'print01', 'Used where nobody gives a value; a secret variable has none')),
)
const secret = Type.Optional(
  Type.Boolean({
    default: false,
    examples: [false],
    description: 'Values can be written, and never read over the API',
  }),
)

const Column = closed(
  { name: designation, description, default: defaultValue, secret },
  { title: 'CatalogCollectionColumn', description: 'A child of a collection: a value that each of its entries has.' },
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
    kind: Type.Optional(enumOf(['Scalar', 'Collection', 'UserDefined'], { description: 'Scalar unless given' })),
  },
  { title: 'CatalogVariable' },
)

const TopLevelVariable = closed(
  {
    ...variable,
    kind: Type.Optional(
      enumOf(['Category', 'Scalar', 'Collection', 'UserDefined'], { description: 'Scalar unless given' }),
    ),
    children: Type.Optional(
      Type.Array(Variable, { maxItems: 2000, examples: [[{ name: 'ServerName', default: 'print01' }]] }),
    ),
  },
  { title: 'CatalogTopLevelVariable', description: 'A variable, or a category that gathers variables under its name.' },
)

const Configuration = closed(
  {
    name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', examples: ['Branch office'] }),
    description,
    values: Type.Array(
      closed(
        {
          variable: Type.String({ maxLength: 800, examples: ['Printing.ServerName'], description: 'Dotted name' }),
          value: text(65_536, 'print02'),
          schedule: Type.Optional(nullable(text(255, '0 22 * * *'))),
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
    name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', examples: ['Browsers'] }),
    description,
    packages: Type.Array(Uuid, { maxItems: 5000, examples: [[]], description: 'Ids of the packages it covers' }),
  },
  { title: 'CatalogSoftwareClass' },
)

const ComputerRole = closed(
  {
    name: text(255, 'depot01'),
    domain: text(255, 'corp.example.org'),
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
  { title: 'Catalog', description: 'A section that is left out is left as it is.' },
)

export type Catalog = Static<typeof Catalog>

export const CatalogRequest = closed(
  {
    catalog: Catalog,
    removeMissing: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description: 'Also remove what the sections of the document do not list',
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
    fields: Type.Array(Type.String(), { examples: [['default']], description: 'What a change changes' }),
    affected: closed(
      {
        computers: count('Computers with a value of their own, or below a group that the change reaches'),
        groups: count('Groups with a value of their own, or to which the object is assigned'),
        configurations: count('Variable configurations with a value'),
      },
      { title: 'CatalogAffected' },
    ),
    blockers: Type.Array(Type.String(), {
      examples: [['2 groups have a value']],
      description: 'What stands in the way; applying is refused while there is any',
    }),
  },
  { title: 'CatalogChange' },
)

export const CatalogPlan = closed(
  {
    isApplied: Type.Boolean({ examples: [false] }),
    added: count('Objects to add'),
    changed: count('Objects to change'),
    removed: count('Objects to remove'),
    changes: Type.Array(CatalogChange),
  },
  { title: 'CatalogPlan' },
)
