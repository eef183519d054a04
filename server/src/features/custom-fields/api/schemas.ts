import { closed, Int32, Type } from '../../../platform/schema.ts'

export const designation = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '\\S',
  examples: ['Room'],
  description: 'Name of the field, unique among the slots',
})

export const CustomFieldSlot = closed(
  {
    slot: Type.String({ examples: ['Custom01'] }),
    designation,
    isActive: Type.Boolean({ examples: [true], description: 'Inactive slots are hidden, but their values are kept' }),
    position: { ...Int32, description: 'Position in the management console' },
  },
  { title: 'CustomFieldSlot' },
)
