import { expect, test } from 'vitest'
import { openWorld } from '../../world/open-world.ts'

const closed = await openWorld()
const open = await openWorld({ configuration: { corsOrigins: ['https://console.example.org'] } })
const preflight = (world: typeof open, origin: string) =>
  world.withToken(undefined).send({
    method: 'OPTIONS',
    url: '/api/admin/roles',
    headers: { origin, 'access-control-request-method': 'GET' },
  })

test('other origins cannot read answers by default', async () => {
  const byDefault = await preflight(closed, 'https://console.example.org')
  const other = await preflight(open, 'https://evil.example.org')

  expect(byDefault.headers).not.toHaveProperty('access-control-allow-origin')
  expect(other.headers).not.toHaveProperty('access-control-allow-origin')
})

test('a configured origin can read answers', async () => {
  const allowed = await preflight(open, 'https://console.example.org')

  expect(allowed.status).toBe(204)
  expect(allowed.headers['access-control-allow-origin']).toBe('https://console.example.org')
  expect(allowed.headers['access-control-allow-methods']).toContain('PATCH')
})
