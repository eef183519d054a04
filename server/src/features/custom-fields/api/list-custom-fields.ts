import { ok, operation } from '../../../platform/operation.ts'
import { Type } from '../../../platform/schema.ts'
import { customFieldSlots } from '../custom-field-rows.ts'
import { CustomFieldSlot } from './schemas.ts'

export const listCustomFields = operation({
  id: 'listCustomFields',
  route: 'GET /api/custom-field-configuration',
  summary: 'List all thirty custom field slots',
  role: 'computer.read',
  returns: ok(Type.Array(CustomFieldSlot)),
  handle: ({ db }) => customFieldSlots(db).orderBy('slot').execute(),
})
