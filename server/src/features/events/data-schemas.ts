import { closed, Id, nullable, type TSchema, Type, text, Uuid } from '../../platform/schema.ts'

// What the data of several types has in common.

export const count = (description: string, example = 1) =>
  Type.Integer({ minimum: 0, examples: [example], description })

export const list = (example: string) => text(2_000, example, 'Path of the operation that lists what the event covers')

export const name = (example: string, description?: string) => text(1_000, example, description)

export const optionalName = (example: string, description?: string) =>
  Type.Optional(nullable(name(example, description)))

/** An event covers one computer, which it names, or many, which it counts. */
export const coveredComputers = {
  computers: count('How many computers the event covers'),
  computerId: Type.Optional({ ...Id, description: 'Set if the event covers one computer' }),
  computerName: optionalName('PC-0017'),
  list: Type.Optional(list('/api/computer')),
}

export const computer = { computerId: Id, computerName: name('PC-0017') }

const AnyValue = Type.Unsafe<unknown>({ examples: ['PC-0017'] })

export const changes = Type.Record(
  Type.String(),
  closed({ from: Type.Optional(AnyValue), to: Type.Optional(AnyValue) }, { title: 'ChangedValue' }),
  {
    examples: [{ name: { from: 'PC-0017', to: 'PC-0018' } }],
    description: 'The properties that changed, each with its old and new value',
  },
)

export const objects = (description: string, example: object) =>
  Type.Optional(
    nullable(Type.Array(Type.Unsafe<object>({ type: 'object', examples: [example] }), { maxItems: 100, description })),
  )

export const optionalUuid = (description?: string) =>
  Type.Optional(nullable({ ...Uuid, ...(description && { description }) }))

export const data = (title: string, properties: Record<string, TSchema>) => closed(properties, { title })
