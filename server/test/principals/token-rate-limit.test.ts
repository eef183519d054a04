import { expect, test } from 'vitest'
import { requestToken } from '../../src/features/principals/api/token/request-token.ts'
import { openWorld } from '../world/open-world.ts'

const { given, withToken } = await openWorld({ configuration: { tokenRateLimit: 3, trustedProxies: ['10.0.0.1'] } })
const anybody = withToken(undefined)

type Origin = { address: string; forwardedFor?: string }

const ask = async (clientId: string, clientSecret: string, { address, forwardedFor }: Origin) =>
  anybody.send({
    method: 'POST',
    url: requestToken.path,
    remoteAddress: address,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(forwardedFor && { 'x-forwarded-for': forwardedFor }),
    },
    payload: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }).toString(),
  })

test('token requests of an address beyond the limit are refused, and those of another address are not', async () => {
  const { clientId, secret } = await given.localPrincipal()
  const here = { address: '192.0.2.1' }

  const counted = [await ask('a', 'x', here), await ask('b', 'x', here), await ask('c', 'x', here)]
  const refused = await ask(clientId, secret, here)
  const elsewhere = await ask(clientId, secret, { address: '192.0.2.2' })

  expect(counted.map(({ headers }) => headers.ratelimit)).toEqual(
    [2, 1, 0].map((left) => expect.stringMatching(new RegExp(`^"token";r=${left};t=\\d+$`))),
  )
  expect(refused).toMatchObject({ status: 429, raw: { error: 'temporarily_unavailable' } })
  expect(refused.headers).toMatchObject({
    'ratelimit-policy': '"token";q=3;w=60',
    ratelimit: expect.stringMatching(/^"token";r=0;t=\d+$/),
  })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50)
  expect(elsewhere.status).toBe(200)
})

test('wrong secrets never lock a client out at another address, however many there are', async () => {
  const { clientId, secret } = await given.localPrincipal()

  for (const last of [11, 12, 13, 14, 15])
    for (let guess = 0; guess < 5; guess++) await ask(clientId, `guess ${guess}`, { address: `192.0.2.${last}` })
  const elsewhere = await ask(clientId, secret, { address: '192.0.2.16' })
  const proxied = await ask(clientId, secret, { address: '10.0.0.1', forwardedFor: '198.51.100.77' })

  expect([elsewhere.status, proxied.status]).toEqual([200, 200])
})

test('wrong secrets of a client lock it out at their address, and no other client', async () => {
  const { clientId, secret } = await given.localPrincipal()
  const neighbour = await given.localPrincipal()
  const here = { address: '192.0.2.18' }

  for (let guess = 0; guess < 10; guess++) await ask(clientId, `guess ${guess}`, here)
  const refused = await ask(clientId, secret, here)
  const allowed = await ask(neighbour.clientId, neighbour.secret, here)

  expect(refused).toMatchObject({ status: 429, headers: { ratelimit: expect.stringMatching(/;r=0;/) } })
  expect(allowed.status).toBe(200)
})

test('behind a proxy, failures of one client address do not count for another', async () => {
  const { clientId, secret } = await given.localPrincipal()
  const through = (forwardedFor: string) => ({ address: '10.0.0.1', forwardedFor })

  for (let guess = 0; guess < 10; guess++) await ask(clientId, `guess ${guess}`, through('198.51.100.80'))
  const refused = await ask(clientId, secret, through('198.51.100.80'))
  const allowed = await ask(clientId, secret, through('198.51.100.81'))

  expect([refused.status, allowed.status]).toEqual([429, 200])
})

test('a forwarded address is used only if a configured proxy sends it', async () => {
  const spoofed = await Promise.all(
    [1, 2, 3, 4].map((last) => ask(`s${last}`, 'x', { address: '192.0.2.20', forwardedFor: `198.51.100.${last}` })),
  )
  const proxied = await Promise.all(
    [1, 2, 3, 4].map((last) => ask(`p${last}`, 'x', { address: '10.0.0.1', forwardedFor: `198.51.100.${last}` })),
  )

  expect(spoofed.filter(({ status }) => status === 429)).toHaveLength(1)
  expect(proxied.filter(({ status }) => status === 429)).toHaveLength(0)
})
