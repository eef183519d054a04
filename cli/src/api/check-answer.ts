import { type MusterClient, MusterProblem } from '@muster/client'
import known from './answer-schemas.json' with { type: 'json' }

/** What matters of a JSON Schema here. A reference is the name of a component. */
export type AnswerSchema = {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, AnswerSchema>
  required?: string[]
  items?: AnswerSchema
  anyOf?: AnswerSchema[]
  oneOf?: AnswerSchema[]
  additionalProperties?: AnswerSchema | boolean
}

export type AnswerSchemas = { operations: Record<string, AnswerSchema>; components: Record<string, AnswerSchema> }

const { operations, components } = known as AnswerSchemas

/** Deeper than any answer of the service. */
const maxDepth = 50

/**
 * Lets the client refuse answers whose types differ from those that the API declares, before a command uses them. Properties may be missing or
 * unknown, because the service may be older or newer than this command.
 */
export function checkAnswers(client: MusterClient): MusterClient {
  client.use({
    async onResponse({ request, schemaPath, response }) {
      const operation = `${request.method} ${schemaPath}`
      const schema = operations[operation]
      if (!schema || response.status === 204) return
      const text = await response.text()
      const mistake = text === '' ? undefined : findMistakeIn(text, schema)
      if (mistake !== undefined) throw invalid(operation, mistake, response)
      const requiredRole = response.headers.get('muster-required-role')
      if (text === '' && requiredRole) throw withheld(requiredRole, response)
      const { status, statusText, headers } = response
      return new Response(text, { status, statusText, headers })
    },
  })
  return client
}

/** Reads the answer to a request without the client, and refuses it if it is not what the API declares. */
export async function readAnswer<T>(operation: string, response: Response): Promise<T> {
  const text = await response.text()
  const mistake = findMistakeIn(text, operations[operation] ?? {})
  if (mistake !== undefined) throw invalid(operation, mistake, response)
  return JSON.parse(text) as T
}

const invalid = (operation: string, mistake: string, { status }: Response) =>
  new MusterProblem({ code: 'InvalidAnswer', detail: `The answer of the service to ${operation} ${mistake}.` }, status)

/** Commands show the answer, so without one they can only say that the service has done what was asked. */
const withheld = (requiredRole: string, { status, headers }: Response) =>
  new MusterProblem(
    {
      code: 'AnswerWithheld',
      detail: `${headers.has('muster-dry-run') ? 'The change is possible' : 'The change is made'}. Its result is shown with the role ${requiredRole} only.`,
    },
    status,
  )

function findMistakeIn(text: string, schema: AnswerSchema): string | undefined {
  try {
    return findMistake(JSON.parse(text), schema)
  } catch {
    return 'is not JSON'
  }
}

/** What is wrong with a value, as the end of a sentence. */
export function findMistake(value: unknown, schema: AnswerSchema, place = '', depth = 0): string | undefined {
  const about = place === '' ? '' : `has a wrong ${place}: it `
  if (depth > maxDepth) return `${about}is nested too deeply`
  if (schema.$ref !== undefined) return findMistake(value, components[schema.$ref] ?? {}, place, depth + 1)
  if (schema.anyOf) {
    const mistakes = schema.anyOf.map((one) => findMistake(value, one, place, depth + 1))
    return mistakes.includes(undefined) ? undefined : mistakes.at(-1)
  }
  const types = [schema.type ?? []].flat()
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return `${about}is not of the type ${types.join(' or ')}`
  if (Array.isArray(value)) return findMistakeOfItems(value, schema, place, depth)
  return typeof value === 'object' && value !== null
    ? findMistakeOfProperties(value as Record<string, unknown>, schema, place, depth)
    : undefined
}

function findMistakeOfItems(items: unknown[], schema: AnswerSchema, place: string, depth: number): string | undefined {
  if (!schema.items) return undefined
  for (const [at, item] of items.entries()) {
    const mistake = findMistake(item, schema.items, join(place, String(at)), depth + 1)
    if (mistake !== undefined) return mistake
  }
  return undefined
}

function findMistakeOfProperties(
  object: Record<string, unknown>,
  { properties = {}, required = [], additionalProperties }: AnswerSchema,
  place: string,
  depth: number,
): string | undefined {
  // Some may be missing. An object without all of them is something else.
  if (required.length > 0 && !required.some((name) => Object.hasOwn(object, name)))
    return `${place === '' ? '' : `has a wrong ${place}: it `}has none of the properties ${required.join(', ')}`
  for (const [name, value] of Object.entries(object)) {
    const other = typeof additionalProperties === 'object' ? additionalProperties : undefined
    const schema = Object.hasOwn(properties, name) ? properties[name] : other
    const mistake = schema && findMistake(value, schema, join(place, name), depth + 1)
    if (mistake !== undefined) return mistake
  }
  return undefined
}

const join = (place: string, name: string) => (place === '' ? name : `${place}.${name}`)

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}
