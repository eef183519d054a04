import { expect, test } from 'vitest'
import type { AuditSentence } from '../../console/src/texts/audit-sentence.ts'
import { deAuditSentences } from '../../console/src/texts/de-audit-sentences.ts'
import { deApprovals } from '../../console/src/texts/de-safety.ts'
import { enAuditSentences } from '../../console/src/texts/en-audit-sentences.ts'
import { enApprovals } from '../../console/src/texts/en-safety.ts'
import { namedKinds } from '../../server/src/features/audit/named-objects.ts'
import { operations } from '../../server/src/features/index.ts'

const languages: [string, Record<string, AuditSentence>][] = [
  ['English', enAuditSentences],
  ['German', deAuditSentences],
]

const changes = operations.filter(({ mutates }) => mutates)

test.each(languages)('every operation that changes something has a sentence in %s', (_language, sentences) => {
  expect(changes.map(({ id }) => id).filter((id) => !(id in sentences))).toEqual([])
})

test.each([
  ['English', enApprovals.requests],
  ['German', deApprovals.requests],
])('every operation that may need an approval, and no other, is named in %s', (_language, names) => {
  const destructive = changes.filter((operation) => operation.destructive)

  expect(Object.keys(names).sort()).toEqual(destructive.map(({ id }) => id).sort())
})

/** Entries that no operation of the API writes. */
const others = ['signIn', 'signOut', 'requestToken', 'restoreBackup', 'enrolAgent', 'followGroupRule', 'convergeGroup']

test.each(languages)(
  'every sentence in %s is about an operation, and can be filled from its entries',
  (_language, sentences) => {
    for (const [id, sentence] of Object.entries(sentences)) {
      const operation = changes.find((one) => one.id === id)
      expect(operation !== undefined || others.includes(id), id).toBe(true)
      const known = ['who', ...namedKinds, ...Object.keys(operation?.body?.properties ?? {})]
      const texts = typeof sentence === 'string' ? [sentence] : variantsOf(sentence)
      for (const text of texts)
        for (const [, placeholder = ''] of text.matchAll(/\{(\w+)\}/g))
          expect(known, `${id}: ${text}`).toContain(placeholder)
    }
  },
)

/** What the sentence says of requests that differ in what it looks at. */
function variantsOf(sentence: Exclude<AuditSentence, string>): string[] {
  const always = (value: unknown) => new Proxy({}, { get: () => value })
  return [200, 401].flatMap((status) =>
    [true, false, 'Quarantined'].map((value) => sentence({ body: always(value), status })),
  )
}
