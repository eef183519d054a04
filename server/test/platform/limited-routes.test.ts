import { expect, test } from 'vitest'
import { machineChannels } from '../../src/channels/index.ts'
import { pxeOperations } from '../../src/channels/pxe/index.ts'
import { operations } from '../../src/features/index.ts'
import { exampleOf } from '../../src/platform/openapi/example.ts'
import { type AnyOperation, isForPrincipals } from '../../src/platform/operation.ts'
import { webOperations } from '../../src/web/index.ts'
import { addressOf } from '../world/caller.ts'
import { openWorld } from '../world/open-world.ts'

const names = ['tokenRateLimit', 'enrolmentRateLimit', 'bootRateLimit', 'jobRateLimit', 'signInRateLimit']
const { app } = await openWorld({ configuration: Object.fromEntries(names.map((name) => [name, 1])) })

const everyOperation = [
  ...operations,
  ...machineChannels.flatMap(({ sections }) => sections.flatMap((section) => section.operations)),
  ...pxeOperations,
  ...webOperations,
]
const limited = everyOperation.filter(({ rateLimit }) => rateLimit)

/** Sends the example of the request from this address. Whether it succeeds does not matter. */
async function sendExample(operation: AnyOperation, remoteAddress: string) {
  const { method, params, body, bodyType } = operation
  const example = body ? exampleOf(body) : undefined
  const { statusCode, headers } = await app.http.inject({
    method,
    remoteAddress,
    url: addressOf(operation, exampleOf(params) as object),
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': bodyType ?? 'application/json' },
    ...(example !== undefined && {
      payload: bodyType ? new URLSearchParams(example as Record<string, string>).toString() : JSON.stringify(example),
    }),
  })
  return { status: statusCode, headers }
}

test.each(limited.map((operation, index) => ({ id: operation.id, operation, index })))(
  'answers of $id show how many requests are left, whether they succeed or not',
  async ({ operation, index }) => {
    const address = `198.51.100.${index + 1}`

    const counted = await sendExample(operation, address)
    const refused = await sendExample(operation, address)

    expect(counted.status).not.toBe(429)
    expect(counted.headers['ratelimit-policy']).toMatch(/^"[a-z-]+";q=1;w=60$/)
    expect(counted.headers.ratelimit).toMatch(/^"[a-z-]+";r=0;t=\d+$/)
    expect(counted.headers['retry-after']).toBeUndefined()
    expect(refused.status).toBe(429)
    expect(refused.headers['ratelimit-policy']).toBe(counted.headers['ratelimit-policy'])
    expect(refused.headers.ratelimit).toMatch(new RegExp(`;r=0;t=${refused.headers['retry-after']}$`))
  },
)

test('sign-in, tokens, enrolment, network boot and installers are limited: everything that needs no token and costs something', () => {
  expect(limited.map(({ id }) => id).sort()).toEqual([
    'enrolAgent',
    'getBootScript',
    'getInstallFile',
    'getInstallScript',
    'getInstallation',
    'getWindowsInstaller',
    'reportInstallation',
    'requestToken',
    'signIn',
    'signInWithLink',
  ])
  expect(limited.filter(isForPrincipals)).toEqual([])
})
