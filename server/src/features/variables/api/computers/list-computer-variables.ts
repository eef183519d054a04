import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound } from '../../../computers/computers.ts'
import { requireVariableOwner, type VariableOwner } from '../../variable-owner.ts'
import { variableValues } from '../../variable-values.ts'
import { VariableValue } from '../definitions/schemas.ts'

export const listComputerVariables = operation({
  id: 'listComputerVariables',
  route: 'GET /api/computer/:id/variables',
  summary: 'List the variable values set on a computer',
  description:
    'Lists only the values set on the computer itself. For inherited values, use searchComputerVariables with `includeInherited`.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed(paging),
  returns: ok(pagedResultOf(VariableValue)),
  problems: [computerNotFound],
  async handle(call) {
    const { params, db } = call
    const owner: VariableOwner = { kind: 'computer', id: params.id }
    await requireVariableOwner(db, owner)
    return pageOf(call, variableValues(db, owner), { columns: ['varId'] })
  },
})
