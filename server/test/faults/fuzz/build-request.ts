import { contentTypes, hostileAddressParts, hostileHeaderNames, hostileHeaderValues } from '../hostile-values.ts'
import type { FuzzOperation, Surface } from './documents.ts'
import type { Harvest } from './harvest.ts'
import { hostileText } from './hostile.ts'
import { mutateText, mutateValue } from './mutate.ts'
import { type Random, randomUuid } from './random.ts'
import { type ValueContext, validValue } from './valid-values.ts'

export type FuzzRequest = {
  surface: Surface
  /** The operation whose declaration the answer must match; undefined if the address or the method may mean another. */
  operation: FuzzOperation | undefined
  /** The operation from which the request was made. */
  origin?: FuzzOperation
  name: string
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer | undefined
}

/** Whose credentials requests carry. */
export type Callers = {
  /** The header for a request to this surface. */
  authorization(random: Random, surface: Surface): string | undefined
  /** The header of a caller that has the rights that most requests to this surface need. */
  ordinary(surface: Surface): string
  /** Whether the request would end the access of these callers. */
  isForbidden(path: string): boolean
}

/** The parts of a request in which hostile values can stand. */
const places = ['body', 'body', 'body', 'query', 'path', 'header', 'method'] as const
type Place = (typeof places)[number]

const validShare = 0.3

export function buildRequest(
  random: Random,
  operation: FuzzOperation,
  harvest: Harvest,
  callers: Callers,
): FuzzRequest {
  const context = { random, harvest, operation }
  const hostile = new Set<Place>()
  if (!random.chance(validShare))
    for (let more = true; more; more = random.chance(0.25)) hostile.add(random.pick(places))
  const path = buildPath(context, hostile.has('path'))
  const query = buildQuery(context, hostile.has('query'))
  const method = hostile.has('method') && random.chance(0.3) ? random.pick(otherMethods) : operation.method
  const body = buildBody(context, hostile.has('body'))
  const headers = buildHeaders(context, hostile.has('header'), callers)
  if (body) headers['Content-Type'] ??= operation.body?.type ?? 'application/json'
  const isOther = method !== operation.method || hostile.has('path')
  const request = {
    surface: operation.surface,
    operation: isOther ? undefined : operation,
    origin: operation,
    name: operation.id,
    method,
    path: path + query,
    headers,
    body,
  }
  return sparing(callers, request, operation)
}

/** The request, or one that reaches nothing if it would end the access of the callers. */
function sparing(callers: Callers, request: FuzzRequest, operation: FuzzOperation): FuzzRequest {
  return callers.isForbidden(request.path) ? { ...request, path: operation.path, operation: undefined } : request
}

/** A request with this body whose other parts are valid. */
export function requestWith(context: ValueContext, callers: Callers, body: Buffer): FuzzRequest {
  const { operation } = context
  const { surface, id: name, method } = operation
  const { isPlain = false } = context
  const headers = {
    ...(isPlain ? { Authorization: callers.ordinary(surface) } : buildHeaders(context, false, callers)),
    'Content-Type': operation.body?.type ?? '',
  }
  const path = buildPath(context, false) + (isPlain ? '' : buildQuery(context, false))
  return sparing(callers, { surface, operation, name, method, path, headers, body }, operation)
}

const otherMethods = ['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'QUERY', 'POST'] as const

function buildPath(context: ValueContext, isHostile: boolean): string {
  const { random, operation } = context
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = operation.parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema
    const known = random.chance(0.95) ? context.harvest.find(random, name, operation.path) : undefined
    const value = known ?? (schema ? validValue(context, schema, name) : 1)
    return isHostile && random.chance(0.7) ? hostilePart(random) : encodeURIComponent(String(value).toWellFormed())
  })
  return isHostile && random.chance(0.1) ? `${path}/${hostilePart(random)}` : path
}

function hostilePart(random: Random): string {
  if (random.chance(0.5)) return random.find(hostileAddressParts) ?? ''
  return encodeURIComponent(hostileText(random).slice(0, 2_000).toWellFormed())
}

function buildQuery(context: ValueContext, isHostile: boolean): string {
  const { random, operation } = context
  const pairs = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .filter(({ required, name }) => required || random.chance(name === 'dryRun' ? 0.1 : 0.25))
    .map(({ name, schema }): [string, string] => [name, textOf(validValue(context, schema, name))])
  if (isHostile) {
    const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    const strange = ['dryRun', 'skip', 'top', 'cursor', 'api-version', '__proto__', 'a[b]', 'skip[]', '']
    for (let more = true; more; more = random.chance(0.4))
      pairs.push([random.find(random.chance(0.7) ? names : strange) ?? 'top', hostilePart(random)])
  }
  return pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join('&')}`
}

function textOf(value: unknown): string {
  const text = Array.isArray(value) ? value.join(',') : String(value)
  return encodeURIComponent(text.toWellFormed())
}

function buildBody(context: ValueContext, isHostile: boolean): Buffer | undefined {
  const { random, operation } = context
  const { body, resolve } = operation
  if (!body) return isHostile && operation.method !== 'GET' ? mutateText(random, '{"any":"thing"}') : undefined
  const value = random.chance(0.25) ? structuredClone(body.example) : validValue(context, resolve(body.schema))
  const isForm = body.type !== 'application/json'
  const toText = isForm ? toForm : (content: unknown) => JSON.stringify(content) ?? ''
  if (!isHostile) return Buffer.from(toText(value))
  if (random.chance(0.15)) return mutateText(random, toText(value))
  let mutated = mutateValue(random, value)
  while (random.chance(0.3)) mutated = mutateValue(random, mutated)
  return Buffer.from(toText(mutated))
}

function toForm(content: unknown): string {
  const pairs = Object.entries(content ?? {}).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return new URLSearchParams(pairs).toString()
}

function buildHeaders(context: ValueContext, isHostile: boolean, callers: Callers): Record<string, string> {
  const { random, harvest, operation } = context
  const headers: Record<string, string> = {}
  const authorization = callers.authorization(random, operation.surface)
  if (authorization) headers.Authorization = authorization
  if (random.chance(0.1)) headers['Api-Version'] = random.pick(['1', '1.0'])
  if (random.chance(0.1))
    headers['Idempotency-Key'] = random.chance(0.3) ? `key ${random.integer(20)}` : randomUuid(random)
  if (random.chance(0.1)) headers['If-Match'] = String(harvest.find(random, 'ETag', '') ?? '*')
  if (random.chance(0.05)) headers['If-None-Match'] = String(harvest.find(random, 'ETag', '') ?? '*')
  if (random.chance(0.03)) headers['Accept-Encoding'] = random.pick(['gzip', 'br', 'gzip;q=0', 'identity;q=0', '*'])
  if (random.chance(0.03)) headers.Range = random.pick(['bytes=0-', 'bytes=5-2', 'bytes=-1', 'bytes=0-1,3-4', 'x'])
  if (isHostile)
    for (let more = true; more; more = random.chance(0.3)) {
      const name = random.find([...hostileHeaderNames, 'Range', 'If-Range', 'Last-Event-ID', 'Accept-Language']) ?? 'X'
      const value = name === 'Content-Type' ? random.find(contentTypes) : random.find(hostileHeaderValues)
      headers[name] = (value ?? '').replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
    }
  return headers
}
