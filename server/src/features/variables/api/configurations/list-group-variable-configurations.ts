import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { GroupPath } from '../../../groups/api/schemas.ts'
import { groupNotFound, requireGroup } from '../../../groups/groups.ts'
import { VariableConfiguration } from './schemas.ts'

export const listGroupVariableConfigurations = operation({
  id: 'listGroupVariableConfigurations',
  route: 'GET /api/group/:id/variable-configurations',
  summary: 'List the variable configurations assigned to a group',
  description: 'Configurations assigned to groups above it are not listed.',
  role: 'group.read',
  params: GroupPath,
  query: closed(paging),
  returns: ok(pagedResultOf(VariableConfiguration)),
  problems: [groupNotFound],
  async handle(call) {
    const { params, db } = call
    await requireGroup(db, params.id)
    const configurations = db
      .selectFrom('variable_configurations')
      .innerJoin(
        'group_variable_configurations as assignment',
        'assignment.configuration_id',
        'variable_configurations.id',
      )
      .select(['variable_configurations.id', 'variable_configurations.name', 'variable_configurations.description'])
      .where('assignment.group_id', '=', params.id)
    return pageOf(call, configurations, { columns: ['id'] })
  },
})
