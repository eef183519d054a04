import { closed, enumOf, Instant, nullable, sha256, Type, text, Uuid } from '../../../platform/schema.ts'
import { Package } from '../../packages/api/schemas.ts'
import { agentPlatforms } from '../agent-package.ts'
import { designationStates } from '../designations.ts'

const platform = enumOf(agentPlatforms, { description: 'Operating system of the computers' })

export const AgentPackagePath = closed({ platform })

export const AgentPackageDto = closed(
  {
    platform,
    state: enumOf(designationStates, {
      title: 'AgentPackageState',
      description:
        'Served: new computers get the package. ContentChanged: an import has changed the package since it was designated. ' +
        'NotReleased: it is not Ready to Install, or its files do not match the import. NotTrusted: none of the keys in ' +
        'MUSTER_TRUSTED_KEYS has signed it.',
    }),
    package: nullable(Package),
    contentHash: nullable(
      sha256('Hash of the content that was designated. Other content of the package is not served'),
    ),
    designatedAtUtc: nullable({ ...Instant, description: 'When the package was designated' }),
    designatedBy: nullable(
      text(
        255,
        'ops',
        'The principal that has designated it; null if an upgrade has taken over what was served before',
      ),
    ),
    candidates: Type.Array(Package, {
      description: 'The packages that can be designated, released or not: the 20 that were imported last',
    }),
  },
  { title: 'AgentPackage' },
)

export const AgentPackageRequest = closed(
  {
    packageId: { ...Uuid, description: 'The package' },
    contentHash: Type.Optional(
      nullable(sha256('The `contentHash` that the package must have: that of what you have checked')),
    ),
  },
  { title: 'AgentPackageRequest' },
)
