import { noContent, operation } from '../../../../platform/operation.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { stopEmergency } from '../../emergencies.ts'
import { lockPmGroup } from '../../pm-groups.ts'
import { noEmergencyPatching } from './problems.ts'
import { PmGroupPath } from './schemas.ts'

export const stopEmergencyPatching = operation({
  id: 'stopEmergencyPatching',
  route: 'DELETE /api/pmgroup/:id/emergency-patching',
  summary: 'End the emergency patching of a patch management group, and remove the group that was made for it',
  description: 'Fixes that wait, and that nothing else asks for, are cancelled. What is installed stays.',
  role: 'pm.execute',
  params: PmGroupPath,
  returns: noContent,
  problems: [pmGroupNotFound, noEmergencyPatching],
  async handle({ params: { id: pmGroupId }, db }) {
    await lockPmGroup(db, pmGroupId)
    if (!(await stopEmergency(db, pmGroupId))) throw noEmergencyPatching({ pmGroupId })
  },
})
