import type { InjectOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { machineChannels } from '../../../src/channels/index.ts'
import { sections } from '../../../src/features/index.ts'
import { apiChannel } from '../../../src/platform/openapi/channel.ts'
import { openApiDocument } from '../../../src/platform/openapi/document.ts'
import { type AnyOperation, eventStreamType } from '../../../src/platform/operation.ts'
import { type Role, roleNames } from '../../../src/platform/roles.ts'
import { addressOf } from '../../world/caller.ts'
import { openWorld } from '../../world/open-world.ts'
import { scenarioOf } from '../operations/scenarios.ts'

type Document = { paths: Record<string, Record<string, { responses: object }>> }
type Declared = { operation: AnyOperation; id: string; statuses: number[] }

const world = await openWorld()

/** The operations of a channel with the statuses that its document declares. */
function declaredIn(channel: Parameters<typeof openApiDocument>[0]): Declared[] {
  const { paths } = openApiDocument(channel) as Document
  return channel.sections
    .flatMap((section) => section.operations)
    .map((operation) => {
      const described = paths[operation.path.replace(/:(\w+)/g, '{$1}')]?.[operation.method.toLowerCase()]
      return { operation, id: operation.id, statuses: Object.keys(described?.responses ?? {}).map(Number) }
    })
}

const ofApi = declaredIn(apiChannel(sections))
const ofMachines = machineChannels.flatMap(declaredIn)
const all = [...ofApi, ...ofMachines]

const statusOf = async (request: InjectOptions) => (await world.as(...(roleNames as Role[])).send(request)).status

describe('414', () => {
  test.each(all)('$id declares 414 if and only if it answers a long part of its path with it', async (declared) => {
    const { operation, statuses } = declared
    const names = Object.keys(operation.params.properties)
    const query = operation.answerType === eventStreamType ? { seconds: 1 } : {}
    const url = addressOf(operation, Object.fromEntries(names.map((name) => [name, 'a'.repeat(300)])), query)

    const status = await statusOf({ method: operation.method, url })

    expect(statuses.includes(414)).toBe(status === 414)
    expect(status === 414).toBe(names.length > 0)
  })
})

describe('415', () => {
  test.each(ofApi)(
    '$id declares 415 if and only if it answers a body of another content type with it',
    async (declared) => {
      const { operation, statuses } = declared
      const { params, query } = await scenarioOf(operation)(world)
      const request = { method: operation.method, url: addressOf(operation, params as object, query), payload: '<a/>' }

      const status = await statusOf({ ...request, headers: { 'content-type': 'application/xml' } })

      expect(statuses.includes(415)).toBe(status === 415)
    },
  )

  test('an operation for machines declares 415 if and only if it is not a GET', () => {
    for (const { operation, statuses } of ofMachines) expect(statuses.includes(415)).toBe(operation.method !== 'GET')
  })
})

describe('304', () => {
  test.each(ofApi.filter(({ operation }) => operation.method === 'GET'))(
    '$id declares 304 if and only if it answers with it to the ETag that it sent',
    async ({ operation, statuses }) => {
      const { params, query } = await scenarioOf(operation)(world)
      const url = addressOf(operation, params as object, query)
      const caller = world.as(...(roleNames as Role[]))
      const first = await caller.send({ method: 'GET', url })

      const { etag } = first.headers
      const again = etag && (await caller.send({ method: 'GET', url, headers: { 'if-none-match': etag } }))

      expect(first.status).toBe(200)
      expect(statuses.includes(304)).toBe(again ? again.status === 304 : false)
    },
  )
})
