import { ok, operation } from '../../../../platform/operation.ts'
import { definitionRows } from '../../definition-rows.ts'
import { variableNotFound } from '../../definitions.ts'
import { VariableDefinition, VariablePath } from './schemas.ts'

export const getVariableDefinition = operation({
  id: 'getVariableDefinition',
  route: 'GET /api/variable-definitions/:varId',
  summary: 'Get a variable definition',
  role: 'package.read',
  params: VariablePath,
  returns: ok(VariableDefinition),
  problems: [variableNotFound],
  async handle({ params, db }) {
    const found = await definitionRows(db).where('definition.id', '=', params.varId).executeTakeFirst()
    if (!found) throw variableNotFound({ varId: params.varId })
    return found
  },
})
