import { nullable, Type } from '../../../platform/schema.ts'
import { computer, data, name, optionalName } from '../data-schemas.ts'
import { expression, pathOf, source } from '../event-source.ts'
import { eventType } from '../event-type.ts'

type Action = 'succeeded' | 'failed'

/** How the last work of a package ended on a computer, with the error. */
const sourcesOf = (action: Action) => {
  const result = action === 'failed' ? `row.result = 'Failed'` : `row.result <> 'Failed'`
  const common = {
    table: 'deployments',
    forEach: 'row',
    join: { computers: 'computer_id', packages: 'package_id' },
    subject: pathOf('getComputer', 'computer_id'),
    computer: 'computer_id',
    data: {
      computerId: 'computer_id',
      computerName: 'computers.name',
      packageId: 'package_id',
      packageName: 'packages.name',
      packageVersion: 'packages.version',
      installationState: 'installation_state',
      error: action === 'failed' ? 'error_text' : expression('null'),
    },
  } as const
  return [
    source({ ...common, on: 'insert', when: result }),
    source({ ...common, on: 'update', when: result, whenChanged: ['result', 'failed_at', 'installed_at'] }),
  ]
}

export const deploymentEvents = (['succeeded', 'failed'] as const).map((action) =>
  eventType({
    type: `muster.deployment.${action}`,
    summary: `A package ${action === 'failed' ? 'could not be deployed' : 'was deployed'} on a computer`,
    role: 'computer.read',
    subject: 'The computer',
    data: data(action === 'failed' ? 'DeploymentFailed' : 'DeploymentSucceeded', {
      ...computer,
      packageId: { ...Type.String({ format: 'uuid' }), examples: ['3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'] },
      packageName: name('Example Editor'),
      packageVersion: optionalName('4.2.1'),
      installationState: name('Installed'),
      error: nullable(Type.String({ examples: ['The command ended with the code 1603.'] })),
    }),
    sources: sourcesOf(action),
  }),
)
