import { ok, operation } from '../../../../platform/operation.ts'
import { computerNotFound } from '../../../computers/computers.ts'
import { variableNotFound } from '../../definitions.ts'
import { setVariableValue } from '../../set-variable-value.ts'
import { SetVariableValueRequest, VariableValue } from '../definitions/schemas.ts'
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
