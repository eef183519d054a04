import { computerNotFound } from '../../../domain/computers/computer-rows.ts'
import { variableNotFound } from '../../../domain/variables/definitions.ts'
import { setVariableValue } from '../../../domain/variables/set-variable-value.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { SetVariableValueRequest, VariableValue } from '../../variable-definitions/schemas.ts'
import { ComputerVariablePath } from './schemas.ts'

export const setComputerVariable = operation({
  id: 'setComputerVariable',
  route: 'PUT /api/computer/:id/variables/:varId',
  summary: 'Set or delete the value that a computer has for a variable',
  description: 'The value of a secret variable is taken and never shown.',
  role: 'computer.write',
  params: ComputerVariablePath,
  body: SetVariableValueRequest,
  returns: ok(VariableValue),
  problems: [computerNotFound, variableNotFound],
  handle: (call) => setVariableValue(call, { kind: 'computer', id: call.params.id }, call.params.varId, call.body),
})
