import type { AnyOperation, ApiSection } from '../platform/operation.ts'

type SectionDeclaration = Pick<ApiSection, 'name' | 'description'> & { prefixes: readonly string[] }

/**
 * The tags of the OpenAPI document, in its order. They are part of the contract and follow the paths, whereas the code
 * follows features: an operation belongs to the section with the longest prefix of its path.
 */
const declarations: readonly SectionDeclaration[] = [
  {
    name: 'Authentication',
    description: 'Access tokens for the API.',
    prefixes: ['/api/auth'],
  },
  {
    name: 'Administration',
    description: 'Principals, their roles, and the ways to sign in.',
    prefixes: ['/api/admin'],
  },
  {
    name: 'Computers',
    description: 'The managed computers: what they are, where they belong and what holds for them.',
    prefixes: ['/api/computer'],
  },
  {
    name: 'Deployment Groups',
    description: 'The two trees of groups, their members and what is assigned to them.',
    prefixes: ['/api/group'],
  },
  {
    name: 'Software Packages',
    description: 'What can be installed: packages, where they are assigned, and their import from the package store.',
    prefixes: ['/api/packages'],
  },
  {
    name: 'Patches',
    description: 'The catalog of patches, and for which product versions they are approved.',
    prefixes: ['/api/patches'],
  },
  {
    name: 'Patch Management Groups',
    description: 'Which patches computers get: groups of patches, where they are assigned, and emergency patching.',
    prefixes: ['/api/pmgroup'],
  },
  {
    name: 'Operating System Imports',
    description: 'Images of operating systems, with the editions in them.',
    prefixes: ['/api/operating-system-imports'],
  },
  {
    name: 'PXE Boot Images',
    description: 'What computers start from over the network.',
    prefixes: ['/api/pxe-bootimages'],
  },
  {
    name: 'Language Pack Imports',
    description: 'Languages for operating systems.',
    prefixes: ['/api/language-pack-imports'],
  },
  {
    name: 'Agent Templates',
    description: 'Settings for the agents of computers.',
    prefixes: ['/api/agent-templates'],
  },
  {
    name: 'Software Classes',
    description: 'Packages that are assigned together.',
    prefixes: ['/api/softwareclasses'],
  },
  {
    name: 'Variable Definitions',
    description: 'The catalog of variables, and where they have values.',
    prefixes: ['/api/variable-definitions'],
  },
  {
    name: 'Variable Configurations',
    description: 'Named sets of variable values that are assigned to groups.',
    prefixes: ['/api/variable-configurations'],
  },
  {
    name: 'Tags',
    description: 'Tags say which packages go to which depots.',
    prefixes: ['/api/tags'],
  },
  {
    name: 'Depots',
    description: 'The servers that keep copies of packages for the computers near them.',
    prefixes: ['/api/depots'],
  },
  {
    name: 'Enrolment',
    description: 'How agents are let in for the first time.',
    prefixes: ['/api/enrolment-tokens', '/api/computer/:id/re-enrolment'],
  },
  {
    name: 'System',
    description: 'Versions, depot servers and how packages reach them.',
    prefixes: ['/api/system'],
  },
  {
    name: 'Custom Fields',
    description: 'The thirty slots for values of your own on computers.',
    prefixes: ['/api/custom-field-configuration'],
  },
  {
    name: 'Tasks',
    description: 'What was triggered over the API, and what became of it.',
    prefixes: ['/api/tasks'],
  },
  {
    name: 'Queues',
    description: 'The background jobs of the service.',
    prefixes: ['/api/queues'],
  },
  {
    name: 'Catalog',
    description: 'The document that fills what the rest of the API only reads.',
    prefixes: ['/api/catalog'],
  },
  {
    name: 'Audit',
    description: 'The trail of all changes.',
    prefixes: ['/api/audit'],
  },
  {
    name: 'Service Endpoints',
    description: 'The service itself: who is calling, and how it is doing.',
    prefixes: ['/api/service', '/metrics'],
  },
]

/** Groups operations into sections; sections without operations are left out. */
export function toSections(operations: readonly AnyOperation[]): ApiSection[] {
  const operationsByName = Map.groupBy(operations, ({ path }) => findSectionName(path))
  const unplaced = operationsByName.get(undefined)
  if (unplaced) throw new Error(`No section has a prefix of ${unplaced.map(({ path }) => path).join(', ')}.`)
  return declarations.flatMap(({ name, description }) => {
    const members = operationsByName.get(name)
    return members ? [{ name, description, operations: members }] : []
  })
}

function findSectionName(path: string): string | undefined {
  const matches = declarations.flatMap(({ name, prefixes }) =>
    prefixes.filter((prefix) => path === prefix || path.startsWith(`${prefix}/`)).map((prefix) => ({ name, prefix })),
  )
  return matches.sort((a, b) => b.prefix.length - a.prefix.length)[0]?.name
}
