import type { FastifyInstance } from 'fastify'
import { invalidRequest } from '../general-problems.ts'
import { invalidPart } from '../validation.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

// The database stores neither a NUL character nor half of a surrogate pair. Both are rare, so that a look at the raw
// text decides whether the values have to be searched.
const suspicious = /\\u(0000|d[89a-f][0-9a-f]{2})/i

/** Reads JSON bodies: UTF-8 only, no `__proto__`, and no text that the database could not store. */
export function addJsonParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, buffer, done) => {
    let text: string
    try {
      text = utf8.decode(buffer as Buffer)
    } catch {
      return done(invalidRequest({ detail: 'body is not valid UTF-8' }))
    }
    // An optional body may be left out although its type is announced; a needed one is missed by the validation.
    if (text === '') return done(null, undefined)
    void parse(request, text, (error, value) => {
      if (error) return done(invalidRequest({ detail: `body is not valid JSON: ${error.message}` }))
      const unstorable = suspicious.test(text) ? unstorableText(value) : undefined
      if (unstorable !== undefined)
        return done(invalidPart('body', unstorable, 'has a character that cannot be stored'))
      done(null, value)
    })
  })
}

/** Where the first text stands that PostgreSQL would refuse. A loop, because the depth of the value is the client's. */
function unstorableText(root: unknown): string | undefined {
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
