import { closed, enumOf, Id, Instant, nullable, Type, text } from '../../../platform/schema.ts'
import { patchRollbackStates } from '../../patches/policies/rollback-rows.ts'

export const PatchRollbackStateName = enumOf(patchRollbackStates, {
  title: 'PatchRollbackState',
  description:
    'Waiting: its fix package has not run yet. RolledBack: the patch is not installed any more. NotRolledBack: the computer cannot, or ' +
    'its agent or fix package does not know how',
})

export const PatchRollbackOfComputer = closed(
  {
    clientId: { ...Id, description: 'Id of the computer' },
    hostname: Type.String({ examples: ['pc-0017'] }),
    productId: Id,
    productName: Type.String({ examples: ['Debian GNU/Linux 12'] }),
    state: PatchRollbackStateName,
    askedUtc: nullable({ ...Instant, description: 'When its agent was last asked' }),
    endedUtc: nullable({ ...Instant, description: 'When its agent answered' }),
    agentVersion: nullable(text(255, '0.9.0', 'The version of its agent')),
    message: text(2_000, 'The version before it, 3.0.15-1~deb12u1, is no longer in the repositories.', 'For people'),
  },
  { title: 'PatchRollbackOfComputer' },
)
