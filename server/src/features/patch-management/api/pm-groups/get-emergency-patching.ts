import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed } from '../../../../platform/schema.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { emergencyRows, findEmergency } from '../../emergencies.ts'
import { requirePmGroup } from '../../pm-groups.ts'
import { noEmergencyPatching } from './problems.ts'
import { EmergencyPatching, PmGroupPath } from './schemas.ts'

export const getEmergencyPatching = operation({
  id: 'getEmergencyPatching',
  route: 'GET /api/pmgroup/:id/emergency-patching',
  summary: 'Get the emergency patching of a patch management group',
  description:
    'Lists the computers of the emergency with their status and the number of patches of the group that they still lack.',
  role: 'pm.read',
  params: PmGroupPath,
  query: closed(paging),
  returns: ok(EmergencyPatching),
  problems: [pmGroupNotFound, noEmergencyPatching],
  async handle(call) {
    const { params, db } = call
    await requirePmGroup(db, params.id)
    const emergency = await findEmergency(db, params.id)
    if (!emergency) throw noEmergencyPatching({ pmGroupId: params.id })
    const members = db
      .selectFrom('group_computers')
      .select('computer_id as clientId')
      .where('group_id', '=', emergency.groupId)
    const rows = emergencyRows(db, params.id)
    const devices = await pageOf(call, rows, { columns: ['clientId'] }, { query: members, once: false })
    return { pmGroupId: params.id, ...emergency, devices }
  },
})
