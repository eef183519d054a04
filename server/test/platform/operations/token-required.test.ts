import { expect, test } from 'vitest'
import { listRoutes } from '../../world/listed-routes.ts'
import { openWorld } from '../../world/open-world.ts'

const { app, withToken } = await openWorld()

/** What the application answers by itself, whatever the operation: which methods a path has. */
const isAboutMethods = (status: number) => status === 204 || status === 405

test('below /api, nothing but the request for a token is answered without a token', async () => {
  const routes = listRoutes(app.http, '/api')
  const open: string[] = []
  for (const route of routes) {
    const [method, pattern = ''] = route.split(' ') as ['GET', string]
    const url = pattern.replace(/:\w+/g, '1')
    const { status } = await withToken(undefined).send({ method, url })
    if (status !== 401 && !isAboutMethods(status)) open.push(route)
  }

  expect(routes.length).toBeGreaterThan(500)
  expect(open).toEqual(['POST /api/auth/token'])
})

test('the providers at which people sign in are listed outside of /api', async () => {
  const listed = await withToken(undefined).send({ method: 'GET', url: '/auth/providers' })
  const former = await withToken(undefined).send({ method: 'GET', url: '/api/auth/providers' })

  expect(listed).toMatchObject({ status: 200, raw: [] })
  expect(former.status).toBe(404)
})
