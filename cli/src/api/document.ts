import type { MusterClient } from '@muster/client'
import { CommandFailure, UsageError } from '../errors.ts'

export type ApiParameter = { name: string; in: string; required?: boolean; description?: string }

/** An operation of the API, as its OpenAPI document describes it. */
export type ApiOperation = {
  id: string
  method: string
  path: string
  summary: string
  description: string | undefined
  role: string | undefined
  parameters: readonly ApiParameter[]
  body: OperationBody | undefined
}

export type OperationBody = {
  contentType: string
  isRequired: boolean
  example: unknown
  /** Functions, because people who describe an operation as JSON do not want the schemas of all. */
  schema(): BodySchema | undefined
  findSchema(reference: string): BodySchema | undefined
}

/** What matters here of the schema of a body. */
export type BodySchema = {
  $ref?: string
  type?: string | string[]
  format?: string
  properties?: Record<string, BodySchema>
  items?: BodySchema
  anyOf?: BodySchema[]
  oneOf?: BodySchema[]
  allOf?: BodySchema[]
}

type Reference = { $ref: string }
type DescribedOperation = {
  operationId: string
  summary: string
  description?: string
  'x-required-role'?: string
  parameters?: (ApiParameter | Reference)[]
  requestBody?: { required?: boolean; content: Record<string, { example?: unknown; schema?: BodySchema }> }
}
export type ApiDocument = {
  paths: Record<string, Record<string, DescribedOperation>>
  components: { parameters: Record<string, ApiParameter>; schemas?: Record<string, BodySchema> }
}

/** Reads the document of the service so that operations that are newer than this command can be called. */
export async function readOperations({ address, send }: MusterClient): Promise<ApiOperation[]> {
  const response = await send(new Request(new URL('/openapi/v1.json', address)))
  const text = await response.text()
  try {
    const operations = listOperations(JSON.parse(text) as ApiDocument)
    if (operations.every(isUsable)) return operations
  } catch {}
  throw new CommandFailure('The service does not describe its operations as an OpenAPI document.')
}

/** A request is built from it, so everything must be what it should be, and lead to the service. */
function isUsable({ id, method, path, summary, description, role, parameters, body }: ApiOperation): boolean {
  const isText = (value: unknown) => typeof value === 'string'
  return (
    [id, method, summary, description ?? '', role ?? ''].every(isText) &&
    (!body || /^[\w.+-]+\/[\w.+-]+$/.test(body.contentType)) &&
    /^[A-Z]+$/.test(method) &&
    /^\/(?![/\\])/.test(path) &&
    parameters.every(({ name, in: place, description: text }) => [name, place, text ?? ''].every(isText))
  )
}

export function listOperations({ paths, components }: ApiDocument): ApiOperation[] {
  const resolve = (parameter: ApiParameter | Reference) =>
    '$ref' in parameter ? components.parameters[parameter.$ref.split('/').at(-1) ?? ''] : parameter
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      summary: operation.summary,
      description: operation.description,
      role: operation['x-required-role'],
      parameters: (operation.parameters ?? []).map(resolve).filter((parameter) => parameter !== undefined),
      body: bodyOf(operation, components.schemas ?? {}),
    })),
  )
}

function bodyOf({ requestBody }: DescribedOperation, schemas: Record<string, BodySchema>): ApiOperation['body'] {
  const [content] = Object.entries(requestBody?.content ?? {})
  if (!content) return undefined
  const [contentType, { example, schema }] = content
  const findSchema = (reference: string) => {
    const name = reference.split('/').at(-1) ?? ''
    return Object.hasOwn(schemas, name) ? schemas[name] : undefined
  }
  return { contentType, isRequired: requestBody?.required ?? false, example, schema: () => schema, findSchema }
}

export function findOperation(operations: readonly ApiOperation[], id: string): ApiOperation {
  const found = operations.find((one) => one.id.toLowerCase() === id.toLowerCase())
  if (found) return found
  const similar = operations
    .filter((one) => one.id.toLowerCase().includes(id.toLowerCase()))
    .map((one) => `  ${one.id}`)
  const hint = similar.length > 0 ? 'Do you mean one of these?' : 'Run: muster api --list'
  throw new UsageError([`The API has no operation "${id}". ${hint}`, ...similar.slice(0, 10)])
}
