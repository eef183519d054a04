import { expect, test } from 'vitest'
import { acceptedBreaks } from '../../../tools/released-api/accepted-breaks.ts'
import { findBreaks } from '../../../tools/released-api/compare-documents.ts'
import { currentDocuments, findBreaksSinceRelease } from '../../../tools/released-api/released-documents.ts'

const today = new Date().toISOString().slice(0, 10)
const breaks = await findBreaksSinceRelease(today)

test('programs and agents that work with the last release work with this version', () => {
  expect(breaks.filter((sentence) => !acceptedBreaks.has(sentence))).toEqual([])
})

test('every accepted break exists, and has a reason', () => {
  expect([...acceptedBreaks.keys()].filter((sentence) => !breaks.includes(sentence))).toEqual([])
  for (const reason of acceptedBreaks.values()) expect(reason.length).toBeGreaterThan(20)
})

test('the descriptions of all channels are compared, with all operations and named schemas', () => {
  const documents = currentDocuments()

  expect([...documents.keys()]).toEqual(['v1.json', 'depot-v1.json', 'agent-v1.json'])
  for (const document of documents.values()) {
    const count = Object.values(document.paths).flatMap(Object.keys).length
    const nothing = { paths: {}, components: {} }
    expect(findBreaks(document, nothing, { today })).toHaveLength(count)
    expect(findBreaks(document, document, { today })).toEqual([])
  }
})
