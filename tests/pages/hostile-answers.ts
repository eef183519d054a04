import type { BrowserContext } from 'playwright-core'
import { operations } from '../../server/src/features/index.ts'
import type { TSchema } from '../../server/src/platform/schema.ts'

/** They reverse and isolate directions, move the cursor of a terminal, are invisible, or are markup. */
const hostileEnds = ['\u202egpj', '\u2066a', '\u001b[2J', '\u009bJ', '\u200b\ufeff', '\u{e0041}', '<b>'] as const

/** In turn, because all of them together would be wider than a phone. */
let turn = 0

/** Makes every free text in the answers of the service hostile, for this visitor. */
export async function makeAnswersHostile(context: BrowserContext): Promise<void> {
  await context.route(/\/api\/(?!events\/stream)/, async (route) => {
    const schema = findAnswerSchema(new URL(route.request().url()).pathname)
    const response = await route.fetch()
    if (!schema || response.status() !== 200) return route.fulfill({ response })
    return route.fulfill({ response, json: toHostile(schema, await response.json()) })
  })
}

const reads = operations
  .filter(({ method, answerType, returns }) => method === 'GET' && !answerType && returns[200])
  .map(({ path, returns }) => ({
    path: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
    // Where two match, the one with fewer parameters answers.
    parameters: path.split(':').length,
    schema: returns[200] as TSchema,
  }))
  .sort((a, b) => a.parameters - b.parameters)

function findAnswerSchema(pathname: string): TSchema | undefined {
  return reads.find(({ path }) => path.test(pathname))?.schema
}

function toHostile(schema: TSchema, value: unknown): unknown {
  if (typeof value === 'string')
    return isFreeText(schema) ? `${value} ${hostileEnds[turn++ % hostileEnds.length]}` : value
  if (Array.isArray(value))
    return value.map((item) => partsOf(schema).reduce((made, part) => toHostile(part, made), item))
  if (value === null || typeof value !== 'object') return value
  return partsOf(schema).reduce<unknown>(
    (made, part) => toHostile(part, made),
    Object.fromEntries(
      Object.entries(value).map(([name, own]) => {
        const part: TSchema | undefined = schema.properties?.[name]
        return [name, part && !isReference(name) ? toHostile(part, own) : own]
      }),
    ),
  )
}

/** What pages ask the service for again. */
const isReference = (name: string) => /(^|[a-z])ids?$/i.test(name)

function isFreeText(schema: TSchema): boolean {
  const forms: TSchema[] = schema.anyOf ?? [schema]
  return forms.every(
    ({ type, enum: values, format, pattern, const: constant }) =>
      type === 'null' || (String(type).includes('string') && !values && !format && !pattern && constant === undefined),
  )
}

/** Items of a list, alternatives, and parts that are combined. */
const partsOf = (schema: TSchema): TSchema[] => [
  ...(schema.items ? [schema.items] : []),
  ...(schema.anyOf ?? []),
  ...(schema.allOf ?? []),
  ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
]

const shownAttributes = 'title alt label placeholder data-title'.split(' ')

/** Texts of the page with deceptive characters, each with where it is. Fields have the exact value. */
export const deceptiveTexts = `(() => {
  const isShown = (name) => ${JSON.stringify(shownAttributes)}.includes(name) || /^aria-(?!controls|labelledby|describedby|owns)/.test(name)
  const texts = [['title of the window', document.title]]
  const nodes = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  while (nodes.nextNode()) {
    const node = nodes.currentNode
    if (node.nodeType === Node.TEXT_NODE) texts.push([node.parentElement.tagName, node.data])
    else for (const { name, value } of node.attributes) if (isShown(name)) texts.push([node.tagName + ' ' + name, value])
  }
  return texts
    .filter(([, text]) => /[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]/u.test(text.replace(/[\\n\\t]/g, '')))
    .map(([place, text]) => place + ': ' + JSON.stringify(text))
})()`
