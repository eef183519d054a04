import { ok, operation } from '../../../../platform/operation.ts'
import { computerNotFound } from '../../../computers/computers.ts'
import { variableNotFound } from '../../definitions.ts'
import { setVariableValue } from '../../set-variable-value.ts'
import { SetVariableValueRequest, VariableValue } from '../definitions/schemas.ts'
import { getComputerVariable } from './get-computer-variable.ts'
import { ComputerVariablePath } from './schemas.ts'

export const setComputerVariable = operation({
  id: 'setComputerVariable',
  route: 'PUT /api/computer/:id/variables/:varId',
  summary: 'Set or delete the value of a variable on a computer',
  description:
    'Answers 400 for a variable without a single value: a category, a collection, a child of a collection or a user-defined variable. The value of a secret variable can be written but is never returned.',
  role: 'computer.write',
  params: ComputerVariablePath,
  body: SetVariableValueRequest,
  returns: ok(VariableValue),
  problems: [computerNotFound, variableNotFound],
  changes: getComputerVariable,
  handle: (call) => setVariableValue(call, { kind: 'computer', id: call.params.id }, call.params.varId, call.body),
})
