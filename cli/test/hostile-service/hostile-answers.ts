import schemas from '../../src/api/answer-schemas.json' with { type: 'json' }
import type { AnswerSchema, AnswerSchemas } from '../../src/api/check-answer.ts'

const { operations, components } = schemas as AnswerSchemas

/** What a line break in a name would make look like a line of the command. */
const forgedLine = 'Forged: 0 changes'

/** A line of the output that a name has forged. Further lines of a property begin below its first one. */
export const forged = new RegExp(`^ {0,3}${forgedLine}`, 'm')

/**
 * A text as a hostile service or computer would choose it: it leads out of a folder, names a command, and has characters that a
 * terminal obeys or that show something other than what is there.
 */
export const hostileText =
  '../../../outside/pwned$(touch pwned)`id`\u001b]0;title\u0007\u001b[2J\u009b31m\u202egnp.exe\u2066\u200b\u{e0041}' +
  `\u001b[31m\u2800\u3164\n${forgedLine}\n  ${forgedLine}`

/** Characters that must not reach a terminal. */
export const deceptive = /(?![\n\t])[\p{Cc}\u200b\u202a-\u202e\u2066-\u2069\u2800\u3164\u{e0041}]/u

/** What a text, a number and so on are in an answer. */
export type Leaves = { string: unknown; number: unknown; boolean: unknown; array?: unknown }

export const hostileLeaves: Leaves = { string: hostileText, number: 2, boolean: false }
export const wrongLeaves: Leaves = { string: { not: 'a text' }, number: 'not a number', boolean: 'neither' }

/** The operations, those without parameters in their path first: they are the more specific ones. */
const routes = Object.entries(operations)
  .map(([operation, schema]) => {
    const [method, template = ''] = operation.split(' ')
    return { method, template, schema, pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`) }
  })
  .toSorted((a, b) => Number(a.template.includes('{')) - Number(b.template.includes('{')))

/** The answer to a request as its schema describes it, with these leaves. Undefined if the API has no such operation. */
export function answerTo(method: string, path: string, leaves: Leaves): unknown {
  const [pathname = ''] = path.split('?')
  const route = routes.find((one) => one.method === method && one.pattern.test(pathname))
  return route && build(route.schema, leaves, 0)
}

const maxDepth = 12

function build(schema: AnswerSchema, leaves: Leaves, depth: number): unknown {
  if (schema.$ref !== undefined) return build(components[schema.$ref] ?? {}, leaves, depth + 1)
  if (schema.anyOf) return build(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, leaves, depth + 1)
  const type = [schema.type ?? 'string'].flat().find((one) => one !== 'null')
  if (type === 'array') return depth > maxDepth ? [] : [build(schema.items ?? {}, leaves, depth + 1)]
  if (type === 'object') return buildObject(schema, leaves, depth)
  return leaves[(type === 'integer' ? 'number' : type) as keyof Leaves]
}

function buildObject({ properties = {}, additionalProperties }: AnswerSchema, leaves: Leaves, depth: number): unknown {
  const known = Object.entries(properties).map(([name, inner]) => [name, build(inner, leaves, depth + 1)])
  const other = typeof additionalProperties === 'object' ? build(additionalProperties, leaves, depth + 1) : undefined
  return Object.fromEntries(other === undefined ? known : [...known, [hostileText, other]])
}
