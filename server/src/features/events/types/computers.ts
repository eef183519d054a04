import { enumOf, Int32, nullable, Type, text } from '../../../platform/schema.ts'
import { changes, computer, count, coveredComputers, data, name, objects, optionalName } from '../data-schemas.ts'
import { eventType } from '../event-type.ts'

const role = 'computer.read'
const subject = 'The computer, or all computers if the event covers many'

const computerType = <const N extends string>(action: N, summary: string, own: Parameters<typeof data>[1] = {}) =>
  eventType({
    type: `muster.computer.${action}`,
    summary,
    role,
    subject,
    data: data(`Computer${action.charAt(0).toUpperCase()}${action.slice(1)}`, { ...coveredComputers, ...own }),
  })

const agent = { agentKind: optionalName('Muster', 'Kind of the agent'), agentVersion: optionalName('1.4.0') }
const domain = { domain: Type.Optional(text(255, 'CORP')) }

export const computerEvents = [
  computerType('created', 'A computer was created', domain),
  computerType('enrolled', 'An agent enrolled for a computer', agent),
  computerType('changed', 'Properties of a computer changed', { changes: Type.Optional(changes) }),
  computerType('silent', 'The agent of a computer has been silent for too long'),
  computerType('back', 'The agent of a silent computer is back'),
  computerType('deleted', 'A computer was deleted', domain),
  eventType({
    type: 'muster.inventory.changed',
    summary: 'A section of the inventory of a computer changed',
    role,
    subject: 'The computer',
    data: data('InventoryChanged', {
      ...computer,
      section: name('installedSoftware', 'Name of the section'),
      change: enumOf(['Added', 'Removed', 'Changed']),
      count: count('How many items were added, removed or changed', 3),
      items: objects('Up to 50 of them. Of a changed item, its changed properties', {
        productName: 'Example Editor',
        version: '4.2.1',
      }),
    }),
  }),
  ...(['appeared', 'cleared'] as const).map((action) =>
    eventType({
      type: `muster.issue.${action}`,
      summary: action === 'appeared' ? 'A computer has an issue' : 'A computer no longer has an issue',
      role,
      subject: 'The computer, or the sweep of the issue if the event covers many computers',
      data: data(action === 'appeared' ? 'IssueAppeared' : 'IssueCleared', {
        ...coveredComputers,
        issue: name('low-disk', 'Name of the issue, as in the sweeps'),
      }),
    }),
  ),
  ...(['succeeded', 'failed'] as const).map((action) =>
    eventType({
      type: `muster.deployment.${action}`,
      summary: `A package ${action === 'failed' ? 'could not be deployed' : 'was deployed'} on a computer`,
      role,
      subject: 'The computer',
      data: data(action === 'failed' ? 'DeploymentFailed' : 'DeploymentSucceeded', {
        ...computer,
        packageId: { ...Type.String({ format: 'uuid' }), examples: ['3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'] },
        packageName: name('Example Editor'),
        packageVersion: optionalName('4.2.1'),
        installationState: name('Installed'),
        error: nullable(Type.String({ examples: ['The command ended with the code 1603.'] })),
      }),
    }),
  ),
  eventType({
    type: 'muster.depot.synchronised',
    summary: 'A synchronisation of a depot has ended',
    role,
    subject: 'The depot',
    data: data('DepotSynchronised', {
      ...computer,
      status: enumOf(['Success', 'Failed']),
      packages: count('Number of packages on the depot', 12),
      files: count('Number of transferred files', 4),
      bytes: Type.Integer({ minimum: 0, examples: [1_048_576], description: 'Number of transferred bytes' }),
      message: nullable(Type.String({ examples: ['The master server was unreachable.'] })),
    }),
  }),
  ...(['created', 'changed', 'deleted'] as const).map((action) =>
    eventType({
      type: `muster.depot.${action}`,
      summary: `A depot was ${action}`,
      role,
      subject: 'The depot',
      data: data(`Depot${action.charAt(0).toUpperCase()}${action.slice(1)}`, {
        computerId: Int32,
        computerName: optionalName('DEPOT-01'),
        url: optionalName('https://depot.example.org:8443'),
        version: optionalName('1.4.0'),
        hasCredential: Type.Boolean({ examples: [true], description: 'Whether the depot has a credential' }),
      }),
    }),
  ),
] as const
