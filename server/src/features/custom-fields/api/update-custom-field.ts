import { ok, operation } from '../../../platform/operation.ts'
import { closed, patchOf, Type } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { customFieldRows } from '../custom-field-rows.ts'
import { listCustomFields } from './list-custom-fields.ts'
import { customFieldNotFound, duplicateCustomFieldDesignation } from './problems.ts'
import { CustomFieldSlot, designation } from './schemas.ts'

export const updateCustomField = operation({
  id: 'updateCustomField',
  route: 'PATCH /api/custom-field-configuration/:slot',
  summary: 'Rename, activate or deactivate a custom field slot',
  description:
    'The change applies to all computers. A deactivated slot is hidden and cannot be written, but its values are kept and reappear when it is activated again.',
  role: 'computer.write',
  params: closed({
    slot: Type.String({ examples: ['Custom01'], description: 'Custom01 to Custom30, or only the number' }),
  }),
  body: patchOf({ designation, isActive: Type.Boolean({ examples: [true] }) }, { title: 'CustomFieldPatchRequest' }),
  returns: ok(CustomFieldSlot),
  problems: [customFieldNotFound, duplicateCustomFieldDesignation],
  shows: listCustomFields,
  async handle({ params, body, db }) {
    const slot = /^\d{1,2}$/.test(params.slot) ? `Custom${params.slot.padStart(2, '0')}` : params.slot
    const changes = {
      ...(body.designation != null && { designation: body.designation }),
      ...(body.isActive != null && { is_active: body.isActive }),
    }
    if (Object.keys(changes).length === 0) throw invalidPart('body', '', 'must contain a designation or isActive')
    await db.updateTable('custom_fields').set(changes).where('slot', '=', slot).execute()
    const updated = await customFieldRows(db).where('slot', '=', slot).executeTakeFirst()
    if (!updated) throw customFieldNotFound({ slot: params.slot })
    return updated
  },
})
