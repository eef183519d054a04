import { expect, test } from 'vitest'
import { answers } from '../src/answers/answers.ts'
import { parseJson } from '../src/answers/parse-json.ts'
import type { Reader } from '../src/answers/readers.ts'
import { InvalidAnswer, readAnswer } from '../src/server-client.ts'
import { listAnswers, mutationsOf, sampleOf } from './mutated-answers.ts'

const readers: Record<string, Reader<unknown>> = {
  AgentContactAnswer: answers.contactAnswer,
  AgentCredential: answers.enrolled,
  ComputerSoftware: answers.computerSoftware,
  PatchScanReceipt: answers.patchScanReceipt,
  StartedWork: answers.startedWork,
  UserChoicesAnswer: answers.userChoicesAnswer,
  WorkPostponementAnswer: answers.postponementAnswer,
  WorkProgressAnswer: answers.progressAnswer,
  WorkResultAnswer: answers.resultAnswer,
}

/** The ranges in which values stay, by the name of their field. */
const ranges: Record<string, [number, number]> = {
  nextContactSeconds: [1, 86_400],
  leaseSeconds: [1, 86_400],
  beginWithinSeconds: [0, 3_600],
  timeLimitMinutes: [0, 1_440],
  timeoutMinutes: [-1, 43_200],
  reminderMinutes: [0, 1_440],
  remaining: [0, 1_000],
  workId: [0, Number.MAX_SAFE_INTEGER],
  attempt: [0, 2 ** 31],
  clientId: [1, 2 ** 31],
  size: [0, Number.MAX_SAFE_INTEGER],
  postponementsLeft: [0, 1_000],
}
const wholeNumbers = ['workId', 'attempt', 'clientId', 'size', 'reminderMinutes', 'patchId', 'productId']

/** What is wrong with a value that the agent would use, or undefined. */
function findFault(value: unknown, name: string, depth = 0): string | undefined {
  if (depth > 32) return 'too deep'
  // It is checked before it is used: hostile-sources.test.ts.
  if (name === 'repository') return undefined
  if (typeof value === 'string') return findTextFault(value, name)
  if (typeof value === 'number') {
    const [min, max] = ranges[name] ?? [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
    if (!(value >= min && value <= max)) return `${name} is ${value}`
    if (wholeNumbers.includes(name) && !Number.isInteger(value)) return `${name} is ${value}`
  }
  if (typeof value !== 'object' || value === null) return undefined
  const isPlain = [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value))
  if (!isPlain || Object.hasOwn(value, '__proto__')) return 'another prototype'
  for (const [field, one] of Object.entries(value)) {
    const fault = findFault(one, Array.isArray(value) ? name : field, depth + 1)
    if (fault) return fault
  }
  return undefined
}

function findTextFault(value: string, name: string): string | undefined {
  if (value.length > 200_000 || !value.isWellFormed()) return `a text of ${value.length} characters`
  if (name === 'untilUtc' && Number.isNaN(Date.parse(value))) return `the time ${value}`
  if (name === 'sha256' && !/^[\da-f]{64}$/.test(value)) return `the hash ${value}`
  if (name === 'url' && !/^https?:\/\/[^@?#]*$/.test(value)) return `the address ${value}`
  return undefined
}

test('every answer of the agent channel has a reader', () => {
  expect(Object.keys(readers).sort()).toEqual(listAnswers())
})

test.each(Object.entries(readers))('the reader of %s passes on every field of the protocol', (name, read) => {
  const sample = sampleOf(name)

  expect(readAnswer(JSON.stringify(sample), read)).toEqual(sample)
})

test.each(Object.entries(readers))(
  'each value of %s can be anything: it is refused, or nothing of it is out of its range',
  { timeout: 60_000 },
  (name, read) => {
    const faults: string[] = []
    let refused = 0
    for (const { at, what, text } of mutationsOf(sampleOf(name))) {
      try {
        const fault = findFault(readAnswer(text, read), '')
        if (fault) faults.push(`${at} as ${what}: ${fault}`)
      } catch (error) {
        if (error instanceof InvalidAnswer) refused += 1
        else faults.push(`${at} as ${what}: ${error}`)
      }
    }

    expect(faults).toEqual([])
    expect(refused).toBeGreaterThan(10)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  },
)

test.each([
  'https://user@depot.example.org',
  'https://depot.example.org/?a',
  'https://depot.example.org/#a',
  'ftp://d',
  'x',
])('a depot with the address %s is left out, and the others stay', (url) => {
  const sample = { ...(sampleOf('StartedWork') as object), depots: [{ url }, { url: 'https://depot.example.org/a' }] }

  expect(answers.startedWork(sample, '').depots).toEqual([{ url: 'https://depot.example.org/a' }])
})

test('invalid content of one work item leaves the others of its contact as they are', () => {
  const sample = sampleOf('AgentContactAnswer') as { work: object[] }
  const work = [sample.work[0], { ...sample.work[0], content: { commands: {}, files: [{ path: 5 }] } }]

  const read = answers.contactAnswer({ ...sample, work }, '').work

  expect(read.map(({ content }) => content === undefined)).toEqual([false, true])
})

test('brackets within texts do not count as levels', () => {
  const text = JSON.stringify({ a: `"${'['.repeat(100)}\\`, b: [1] })

  expect(parseJson(text)).toEqual(JSON.parse(text))
})

test.each([
  ['text', { code: 'WorkNotHeld', message: 'It is not yours.' }, { code: 'WorkNotHeld', message: 'It is not yours.' }],
  ['values of other types', { code: 5, message: ['x'], detail: { a: 1 } }, {}],
  ['long texts', { message: 'x'.repeat(5_000) }, { message: 'x'.repeat(1_000) }],
])('of a problem with %s, only texts of a limited length are used', (_, problem, expected) => {
  expect(answers.problem(problem, '')).toEqual(expected)
})
