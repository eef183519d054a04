import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Cell, nobodyElse } from './matrix/cell.ts'
import { cells } from './matrix/cells.ts'
import { type Course, checkAnswers, checkReadiness } from './matrix/check-course.ts'
import { describeCell } from './matrix/describe-cell.ts'
import { openHttpClient } from './matrix/http-client.ts'
import { openLedger } from './matrix/ledger.ts'
import type { Operation } from './matrix/operations.ts'
import { waitBetween, watchProcessorWaits } from './matrix/processor-waits.ts'

test('docs/faults.md describes the faults of the matrix and their promises, and no others', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/faults.md'), 'utf8')
  const [promises = ''] = page.split('\n## ')
  const [, ...rows] = promises.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))

  expect(rows.map((row) => row.replaceAll(/ +/g, ' '))).toEqual(cells.map(describeCell))
})

const slice = (from: number, { ran = 0, waited = 0 }) => ({ from, until: from + 100, ran, waited })

test.each([
  ['a wait counts', [slice(0, { waited: 60 })], 60],
  ['a wait of which the end is seen later reaches back', [slice(0, {}), slice(100, { waited: 150 })], 150],
  ['waits at the same time count once', [slice(0, { waited: 80 }), slice(100, { waited: 150 })], 180],
  ['what was before does not count', [slice(-100, { waited: 70 }), slice(0, { waited: 60 })], 60],
  ['what the processes took from each other does not count', [slice(0, { waited: 100, ran: 200 })], 100],
  ['processes that had all processors waited for nobody', [slice(0, { waited: 100, ran: 400 })], 0],
])('of the waits for a processor, %s', (_rule, slices, expected) => {
  expect(waitBetween(slices, 0, 200, 2)).toBe(expected)
})

test.runIf(process.platform === 'linux')('a process that shares a processor waits for it', async () => {
  const busy = [1, 2].map(() => spawn('taskset', ['--cpu-list', '0', 'sh', '-c', 'while :; do :; done']))
  onTestFinished(() => {
    for (const shell of busy) shell.kill('SIGKILL')
  })
  const waits = watchProcessorWaits(() => [busy.flatMap(({ pid }) => pid ?? []).slice(0, 1)])
  onTestFinished(waits.stop)

  const began = performance.now()
  await sleep(400)

  expect(waits.between(began, performance.now())).toBeGreaterThan(50)
})

/** What is slow because of a fault takes this many milliseconds in the course below. */
const slow = { answer: 2_000, refusal: 3_000, notReady: 11_000, readyAgain: 6_000, falseForAWhile: 500 }

/** A course in which everything is late, on a machine that left the processes this share of the time. */
function lateCourse(share: number): Course {
  const [beganAt, endedAt] = [1_000, 13_000]
  const operation = (at: number, milliseconds: number, refused: Operation['attempts'] = []): Operation => ({
    kind: 'read',
    name: 'getComputer',
    client: openHttpClient({ address: 'http://127.0.0.1', timeoutMs: 1, keepsConnection: false }),
    computerId: 1,
    at,
    succeededAt: at + milliseconds,
    attempts: [...refused, { at, milliseconds, outcome: 200, code: '' }],
  })
  const refusal = { at: beganAt, milliseconds: slow.refusal, outcome: 503, code: 'ResourceBusy' }
  return {
    load: {
      prefix: '',
      startedAt: new Date(),
      operations: [
        operation(0, 20),
        operation(beganAt, slow.answer),
        operation(beganAt, slow.answer + slow.refusal, [refusal]),
      ],
      ledger: openLedger(),
      addCrowd() {},
      stop: async () => [],
    },
    readiness: {
      isSupported: () => true,
      findFalse: () => beganAt + slow.notReady,
      findTrue: () => endedAt + slow.readyAgain,
      listFalse: () => [{ from: beganAt, until: beganAt + slow.falseForAWhile }],
      lastReason: () => '503',
      stop: async () => {},
    },
    fault: { end: async () => {} },
    beganAt,
    begunAt: beganAt,
    endedAt,
    unfinished: [],
    waits: { between: (from, until) => (until - from) * (1 - share), stop() {} },
  }
}

const cellWith = (ready: Cell['ready']): Cell => ({ ...(cells[0] as Cell), ...nobodyElse, ready })

test.each(['turns false', 'stays true'] as const)(
  'what is late breaks a promise, unless the machine had no processor for it: readiness %s',
  (ready) => {
    const failuresOf = (course: Course) => [
      ...checkAnswers(cellWith(ready), course),
      ...checkReadiness(cellWith(ready), course),
    ]

    expect(failuresOf(lateCourse(1))).toEqual([
      expect.stringContaining('The p99 of 2 operations of other computers is 5.00 s, and was 0.02 s before'),
      '1 operations of other computers got a 503: getComputer ResourceBusy.',
      expect.stringContaining(`/health/ready ${ready === 'turns false' ? 'did not turn false' : 'turned false'}`),
      expect.stringContaining('/health/ready was true again 6.0 s after the fault'),
    ])
    expect(failuresOf(lateCourse(0.05))).toEqual([])
    expect(checkAnswers(cellWith(ready), { ...lateCourse(0.05), beganAt: 12_000 })).toEqual([
      'The machine had no processor for any operation of other computers.',
    ])
  },
)
