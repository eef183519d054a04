import type { AnyOperation, ApiSection } from '../platform/operation.ts'

type SectionDeclaration = Pick<ApiSection, 'name' | 'description'> & { prefixes: readonly string[] }

/**
 * The tags of the OpenAPI document, in its order. They are part of the contract and follow the paths, whereas the code
 * follows features: an operation belongs to the section whose prefix matches most of its path.
 */
const declarations: readonly SectionDeclaration[] = [
  {
    name: 'Authentication',
    description: 'Access tokens for the API.',
    prefixes: ['/api/auth', '/auth'],
  },
  {
    name: 'Administration',
    description: 'Principals, their roles, and the sign-in methods.',
    prefixes: ['/api/admin'],
  },
  {
    name: 'Computers',
    description:
      'The managed computers: their properties, groups, effective assignments, inventory, issues and deployments.',
    prefixes: ['/api/computer'],
  },
  {
    name: 'Fleet',
    description:
      'What people see: one list of computers, each page of the console in one request, and the history of the fleet.',
    prefixes: ['/api/fleet'],
  },
  {
    name: 'Views',
    description:
      'Lists of the console under a name, with their filters, order and columns, private or shared with roles.',
    prefixes: ['/api/views'],
  },
  {
    name: 'Deployment Groups',
    description: 'The configuration and assignment groups, their members and their assignments.',
    prefixes: ['/api/group'],
  },
  {
    name: 'Software Packages',
    description:
      'Packages, the groups to which they are assigned, their import from the package store, their versions and their trials.',
    prefixes: [
      ...['/api/packages', '/api/package-uploads', '/api/package-lines', '/api/package-upgrades'],
      ...['/api/package-trials', '/api/winget'],
    ],
  },
  {
    name: 'Patches',
    description:
      'The catalog of patches, the product versions for which they are approved, and within how many days they have to be installed.',
    prefixes: ['/api/patches', '/api/patch-sla'],
  },
  {
    name: 'Vulnerabilities',
    description: 'Vulnerabilities of installed software by imported advisories, and exceptions of them.',
    prefixes: ['/api/vulnerabilities', '/api/vulnerability-exceptions'],
  },
  {
    name: 'Patch Management Groups',
    description: 'Groups of patches, the groups of computers to which they are assigned, and emergency patching.',
    prefixes: ['/api/pmgroup'],
  },
  {
    name: 'Patch Policies',
    description: 'Rules that approve patches without a person, and the groups of computers to which they are assigned.',
    prefixes: ['/api/patch-policies'],
  },
  {
    name: 'Operating System Imports',
    description: 'Operating system images and their editions.',
    prefixes: ['/api/operating-system-imports'],
  },
  {
    name: 'PXE Boot Images',
    description: 'The images that computers boot from over the network.',
    prefixes: ['/api/pxe-bootimages'],
  },
  {
    name: 'Language Pack Imports',
    description: 'Language packs for operating systems.',
    prefixes: ['/api/language-pack-imports'],
  },
  {
    name: 'Agent Templates',
    description: 'Settings for agents, assigned to groups.',
    prefixes: ['/api/agent-templates'],
  },
  {
    name: 'Software Classes',
    description: 'Sets of packages that are assigned together.',
    prefixes: ['/api/softwareclasses'],
  },
  {
    name: 'Variable Definitions',
    description: 'The catalog of variables, and the computers, groups and configurations that set them.',
    prefixes: ['/api/variable-definitions'],
  },
  {
    name: 'Variable Configurations',
    description: 'Named sets of variable values, assigned to groups.',
    prefixes: ['/api/variable-configurations'],
  },
  {
    name: 'Tags',
    description: 'Tags select the packages that a depot gets.',
    prefixes: ['/api/tags'],
  },
  {
    name: 'Depots',
    description: 'Servers with copies of packages for the computers near them.',
    prefixes: ['/api/depots'],
  },
  {
    name: 'Enrolment',
    description:
      'Tokens and codes with which agents enrol, the installation of agents, agents in quarantine, and the end of a credential.',
    prefixes: [
      '/api/enrolment-tokens',
      '/api/quarantined-agents',
      '/api/computer/:id/re-enrolment',
      '/api/computer/:id/agent',
      '/api/agent-packages',
      '/install',
    ],
  },
  {
    name: 'System',
    description: 'Versions of the service, depot servers and their synchronisation.',
    prefixes: ['/api/system'],
  },
  {
    name: 'Custom Fields',
    description: 'The thirty slots for custom values of computers.',
    prefixes: ['/api/custom-field-configuration'],
  },
  {
    name: 'Tasks',
    description: 'What was triggered through the API, and its progress.',
    prefixes: ['/api/tasks'],
  },
  {
    name: 'Package Requests',
    description: 'Packages that users of computers ask for, and the decisions about them.',
    prefixes: ['/api/package-requests'],
  },
  {
    name: 'Pre-downloads',
    description: 'What computers download while its work waits for its time.',
    prefixes: ['/api/pre-downloads'],
  },
  {
    name: 'Rollouts',
    description: 'What a group has assigned is brought to its computers ring by ring, and stops if it goes wrong.',
    prefixes: ['/api/rollouts'],
  },
  {
    name: 'Queues',
    description: 'The background jobs of the service.',
    prefixes: ['/api/queues'],
  },
  {
    name: 'Catalog',
    description: 'The document that defines everything that the rest of the API only reads.',
    prefixes: ['/api/catalog'],
  },
  {
    name: 'Events',
    description: 'What happened: a feed and a live stream of events, and webhooks.',
    prefixes: ['/api/events', '/api/webhooks'],
  },
  {
    name: 'Reports',
    description:
      'Documents about the fleet that are made by schedule and sent, and the licences that one of them counts.',
    prefixes: ['/api/reports', '/api/licences'],
  },
  {
    name: 'Audit',
    description: 'The audit trail of all changes.',
    prefixes: ['/api/audit'],
  },
  {
    name: 'Blast Radius',
    description: 'Quotas for destructive actions, approvals by a second principal, and the freeze of all new work.',
    prefixes: ['/api/blast-radius', '/api/freeze', '/api/approvals'],
  },
  {
    name: 'Service Endpoints',
    description: 'The caller, and the health and metrics of the service.',
    prefixes: ['/api/service', '/metrics', '/health'],
  },
]

/** Groups operations into sections. Sections without operations are omitted. */
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
