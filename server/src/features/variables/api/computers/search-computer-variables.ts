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
  summary: 'Search for variable values of a computer',
  description:
    "Returns the values set on the computer or, with `includeInherited`, its effective values. In the order of precedence, an effective value is: a value that a group forces (the highest group wins); the computer's own value; the value of the nearest group, whose own value comes before that of an assigned variable configuration; the default of the package assigned to the nearest group; the default in the catalog. If `name` or `varId` is given, the variable is returned even if it has no value; a variable that does not exist or has no single value is not returned.",
  role: 'computer.read',
  execution: { kind: 'Read' },
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
