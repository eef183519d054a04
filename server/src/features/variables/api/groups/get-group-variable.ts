import { ok, operation } from '../../../../platform/operation.ts'
import { groupNotFound } from '../../../groups/groups.ts'
import { warnAboutSecret } from '../../../groups/rules/reported-properties.ts'
import { variableNotFound } from '../../definitions.ts'
import { requireVariableOwner, type VariableOwner } from '../../variable-owner.ts'
import { variableValues } from '../../variable-values.ts'
import { OwnGroupVariableValue } from '../definitions/schemas.ts'
import { GroupVariablePath } from './schemas.ts'

export const getGroupVariable = operation({
  id: 'getGroupVariable',
  route: 'GET /api/group/:id/variables/:varId',
  summary: 'Get the value of a variable that is set on a group',
  description:
    'The value is null if the group has none of its own, and always null if the variable is secret. Answers 404 for a ' +
    'variable without a single value. The ETag does not change with the value of a secret.',
  role: 'group.read',
  extension: true,
  params: GroupVariablePath,
  unversioned: ['warning'],
  returns: ok(OwnGroupVariableValue),
  problems: [groupNotFound, variableNotFound],
  async handle({ params: { id, varId }, db }) {
    const owner: VariableOwner = { kind: 'group', id }
    await requireVariableOwner(db, owner)
    const found = await variableValues(db, owner, { varId }).executeTakeFirst()
    if (!found) throw variableNotFound({ varId })
    return { ...found, warning: found.isSecret ? await warnAboutSecret(db, id) : null }
  },
})
