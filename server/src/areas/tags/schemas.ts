import { closed, Id, nullable, Type, text } from '../../platform/schema.ts'

export const Tag = closed(
  {
    id: Id,
    designation: Type.String({ examples: ['Global'] }),
    description: nullable(text(1000, 'Packages for every depot')),
    isReadOnly: Type.Boolean({ examples: [true] }),
  },
  { title: 'Tag' },
)
