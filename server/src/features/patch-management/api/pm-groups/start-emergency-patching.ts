import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { listedComputers } from '../../../groups/affected-computers.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { type EmergencyStatus, emergencyRows, startEmergency } from '../../emergencies.ts'
import { lockPmGroup } from '../../pm-groups.ts'
import { EmergencyPatchingRequest, EmergencyPatchingStarted, PmGroupPath } from './schemas.ts'

const outcomes: Record<EmergencyStatus, { success: boolean; message: string }> = {
  Started: { success: true, message: 'The patches will be installed at the next contact of the agent.' },
  NothingMissing: { success: true, message: 'The last patch scan found none of the patches missing.' },
  NotScanned: {
    success: true,
    message: 'Missing patches will be installed after the first patch scan of the operating system.',
  },
  NoFixPackage: { success: false, message: 'No package that installs patches is assigned to the computer.' },
  NotFound: { success: false, message: 'No computer has this id.' },
}

export const startEmergencyPatching = operation({
  id: 'startEmergencyPatching',
  route: 'POST /api/pmgroup/:id/emergency-patching',
  summary: 'Start emergency patching',
  description:
    'Installs all missing patches of a patch management group on the given computers, approved or not, at their next ' +
    'contact. Fix work does not wait for the window of a schedule. The first call creates an assignment group for the ' +
    'emergency, assigns the patch management group to it and activates it; later calls add computers. `results` shows ' +
    'for each computer whether it can be patched; computers that cannot do not affect the others. The emergency lasts ' +
    'until `stopEmergencyPatching`.',
  role: 'pm.execute',
  massAction: { computers: ({ body }) => listedComputers(body.computerIds) },
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
    const statuses = new Map(rows.map((row) => [row.clientId, row]))
    const results = clientIds.map((clientId) => {
      const { status, missingPatches } = statuses.get(clientId) ?? { status: 'NotFound' as const, missingPatches: 0 }
      return { clientId, status, missingPatches, ...outcomes[status] }
    })
    const succeeded = results.filter(({ success }) => success).length
    return { pmGroupId: pmGroup.id, ...emergency, succeeded, failed: results.length - succeeded, results }
  },
})
