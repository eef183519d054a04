import type { MusterClient } from '@muster/client'
import { UsageError } from '../errors.ts'

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
  body: { contentType: string; isRequired: boolean; example: unknown } | undefined
}

type Reference = { $ref: string }
type DescribedOperation = {
  operationId: string
  summary: string
  description?: string
  'x-required-role'?: string
  parameters?: (ApiParameter | Reference)[]
  requestBody?: { required?: boolean; content: Record<string, { example?: unknown }> }
}
export type ApiDocument = {
  paths: Record<string, Record<string, DescribedOperation>>
  components: { parameters: Record<string, ApiParameter> }
}

/** Reads the document of the service, so that operations that are newer than this command can be called. */
export async function readOperations({ address, send }: MusterClient): Promise<ApiOperation[]> {
  const response = await send(new Request(new URL('/openapi/v1.json', address)))
  return listOperations((await response.json()) as ApiDocument)
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
      body: bodyOf(operation),
    })),
  )
}

function bodyOf({ requestBody }: DescribedOperation): ApiOperation['body'] {
  const [content] = Object.entries(requestBody?.content ?? {})
  if (!content) return undefined
  const [contentType, { example }] = content
  return { contentType, isRequired: requestBody?.required ?? false, example }
}

export function findOperation(operations: readonly ApiOperation[], id: string): ApiOperation {
  const found = operations.find((one) => one.id.toLowerCase() === id.toLowerCase())
  if (found) return found
  const similar = operations
    .filter((one) => one.id.toLowerCase().includes(id.toLowerCase()))
    .map((one) => `  ${one.id}`)
  const hint =
    similar.length > 0 ? `Do you mean one of these?\n${similar.slice(0, 10).join('\n')}` : 'Run: muster api --list'
  throw new UsageError(`The API has no operation "${id}". ${hint}`)
}
