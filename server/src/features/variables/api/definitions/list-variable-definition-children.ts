import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { definitionRows } from '../../definition-rows.ts'
import { requireVariable, variableNotFound } from '../../definitions.ts'
import { VariableDefinition, VariablePath } from './schemas.ts'

export const listVariableDefinitionChildren = operation({
  id: 'listVariableDefinitionChildren',
  route: 'GET /api/variable-definitions/:varId/children',
  summary: 'List the direct children of a category or collection',
  role: 'package.read',
  params: VariablePath,
  query: closed(paging),
  returns: ok(pagedResultOf(VariableDefinition)),
  problems: [variableNotFound],
  async handle(call) {
    const { params, db } = call
    await requireVariable(db, params.varId)
    return pageOf(call, definitionRows(db).where('definition.parent_id', '=', params.varId), { columns: ['varId'] })
  },
})
