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

const isGet = ({ operation }: Declared) => operation.method === 'GET'

/** The address of the operation, with the value for each part of its path that is a parameter. */
function addressWith(operation: AnyOperation, value: string, query = {}): string {
  const names = Object.keys(operation.params.properties)
  return addressOf(operation, Object.fromEntries(names.map((name) => [name, value])), query)
}

const xml = { headers: { 'content-type': 'application/xml' }, payload: '<a/>' }

const statusOf = async (request: InjectOptions) => (await world.as(...(roleNames as Role[])).send(request)).status

describe('414', () => {
  test.each(all)('$id declares 414 if and only if it answers a long part of its path with it', async (declared) => {
    const { operation, statuses } = declared
    const query = operation.answerType === eventStreamType ? { seconds: 1 } : {}

    const status = await statusOf({ method: operation.method, url: addressWith(operation, 'a'.repeat(300), query) })

    expect(statuses.includes(414)).toBe(status === 414)
    expect(status === 414).toBe(operation.path.includes(':'))
  })
})

describe('415', () => {
  // It is answered before anything is looked up. Operations that only read ignore the body, as the tests of 304 show.
  test.each(ofApi.filter((declared) => !isGet(declared)))(
    '$id declares 415 if and only if it answers a body of another content type with it',
    async ({ operation, statuses }) => {
      const status = await statusOf({ method: operation.method, url: addressWith(operation, '1'), ...xml })

      expect(statuses.includes(415)).toBe(status === 415)
    },
  )

  test('an operation for machines declares 415 if and only if it is not a GET', () => {
    for (const { operation, statuses } of ofMachines) expect(statuses.includes(415)).toBe(operation.method !== 'GET')
  })
})

describe('304', () => {
  test.each(ofApi.filter(isGet))(
    '$id declares 304 if and only if it answers with it to the ETag that it sent, and not 415, because it ignores a body',
    async ({ operation, statuses }) => {
      const { params, query } = await scenarioOf(operation)(world)
      const url = addressOf(operation, params as object, query)
      // Only who has uploaded a file may ask what it contains, and who has created a report what it says.
      const owners: Record<string, Role[]> = {
        getPackageUploadProposal: ['package.write'],
        getReportFile: ['computer.read'],
      }
      const roles = owners[operation.id] ?? roleNames
      const caller = world.as(...roles)
      const first = await caller.send({ method: 'GET', url, ...xml })

      const { etag } = first.headers
      const again = etag && (await caller.send({ method: 'GET', url, headers: { 'if-none-match': etag } }))

      expect(first.status).toBe(200)
      expect(statuses).not.toContain(415)
      expect(statuses.includes(304)).toBe(again ? again.status === 304 : false)
    },
  )
})
