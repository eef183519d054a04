import { created, operation } from '../../../../platform/operation.ts'
import { getPmGroupRow } from '../../pm-groups.ts'
import { duplicatePmGroupName } from './problems.ts'
import { CreatePmGroupRequest, PmGroup } from './schemas.ts'

export const createPmGroup = operation({
  id: 'createPmGroup',
  route: 'POST /api/pmgroup',
  summary: 'Create a patch management group',
  description:
    'The category decides what the group can contain: service packs or all other patches. It cannot be changed later. ' +
    'Names are unique regardless of case.',
  role: 'pm.write',
  body: CreatePmGroupRequest,
  returns: created(PmGroup),
  problems: [duplicatePmGroupName],
  async handle({ body: { name, category = 'Patch', description }, db }) {
    const { id } = await db
      .insertInto('pm_groups')
      .values({ name, category, description: description || null })
      .returning('id')
      .executeTakeFirstOrThrow()
    return getPmGroupRow(db, id)
  },
})
