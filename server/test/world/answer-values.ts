import type { FastifyInstance } from 'fastify'
import type { AnyOperation } from '../../src/platform/operation.ts'
import type { TSchema } from '../../src/platform/schema.ts'

/**
 * Lists what the answers of these operations can contain: `Computer.name` for every property, `Computer.status=Active` for
 * every value of an enumeration. Names are those of the OpenAPI documents.
 */
export function listDeclaredValues(operations: readonly AnyOperation[]): Set<string> {
  const declared = new Set<string>()
  for (const { operation, schema } of operations.flatMap(answersOf)) listIn(schema, operation.id, declared)
  return declared
}

function answersOf(operation: AnyOperation): { operation: AnyOperation; schema: TSchema }[] {
  if (operation.answerType) return []
  const successes = Object.entries(operation.returns).filter(([status]) => Number(status) < 300)
  return successes.flatMap(([, schema]) => (schema ? [{ operation, schema: schema as TSchema }] : []))
}

function listIn(schema: TSchema, place: string, declared: Set<string>): void {
  const name = nameOf(schema, place)
  for (const value of enumValues(schema)) declared.add(`${name}=${value}`)
  for (const part of partsOf(schema)) listIn(part, name, declared)
  for (const [property, part] of Object.entries<TSchema>(schema.properties ?? {})) {
    const path = `${name}.${property}`
    if (declared.has(path)) continue
    declared.add(path)
    listIn(part, path, declared)
  }
}

/** Adds what the answers of the service really contain, in the same form. Nulls and missing values do not count. */
export function collectSeenValues(http: FastifyInstance, before: readonly string[] = []): ReadonlySet<string> {
  const seen = new Set(before)
  http.addHook('onSend', async (request, reply, payload) => {
    const { operation } = request.routeOptions.config
    const schema: TSchema | null | undefined = operation?.returns[reply.statusCode]
    if (!operation || !schema || operation.answerType || reply.statusCode >= 300 || !payload) return
    see(schema, operation.id, JSON.parse(String(payload)), seen)
  })
  return seen
}

function see(schema: TSchema, place: string, value: unknown, seen: Set<string>): void {
  if (value === null || value === undefined) return
  const name = nameOf(schema, place)
  if (enumValues(schema).includes(value)) seen.add(`${name}=${value}`)
  if (Array.isArray(value)) for (const item of value) for (const part of partsOf(schema)) see(part, name, item, seen)
  else for (const part of partsOf(schema)) see(part, name, value, seen)
  if (typeof value !== 'object') return
  for (const [property, part] of Object.entries<TSchema>(schema.properties ?? {})) {
    const own = (value as Record<string, unknown>)[property]
    if (own === null || own === undefined) continue
    seen.add(`${name}.${property}`)
    see(part, `${name}.${property}`, own, seen)
  }
}

const nameOf = (schema: TSchema, place: string): string => schema.title ?? place

const enumValues = (schema: TSchema): unknown[] => (schema.enum ?? []).filter((value: unknown) => value !== null)

/** Items of a list, alternatives, and parts that are combined. */
const partsOf = (schema: TSchema): TSchema[] => [
  ...(schema.items ? [schema.items] : []),
  ...(schema.anyOf ?? []),
  ...(schema.allOf ?? []),
  ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
]
