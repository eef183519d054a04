import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { invalidPart } from '../../../../platform/validation.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound } from '../../../computers/computers.ts'
import { requireVariableOwner, type VariableOwner } from '../../variable-owner.ts'
import { variableValues } from '../../variable-values.ts'
import { FoundVariableValue, VariableValueSearchFilter } from '../definitions/schemas.ts'

export const searchComputerVariables = operation({
  id: 'searchComputerVariables',
  route: 'POST /api/computer/:id/variables/search',
  summary: 'Find values that are set on a computer or hold for it',
  description:
    "A value that a group forces comes first, the highest such group winning; then the computer's own value; then the nearest group, where a value comes before an assigned variable configuration; then the default of the package assigned nearest; then the default of the catalog. A variable that is named is found also when it has no value; one that is unknown, or that has no single value, is not.",
  role: 'computer.read',
  readonly: true,
  params: ComputerPath,
  query: closed(paging),
  body: VariableValueSearchFilter,
  returns: ok(pagedResultOf(FoundVariableValue)),
  problems: [computerNotFound],
  async handle(call) {
    const { params, body, db } = call
    if (typeof body.name === 'string' && typeof body.varId === 'number')
      throw invalidPart('body', 'varId', 'cannot be combined with name')
    const owner: VariableOwner = { kind: 'computer', id: params.id }
    await requireVariableOwner(db, owner)
    return pageOf(call, variableValues(db, owner, body), { columns: ['varId'] })
  },
})
