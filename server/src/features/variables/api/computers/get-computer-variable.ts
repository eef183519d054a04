import { ok, operation } from '../../../../platform/operation.ts'
import { computerNotFound } from '../../../computers/computers.ts'
import { requireScalarVariable, variableNotFound } from '../../definitions.ts'
import { requireVariableOwner, type VariableOwner } from '../../variable-owner.ts'
import { variableValues } from '../../variable-values.ts'
import { VariableValue } from '../definitions/schemas.ts'
import { ComputerVariablePath } from './schemas.ts'

export const getComputerVariable = operation({
  id: 'getComputerVariable',
  route: 'GET /api/computer/:id/variables/:varId',
  summary: 'Get the value of a variable that is set on a computer',
  description:
    'Returns the value set on the computer itself, null if there is none. Its ETag lets setComputerVariable detect changes ' +
    'made by somebody else; those of a secret value, which is always null here, it cannot detect. Answers 400 for a variable ' +
    'without a single value.',
  role: 'computer.read',
  extension: true,
  params: ComputerVariablePath,
  returns: ok(VariableValue),
  problems: [computerNotFound, variableNotFound],
  async handle({ params: { id, varId }, db }) {
    const owner: VariableOwner = { kind: 'computer', id }
    await requireVariableOwner(db, owner)
    await requireScalarVariable(db, varId)
    return variableValues(db, owner, { varId }).executeTakeFirstOrThrow()
  },
})
