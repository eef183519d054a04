import { closed, Id, nullable, patchOf, Type, text } from '../../../platform/schema.ts'

export const TagPath = closed({ id: Id })

const designation = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '\\S',
  examples: ['Branch offices'],
  description: 'Name of the tag, unique regardless of case',
})

const description = text(1000, 'Packages that every branch office needs')

export const Tag = closed(
  {
    id: Id,
    designation,
    description: nullable(description),
    isReadOnly: Type.Boolean({ examples: [false], description: 'True if the tag cannot be changed or deleted' }),
  },
  { title: 'Tag' },
)

export const CreateTagRequest = closed(
  { designation, description: Type.Optional(nullable(description)) },
  { title: 'CreateTagRequest' },
)

export const TagPatchRequest = patchOf({ designation, description }, { title: 'TagPatchRequest' })
