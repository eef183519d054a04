import { ok, operation } from '../../../platform/operation.ts'
import { Type } from '../../../platform/schema.ts'
import { customFieldRows } from '../custom-field-rows.ts'
import { CustomFieldSlot } from './schemas.ts'

export const listCustomFields = operation({
  id: 'listCustomFields',
  route: 'GET /api/custom-field-configuration',
  summary: 'List the custom field slots',
  description:
    'Always returns all thirty slots, Custom01 to Custom30, active or not. updateComputer writes the values.',
  role: 'computer.read',
  returns: ok(Type.Array(CustomFieldSlot)),
  handle: ({ db }) => customFieldRows(db).orderBy('slot').execute(),
})
