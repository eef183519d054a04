import { closed, Id, nameText, nullable, patchOf, Type, text } from '../../../platform/schema.ts'

export const TagPath = closed({ id: Id })

const designation = nameText(255, 'Branch offices', 'Name of the tag, unique regardless of case')

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
