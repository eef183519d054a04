import { expect, test } from 'vitest'
import { toProblem } from '../../src/platform/http/send-problem.ts'

const errorWith = (code: string) => Object.assign(new Error(code), { code })

const answerTo = (error: unknown) => {
  const { kind, headers } = toProblem(error, undefined)
  return { status: kind.status, code: kind.code, retryAfter: headers['retry-after'] }
}

const exhausted = { status: 503, code: 'ResourcesExhausted', retryAfter: '5' }

test.each([
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENOBUFS',
  'EAGAIN',
  'EADDRNOTAVAIL',
  'ENOSPC',
  'EDQUOT',
  'ERR_WORKER_INIT_FAILED',
  '53000',
  '53100',
  '53200',
  '53400',
])('a request that fails with %s is answered with 503 and Retry-After, however deep the error is wrapped', (code) => {
  const wrapped = new TypeError('fetch failed', { cause: new AggregateError([new Error('other'), errorWith(code)]) })

  expect(answerTo(errorWith(code))).toEqual(exhausted)
  expect(answerTo(wrapped)).toEqual(exhausted)
})

test('an error that is its own cause is a fault of the service', () => {
  const circular = new Error('circular')
  circular.cause = circular

  expect(answerTo(circular)).toMatchObject({ status: 500 })
})

test.each(['EIO', 'EACCES', 'EISDIR', 'EROFS', 'toString', '__proto__'])(
  'a request that fails with %s is a fault of the service, because trying again does not help',
  (code) => {
    expect(answerTo(errorWith(code))).toMatchObject({ status: 500, code: 'InternalError' })
  },
)
