import { ok, operation } from '../../../../platform/operation.ts'
import { invalidPart } from '../../../../platform/validation.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { getPmGroupRow, lockPmGroup } from '../../pm-groups.ts'
import { getPmGroup } from './get-pm-group.ts'
import { duplicatePmGroupName } from './problems.ts'
import { PmGroup, PmGroupPatchRequest, PmGroupPath } from './schemas.ts'

export const updatePmGroup = operation({
  id: 'updatePmGroup',
  route: 'PATCH /api/pmgroup/:id',
  summary: 'Update a patch management group',
  description:
    'Changes the name or the description. Absent and null properties stay unchanged; an empty description clears it.',
  role: 'pm.write',
  params: PmGroupPath,
  body: PmGroupPatchRequest,
  returns: ok(PmGroup),
  problems: [pmGroupNotFound, duplicatePmGroupName],
  changes: getPmGroup,
  async handle({ params, body, db }) {
    const changes = {
      ...(body.name != null && { name: body.name }),
      ...(body.description != null && { description: body.description || null }),
    }
    if (Object.keys(changes).length === 0) throw invalidPart('body', '', 'must change the name or the description')
    await lockPmGroup(db, params.id)
    await db.updateTable('pm_groups').set(changes).where('id', '=', params.id).execute()
    return getPmGroupRow(db, params.id)
  },
})
