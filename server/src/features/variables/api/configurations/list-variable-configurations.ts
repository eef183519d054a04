import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { VariableConfiguration } from './schemas.ts'

export const listVariableConfigurations = operation({
  id: 'listVariableConfigurations',
  route: 'GET /api/variable-configurations',
  summary: 'List variable configurations',
  description: 'Lists the configurations without their values. To create or change configurations, use applyCatalog.',
  role: 'package.read',
  query: closed(paging),
  returns: ok(pagedResultOf(VariableConfiguration)),
  handle: (call) =>
    pageOf(call, call.db.selectFrom('variable_configurations').select(['id', 'name', 'description']), {
      columns: ['id'],
    }),
})
