import type { AnswerSchema, AnswerSchemas } from '../../cli/src/api/check-answer.ts'
import { commands } from '../../cli/src/commands/index.ts'
import { sections } from '../../server/src/features/index.ts'
import { apiChannel } from '../../server/src/platform/openapi/channel.ts'
import { openApiDocument } from '../../server/src/platform/openapi/document.ts'

type Content = Record<string, { schema?: AnswerSchema }>
type Operation = { operationId: string; responses: Record<string, { content?: Content }> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, AnswerSchema> }
}

/** The schemas of the answers to all operations that commands name, and of what they refer to. */
export function answerSchemas(): string {
  const document = openApiDocument(apiChannel(sections)) as unknown as Document
  const named = new Set<string>(commands.flatMap(({ operations }) => operations))
  const schemas: AnswerSchemas = { operations: {}, components: {} }
  const keep = (schema: AnswerSchema): AnswerSchema => {
    const name = schema.$ref?.split('/').at(-1)
    const found = name === undefined ? undefined : document.components.schemas[name]
    if (name === undefined || !found) return reduce(schema, keep)
    // Entered before it is followed: a schema may contain itself.
    if (!(name in schemas.components)) {
      schemas.components[name] = {}
      schemas.components[name] = keep(found)
    }
    return { $ref: name }
  }
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { operationId, responses }] of Object.entries(methods)) {
      const schema = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content?.[
        'application/json'
      ]?.schema
      if (schema && named.has(operationId)) schemas.operations[`${method.toUpperCase()} ${path}`] = keep(schema)
    }
  return `${JSON.stringify(schemas, null, 1)}\n`
}

/** Types and names only: a newer service may know more values and properties than this command. */
function reduce(schema: AnswerSchema, keep: (inner: AnswerSchema) => AnswerSchema): AnswerSchema {
  const { type, properties, required, items, anyOf, oneOf, additionalProperties } = schema
  const choices = anyOf ?? oneOf
  return {
    ...(type !== undefined && { type }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, keep(inner)])),
    }),
    ...(required && { required }),
    ...(items && { items: keep(items) }),
    ...(choices && { anyOf: choices.map(keep) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: keep(additionalProperties) }),
  }
}
