/** Not counted beyond this. */
const many = 1_000
const count = (n: number, one: string, others: string) =>
  n >= many ? `${many.toLocaleString('en')} or more ${others}` : `${n} ${n === 1 ? one : others}`

type Uses = { computers: number; groups: number; configurations: number; packages: number }

/** Definitions of variables, and where they are used. */
export const enVariables = {
  tab: 'Variables',
  hint: 'What values computers and groups can have, and what uses them. Variables are defined in the desired state.',
  search: 'Search',
  searchHint: 'A part of the name',
  columns: {
    name: 'Name',
    kind: 'Kind',
    description: 'Description',
    defaultValue: 'Default',
    uses: 'Used by',
    package: 'Package',
    use: 'How',
    value: 'Value',
    group: 'Group',
    configuration: 'Configuration',
    computer: 'Computer',
    domain: 'Domain',
    schedule: 'Takes effect',
    forced: 'Precedence',
  },
  kinds: { Scalar: 'Value', Collection: 'Collection', Category: 'Category', UserDefined: 'User-defined' },
  secret: 'Secret',
  secretHint: 'Values can be written, but never read',
  system: 'System',
  systemHint: 'Part of every installation',
  uses: ({ packages, groups, configurations, computers }: Uses) =>
    [
      packages > 0 && count(packages, 'package', 'packages'),
      groups > 0 && count(groups, 'group', 'groups'),
      configurations > 0 && count(configurations, 'configuration', 'configurations'),
      computers > 0 && count(computers, 'computer', 'computers'),
    ]
      .filter(Boolean)
      .join(', ') || 'Nothing',
  emptyTitle: 'No variables yet',
  emptyText: 'Define variables in the files of a desired state.',
  definition: 'Definition',
  changeHint: 'Definitions are part of the desired state: change them there.',
  variablesBelow: 'Variables in this category',
  collectionColumns: 'Columns of the collection',
  nothingBelow: 'Nothing here yet',
  packages: 'Packages',
  packagesHint:
    'Packages of all kinds whose manifest uses the variable. What scripts in the files of a package do is not known.',
  noPackages: 'No package uses it',
  useKinds: {
    Default: 'Gives it a value',
    Condition: 'Only for computers with certain values',
    Secret: 'Gets the secret',
    Command: 'Used in its commands',
  },
  groups: 'Values of groups',
  noGroups: 'No group has a value',
  forced: 'Forced',
  configurations: 'Variable configurations',
  noConfigurations: 'No configuration sets it',
  computers: 'Values of computers',
  noComputers: 'No computer has a value of its own',
  entry: (id: number) => `Entry ${id}`,
}
