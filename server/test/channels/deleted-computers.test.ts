import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { machineChannels } from '../../src/channels/index.ts'
import { issueBootToken } from '../../src/channels/pxe/boot-token.ts'
import { pxeOperations } from '../../src/channels/pxe/index.ts'
import { auditTrail } from '../../src/features/audit/audit-trail.ts'
import { changeGuard } from '../../src/features/blast-radius/guard-change.ts'
import { unauthorized } from '../../src/platform/general-problems.ts'
import { addJsonParser } from '../../src/platform/http/json-body.ts'
import { newRequestId, observeRequests } from '../../src/platform/http/observe-requests.ts'
import { addProblemAnswers } from '../../src/platform/http/send-problem.ts'
import { mount } from '../../src/platform/mount.ts'
import { exampleOf } from '../../src/platform/openapi/example.ts'
import { addressOf, caller } from '../world/caller.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { app, database, db } = await openWorld()
const machineOperations = [
  ...machineChannels.flatMap(({ sections }) => sections.flatMap(({ operations }) => operations)),
  ...pxeOperations,
].filter(({ role }) => role === 'machine')

// The computer of every request was deleted after the credential had been accepted.
const clientId = 2_000_000_000
const deleted = { clientId, secretHash: Buffer.alloc(32) }
const token = await issueBootToken(app.services.keys, { clientId, grantId: randomUUID(), imageId: 1, skuId: null })
const http = Fastify({ genReqId: newRequestId })
observeRequests(http, app.services)
addProblemAnswers(http)
addJsonParser(http)
mount(http, machineOperations, {
  lanes: database.lanes,
  lane: 'machines',
  services: app.services,
  auditTrail,
  changeGuard,
  authenticate: () => Promise.reject(unauthorized()),
  authenticateMachine: async () => deleted,
})
afterAll(() => http.close())

test.each(machineOperations.map((operation) => [operation.id, operation] as const))(
  '%s is answered as declared when the computer is deleted after its credential was accepted, and changes nothing',
  async (_, operation) => {
    const { method, body, bodyType = 'application/json' } = operation
    const before = await fingerprints(db)

    const { status } = await caller({ ...app, http }, 'accepted').send({
      method,
      url: addressOf(operation, { ...(exampleOf(operation.params) as object), token }),
      ...(body && { payload: JSON.stringify(exampleOf(body)), headers: { 'content-type': bodyType } }),
    })

    expect(status).toBeLessThan(500)
    expect(await fingerprints(db)).toEqual(before)
  },
)
