import { ok, operation } from '../../../platform/operation.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { groupNotFound, requireGroup } from '../../groups/groups.ts'
import { readConvergence } from '../read-convergence.ts'
import { GroupConvergence } from './schemas.ts'

export const getGroupConvergence = operation({
  id: 'getGroupConvergence',
  route: 'GET /api/group/:id/convergence',
  summary: 'Get whether the members of a group are kept converged',
  description:
    'The setting of the group, or of the nearest group above it that has one. Its waves are rollouts of the group with the ' +
    'setting: listRollouts with `isWave=true` lists them.',
  role: 'group.read',
  extension: true,
  params: GroupPath,
  // Everything that changes by itself.
  unversioned: ['openWaves', 'lastWaveAtUtc', 'comparedAtUtc', 'waiting'],
  returns: ok(GroupConvergence),
  problems: [groupNotFound],
  async handle({ params, db }) {
    await requireGroup(db, params.id)
    return readConvergence(db, params.id)
  },
})
