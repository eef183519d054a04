import { closed, Int32, nameText, Type } from '../../../platform/schema.ts'

export const designation = nameText(50, 'Room', 'Name of the field, unique among the slots')

export const CustomFieldSlot = closed(
  {
    slot: Type.String({ examples: ['Custom01'] }),
    designation,
    isActive: Type.Boolean({ examples: [true], description: 'Inactive slots are hidden, but their values are kept' }),
    position: { ...Int32, description: 'Position in the management console' },
  },
  { title: 'CustomFieldSlot' },
)
