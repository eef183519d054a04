import { ok, operation } from '../../../../platform/operation.ts'
import { affectsGroup } from '../../../groups/affected-computers.ts'
import { groupNotFound } from '../../../groups/groups.ts'
import { warnAboutSecret } from '../../../groups/rules/reported-properties.ts'
import { variableNotFound } from '../../definitions.ts'
import { setVariableValue } from '../../set-variable-value.ts'
import { OwnGroupVariableValue, SetGroupVariableValueRequest } from '../definitions/schemas.ts'
import { getGroupVariable } from './get-group-variable.ts'
import { GroupVariablePath } from './schemas.ts'

export const setGroupVariable = operation({
  id: 'setGroupVariable',
  route: 'PUT /api/group/:id/variables/:varId',
  summary: 'Set or delete the value of a variable on a group',
  description:
    'Answers 400 for a variable without a single value: a category, a collection, a child of a collection or a user-defined variable. The value of a secret variable can be written but is never returned; `warning` says if computers can choose by what they report whether they get it.',
  role: 'group.write',
  massAction: affectsGroup,
  params: GroupVariablePath,
  body: SetGroupVariableValueRequest,
  returns: ok(OwnGroupVariableValue),
  problems: [groupNotFound, variableNotFound],
  changes: getGroupVariable,
  async handle(call) {
    const { id, varId } = call.params
    const value = await setVariableValue(call, { kind: 'group', id }, varId, call.body)
    return { ...value, warning: value.isSecret ? await warnAboutSecret(call.db, id) : null }
  },
})
