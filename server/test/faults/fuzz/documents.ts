import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** A schema as it stands in an OpenAPI document. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
}

type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }
type Content = Record<string, { schema: Schema; example?: unknown }>
type DescribedResponse = { description: string; 'x-problem-codes'?: string[]; content?: Content }
type Described = {
  operationId: string
  security: unknown[]
  parameters: (Parameter | { $ref: string })[]
  requestBody?: { content: Content }
  responses: Record<string, DescribedResponse>
}
type Document = {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> }
}

export const surfaces = ['api', 'agent', 'depot', 'fusion'] as const
export type Surface = (typeof surfaces)[number]

export const documentAddresses = {
  api: '/openapi/v1.json',
  agent: '/openapi/agent-v1.json',
  depot: '/openapi/depot-v1.json',
} as const

/** What the document declares for one status. */
export type DeclaredAnswer = {
  codes: string[]
  validators: Record<string, ValidateFunction | undefined>
  /** Whether one of several answers with this status has no body. OpenAPI can only describe that in prose. */
  canBeEmpty: boolean
}

export type FuzzOperation = {
  surface: Surface
  id: string
  method: string
  path: string
  needsToken: boolean
  parameters: Parameter[]
  body: { type: string; schema: Schema; example: unknown } | undefined
  answers: Record<string, DeclaredAnswer>
  resolve(schema: Schema): Schema
}

/** Reads the operations of a document, with validators for all answers that it declares. */
export function readOperations(surface: Surface, document: object): FuzzOperation[] {
  const { paths, components } = document as Document
  const ajv = new Ajv2020({ strict: false, code: { optimize: false } })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components })
  const compiled = new Map<string, ValidateFunction>()
  const compile = (schema: Schema) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"document#/')
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, validate)
    return validate
  }
  const resolve = (schema: Schema): Schema =>
    schema.$ref ? resolve(components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema
  const toParameter = (parameter: Parameter | { $ref: string }) =>
    '$ref' in parameter ? (components.parameters?.[parameter.$ref.split('/').at(-1) ?? ''] ?? []) : parameter
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const [body] = Object.entries(described.requestBody?.content ?? {})
      return {
        surface,
        id: described.operationId,
        method: method.toUpperCase(),
        path,
        needsToken: described.security.length > 0,
        parameters: described.parameters.flatMap(toParameter),
        body: body && { type: body[0], schema: body[1].schema, example: body[1].example },
        answers: declaredAnswers(described.responses, compile),
        resolve,
      }
    }),
  )
}

function declaredAnswers(
  responses: Described['responses'],
  compile: (schema: Schema) => ValidateFunction,
): Record<string, DeclaredAnswer> {
  const isJson = (type: string) => type.endsWith('json')
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, content = {}, 'x-problem-codes': codes = [] }]) => {
      const types = Object.entries(content).map(([type, { schema }]) => [
        type,
        isJson(type) ? compile(schema) : undefined,
      ])
      return [status, { codes, validators: Object.fromEntries(types), canBeEmpty: /has no body/.test(description) }]
    }),
  )
}
