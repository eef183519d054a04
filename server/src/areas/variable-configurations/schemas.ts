import { closed, Id, nullable, Type, text } from '../../platform/schema.ts'

export const VariableConfiguration = closed(
  {
    id: Id,
    name: Type.String({ examples: ['Branch office'] }),
    description: nullable(text(1000, 'Proxy and printers of a branch office')),
  },
  { title: 'VariableConfiguration' },
)
