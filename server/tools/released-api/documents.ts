// What the comparison uses of an OpenAPI document.

export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  default?: unknown
  [keyword: string]: unknown
}

export type Content = Record<string, { schema?: Schema }>

export type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema: Schema }

export type Response = { headers?: Record<string, unknown>; content?: Content; 'x-problem-codes'?: string[] }

export type DescribedOperation = {
  operationId: string
  deprecated?: boolean
  'x-sunset'?: string
  'x-required-role'?: string
  'x-also-required-roles'?: string[]
  security?: object[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, Response>
}

export type ApiDocument = {
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas?: Record<string, Schema>; parameters?: Record<string, Parameter> }
}

const forPeople = new Set(['description', 'summary', 'example', 'examples', 'tags', 'title'])

/** Leaves out what is for people, and the bodies of problems, which all have the same form. It is most of the document. */
export function reduceDocument(document: object): ApiDocument {
  const { paths, components } = document as ApiDocument
  const reduced = withoutTexts({ paths, components }) as ApiDocument
  for (const methods of Object.values(reduced.paths))
    for (const { responses } of Object.values(methods))
      for (const [status, response] of Object.entries(responses)) if (!status.startsWith('2')) delete response.content
  return reduced
}

/** Properties of objects may have the names of keywords, so what is below `properties` is kept. */
function withoutTexts(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => areNames || !forPeople.has(name))
      .map(([name, part]) => [name, withoutTexts(part, !areNames && name.toLowerCase().endsWith('properties'))]),
  )
}
