import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { type EmergencyStatus, emergencyRows, startEmergency } from '../../emergencies.ts'
import { lockPmGroup } from '../../pm-groups.ts'
import { EmergencyPatchingRequest, EmergencyPatchingStarted, PmGroupPath } from './schemas.ts'

const meanings: Record<EmergencyStatus, { success: boolean; message: string }> = {
  Started: { success: true, message: 'The patches are installed at the next contact of the agent.' },
  NothingMissing: { success: true, message: 'The last patch scan found none of the patches missing.' },
  NotScanned: { success: true, message: 'What is missing is installed after the first patch scan of the computer.' },
  NoFixPackage: { success: false, message: 'No package that fixes patches is assigned to the computer.' },
  NotFound: { success: false, message: 'No computer has this id.' },
}

export const startEmergencyPatching = operation({
  id: 'startEmergencyPatching',
  route: 'POST /api/pmgroup/:id/emergency-patching',
  summary: 'Have the patches of a patch management group installed on some computers now',
  description:
    'The computers get all patches of the group that they lack, whether approved or not, at their next contact and without waiting for the window of a schedule. They are put into an assignment group that is made for it; a second call adds its computers. Each computer for itself: read `results`.',
  role: 'pm.execute',
  params: PmGroupPath,
  body: EmergencyPatchingRequest,
  returns: ok(EmergencyPatchingStarted),
  problems: [pmGroupNotFound],
  async handle({ params, body, db }) {
    const pmGroup = await lockPmGroup(db, params.id)
    const clientIds = [...new Set(body.computerIds)]
    const emergency = await startEmergency(db, pmGroup, clientIds)
    const rows = await emergencyRows(db, pmGroup.id)
      .where('computers.id', '=', sql<number>`any(${clientIds}::integer[])`)
      .execute()
    const found = new Map(rows.map((row) => [row.clientId, row]))
    const results = clientIds.map((clientId) => {
      const { status, missingPatches } = found.get(clientId) ?? { status: 'NotFound' as const, missingPatches: 0 }
      return { clientId, status, missingPatches, ...meanings[status] }
    })
    const succeeded = results.filter(({ success }) => success).length
    return { pmGroupId: pmGroup.id, ...emergency, succeeded, failed: results.length - succeeded, results }
  },
})
