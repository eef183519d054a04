import { sql } from 'kysely'
import { noContent, operation } from '../../../../platform/operation.ts'
import { computersBelow } from '../../../groups/affected-computers.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { stopEmergency } from '../../emergencies.ts'
import { lockPmGroup } from '../../pm-groups.ts'
import { noEmergencyPatching } from './problems.ts'
import { PmGroupPath } from './schemas.ts'

export const stopEmergencyPatching = operation({
  id: 'stopEmergencyPatching',
  route: 'DELETE /api/pmgroup/:id/emergency-patching',
  summary: 'Stop emergency patching',
  description:
    'Deletes the assignment group that was created for the emergency. Cancels fix work that no other assignment requires, ' +
    'unless an agent has started it. Installed patches stay installed.',
  role: 'pm.execute',
  massAction: {
    computers: ({ params }) => computersBelow(sql`select group_id from emergencies where pm_group_id = ${params.id}`),
    async lock(db, { params }) {
      await lockPmGroup(db, params.id)
    },
  },
  params: PmGroupPath,
  returns: noContent,
  problems: [pmGroupNotFound, noEmergencyPatching],
  async handle({ params: { id: pmGroupId }, db }) {
    await lockPmGroup(db, pmGroupId)
    if (!(await stopEmergency(db, pmGroupId))) throw noEmergencyPatching({ pmGroupId })
  },
})
