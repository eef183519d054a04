import { ok, operation } from '../../../../platform/operation.ts'
import { computerNotFound } from '../../../computers/computers.ts'
import { variableNotFound } from '../../definitions.ts'
import { requireVariableOwner, type VariableOwner } from '../../variable-owner.ts'
import { variableValues } from '../../variable-values.ts'
import { VariableValue } from '../definitions/schemas.ts'
import { ComputerVariablePath } from './schemas.ts'

export const getComputerVariable = operation({
  id: 'getComputerVariable',
  route: 'GET /api/computer/:id/variables/:varId',
  summary: 'Get the value of a variable that is set on a computer',
  description:
    'The value is null if the computer has none of its own, and always null if the variable is secret. Answers 404 for a ' +
    'variable without a single value. The ETag does not change with the value of a secret.',
  role: 'computer.read',
  extension: true,
  params: ComputerVariablePath,
  returns: ok(VariableValue),
  problems: [computerNotFound, variableNotFound],
  async handle({ params: { id, varId }, db }) {
    const owner: VariableOwner = { kind: 'computer', id }
    await requireVariableOwner(db, owner)
    const found = await variableValues(db, owner, { varId }).executeTakeFirst()
    if (!found) throw variableNotFound({ varId })
    return found
  },
})
