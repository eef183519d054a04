import { randomUUID } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readReport } from '../../src/channels/fusion/messages/read-report.ts'
import { issueBootToken } from '../../src/channels/pxe/boot-token.ts'
import { createDepotCredential } from '../../src/features/depots/api/create-depot-credential.ts'
import { roleNames } from '../../src/platform/roles.ts'
import { listRoutes } from '../world/listed-routes.ts'
import { openFusionWorld } from './fusion/fusion-world.ts'

const world = await openFusionWorld()
const { agent, app, as, given, secret } = world

const { credential: agentCredential } = await agent()
const depot = await given.computer({ role: 'DepotServer' })
const { credential: depotCredential } = (
  await as('admin.manage').call(createDepotCredential, { params: { clientId: depot.id } })
).body
const accessToken = await app.services.tokens.issue((await given.localPrincipal({ roles: roleNames })).id)
const bootToken = await issueBootToken(app.services.keys, {
  clientId: (await given.computer()).id,
  grantId: randomUUID(),
  imageId: 1,
  skuId: null,
})

/** Who may call, by the beginning of the path. Others are refused before the body is read. */
const authorizations: Record<string, string> = {
  '/api/': `Bearer ${accessToken}`,
  '/admin/': `Bearer ${accessToken}`,
  '/agent/v1/': `Bearer ${agentCredential}`,
  '/depot/v1/': `Bearer ${depotCredential}`,
  '/agent/fusion': `Basic ${Buffer.from(`muster:${secret}`).toString('base64')}`,
}

const nestedArrays = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
const nestedObjects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

const changing = listRoutes(app.http, '/').filter((route) => /^(POST|PUT|PATCH|DELETE) /.test(route))

async function send(route: string, payload: string | Buffer) {
  const [method, pattern = ''] = route.split(' ') as ['POST', string]
  const [, authorization] = Object.entries(authorizations).find(([path]) => pattern.startsWith(path)) ?? []
  const { statusCode, body } = await app.http.inject({
    method,
    url: pattern.replace(':secret', secret).replace(':token', bootToken).replaceAll(/:\w+/g, '1'),
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    payload,
  })
  return { status: statusCode, body }
}

test('every route that reads a body refuses one that is nested deeply, because of its depth', async () => {
  const bodies = [nestedArrays(7_000), nestedObjects(2_000)]
  const others: string[] = []
  let refusals = 0
  for (const [index, route] of changing.entries()) {
    const { status, body } = await send(route, bodies[index % 2] ?? '')
    if (status === 400 && /nested deeper than \d+ levels/.test(body)) refusals++
    // 405: the path has no such method.
    else if (status !== 405) others.push(`${status} ${route} ${body}`)
  }

  expect(refusals).toBeGreaterThan(150)
  expect(others).toEqual([])
}, 120_000)

test('a body of the largest size with millions of levels or values is refused, and says why', async () => {
  const refused = await send('POST /api/computer', nestedArrays(500_000))
  const unread = await send('POST /agent/fusion/:secret', deflateSync(nestedArrays(8_000_000)))
  const wide = await send('POST /agent/fusion/:secret', deflateSync(`{"a":[${'{},'.repeat(5_000_000)}{}]}`))

  expect(refused).toMatchObject({ status: 400, body: expect.stringContaining('body is nested deeper than 100 levels') })
  expect(unread).toMatchObject({ status: 400, body: expect.stringContaining('nested deeper than 16 levels') })
  expect(wide).toMatchObject({ status: 400, body: expect.stringContaining('has more than 400000 values') })
})

test.each([
  ['eight million levels', nestedArrays(8_000_000)],
  ['five million values', `{"a":[${'{},'.repeat(5_000_000)}{}]}`],
])('a message with %s takes a reader thread a fraction of a second', (_, text) => {
  const message = deflateSync(text)
  const before = process.threadCpuUsage()

  const read = readReport(message)

  expect(read).toHaveProperty('unreadable')
  // Of this thread and the processor, because others may be busy. The parser alone would take seconds.
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(500)
})
