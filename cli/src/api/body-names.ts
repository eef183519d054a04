import type { BodySchema, OperationBody } from './document.ts'

/**
 * Puts ids in place of names, such as `group:Office`, wherever the operation takes an id. Texts stay as they are. So does a body that
 * is not JSON: the service says what is wrong with it.
 */
export async function resolveBodyNames(
  text: string,
  { schema, findSchema }: Pick<OperationBody, 'schema' | 'findSchema'>,
  resolve: (name: string) => Promise<string>,
): Promise<string> {
  let isChanged = false

  const resolveId = async (name: string, schemas: readonly BodySchema[]) => {
    const isNumber = schemas.some(({ type }) => [type].flat().includes('integer'))
    const isId = isNumber || schemas.some(({ format }) => format === 'uuid')
    const isText = schemas.some(({ format, type }) => [type].flat().includes('string') && format !== 'uuid')
    if (!isId || isText) return name
    const id = await resolve(name)
    if (id === name) return name
    isChanged = true
    return isNumber ? Number(id) : id
  }

  const visit = async (value: unknown, declared: BodySchema | undefined): Promise<unknown> => {
    const schemas = alternativesOf(declared, findSchema)
    if (schemas.length === 0) return value
    if (typeof value === 'string') return resolveId(value, schemas)
    if (Array.isArray(value)) {
      const items = schemas.find((one) => one.items)?.items
      return Promise.all(value.map((item) => visit(item, items)))
    }
    if (typeof value !== 'object' || value === null) return value
    const properties = Object.assign({}, ...schemas.map((one) => one.properties)) as Record<string, BodySchema>
    const entries = Object.entries(value).map(
      async ([name, inner]) =>
        [name, await visit(inner, Object.hasOwn(properties, name) ? properties[name] : undefined)] as const,
    )
    return Object.fromEntries(await Promise.all(entries))
  }

  const value = parseJson(text)
  const resolved = await visit(value, schema())
  return isChanged ? JSON.stringify(resolved) : text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The schemas of which one applies, without references. Those of a hostile service may refer to themselves. */
function alternativesOf(
  schema: BodySchema | undefined,
  findSchema: OperationBody['findSchema'],
  seen = new Set<BodySchema>(),
): BodySchema[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  if (typeof schema.$ref === 'string') return alternativesOf(findSchema(schema.$ref), findSchema, seen)
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((one) => (Array.isArray(one) ? one : []))
  return [schema, ...parts.flatMap((part) => alternativesOf(part, findSchema, seen))]
}
