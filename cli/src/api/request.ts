import { isPathSegment } from '@muster/client'
import { CommandFailure, UsageError } from '../errors.ts'
import type { ApiOperation } from './document.ts'

export type ParameterValue = readonly [name: string, value: string]

/** The request of an operation with these parameters. A parameter that occurs several times is a list. */
export function buildRequest(
  address: string,
  operation: ApiOperation,
  values: readonly ParameterValue[],
  body: string | undefined,
): Request {
  const url = new URL(fillPath(operation, values), address)
  if (url.origin !== new URL(address).origin)
    throw new CommandFailure(`${operation.id} leads to ${url.origin}, which is not the service. Nothing was sent.`)
  const headers = new Headers()
  for (const [name, value] of values) {
    const parameter = operation.parameters.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (!parameter) throw new UsageError(`${operation.id} has no parameter "${name}". ${describeParameters(operation)}`)
    if (parameter.in === 'query') url.searchParams.append(parameter.name, value)
    if (parameter.in === 'header') headers.set(parameter.name, value)
  }
  requireParameters(operation, values)
  if (body === undefined && operation.body?.isRequired)
    throw new UsageError([
      `${operation.id} needs a body. Example:`,
      ...(JSON.stringify(operation.body.example, null, 2) ?? '').split('\n'),
    ])
  if (body !== undefined && !operation.body) throw new UsageError(`${operation.id} takes no body.`)
  if (operation.body && body !== undefined) headers.set('content-type', operation.body.contentType)
  return new Request(url, { method: operation.method, headers, ...(body !== undefined && { body }) })
}

function fillPath({ path }: ApiOperation, values: readonly ParameterValue[]): string {
  return path.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1]
    if (value !== undefined && !isPathSegment(value))
      throw new UsageError(`"${value}" cannot be the parameter ${name}.`)
    return value === undefined ? placeholder : encodeURIComponent(value)
  })
}

function requireParameters(operation: ApiOperation, values: readonly ParameterValue[]): void {
  const given = new Set(values.map(([name]) => name.toLowerCase()))
  const missing = operation.parameters.filter(({ name, required }) => required && !given.has(name.toLowerCase()))
  if (missing.length > 0)
    throw new UsageError(`${missing.map(({ name }) => name).join(', ')} missing. ${describeParameters(operation)}`)
}

function describeParameters({ parameters }: ApiOperation): string {
  return `Parameters: ${parameters.map(({ name, required }) => (required ? name : `[${name}]`)).join(' ') || 'none'}`
}
