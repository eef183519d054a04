import { findJsonExcess } from '@muster/schema'
import type { FastifyInstance } from 'fastify'
import { invalidRequest } from '../general-problems.ts'
import { invalidPart } from '../validation.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

// PostgreSQL stores neither NUL characters nor unpaired surrogates. Both are rare, so the values are searched only if
// the raw text contains such an escape.
const unstorableEscape = /\\u(0000|d[89a-f][0-9a-f]{2})/i

/**
 * Parses JSON bodies. Refuses encodings other than UTF-8, deep nesting, `__proto__`, and text that the database cannot
 * store.
 */
export function addJsonParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const buffer = body as Buffer
    const excess = findJsonExcess(buffer)
    if (excess !== undefined) return done(invalidRequest({ detail: `body ${excess}` }))
    let text: string
    try {
      text = utf8.decode(buffer)
    } catch {
      return done(invalidRequest({ detail: 'body is not valid UTF-8' }))
    }
    // Clients may send the content type of an optional body without the body. Validation refuses a missing required one.
    if (text === '') return done(null, undefined)
    void parse(request, text, (error, value) => {
      if (error) return done(invalidRequest({ detail: `body is not valid JSON: ${error.message}` }))
      const unstorable = unstorableEscape.test(text) ? findUnstorableText(value) : undefined
      if (unstorable !== undefined)
        return done(invalidPart('body', unstorable, 'contains a character that cannot be stored'))
      done(null, value)
    })
  })
}

/** The path of a text that PostgreSQL would refuse. Not recursive, because clients choose the depth of the value. */
function findUnstorableText(root: unknown): string | undefined {
  const pending: { value: unknown; path: string }[] = [{ value: root, path: '' }]
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    const { value, path } = entry
    if (typeof value === 'string' && !isStorable(value)) return path
    if (typeof value !== 'object' || value === null) continue
    for (const [key, child] of Object.entries(value)) {
      const childPath = path === '' ? key : `${path}.${key}`
      if (!isStorable(key)) return childPath
      pending.push({ value: child, path: childPath })
    }
  }
  return undefined
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
