import { expect, test } from 'vitest'
import { listAuditEntries } from '../../../src/features/audit/api/list-audit-entries.ts'
import { rebootComputer } from '../../../src/features/deployments/api/requests/reboot-computer.ts'
import { createGroup } from '../../../src/features/groups/api/create-group.ts'
import { generatePackageHash } from '../../../src/features/packages/api/generate-package-hash.ts'
import { runAttempt } from '../../../src/jobs/run-attempt.ts'
import { openLogger } from '../../../src/platform/open-logger.ts'
import { openAgentWorld } from '../../channels/agent/agent-world.ts'
import { eventsOf } from '../../events/read-log.ts'

const lines: Record<string, unknown>[] = []
const logger = openLogger('info', { write: (line) => void lines.push(JSON.parse(line)) })
const world = await openAgentWorld({}, { observers: { logger } })
const { agent, app, as, db, given, readyPackage } = world

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
const editor = as('admin.manage', 'package.write', 'group.write', 'reboot.execute')

const linesAbout = (operation: string) => lines.filter((line) => line.operation === operation)
const { id: parentId } = await given.group()
const group = (name: string) => ({ body: { name, type: 'ConfigurationGroups' as const, parentId, description: '' } })
/** Creates the group, and returns the event that this has left. */
const eventOf = async (input: ReturnType<typeof group> & { headers?: Record<string, string> }) => {
  const events = await eventsOf(world, () => editor.call(createGroup, input))
  return events.find(({ type }) => type === 'muster.group.created')
}
const lastEntry = async () => (await as('admin.manage').call(listAuditEntries, { query: { top: 1 } })).body.items[0]

test('a trace that the caller has sent is in the log, the audit trail and the events of the change', async () => {
  const event = await eventOf({ ...group('traced'), headers: { traceparent } })

  const requestId = linesAbout('createGroup').at(-1)?.reqId as string
  expect(linesAbout('createGroup').at(-1)).toMatchObject({ traceId, status: 201 })
  expect(await lastEntry()).toMatchObject({ operation: 'createGroup', requestId, request: { traceId } })
  // The parent of what follows is the request itself, whose span is the end of its id.
  expect(event?.traceparent).toBe(`00-${traceId}-${requestId.replaceAll('-', '').slice(16)}-01`)
})

test('a request without a trace begins one, whose id is that of the request', async () => {
  const event = await eventOf(group('untraced'))

  const { reqId, traceId: begun } = linesAbout('createGroup').at(-1) as { reqId: string; traceId: string }
  expect(begun).toBe(reqId.replaceAll('-', ''))
  expect((await lastEntry())?.request).not.toHaveProperty('traceId')
  expect(event?.traceparent).toBe(`00-${begun}-${begun.slice(16)}-00`)
})

test.each([
  ['hostile', "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'; drop table events; --"],
  ['without an id', '00-00000000000000000000000000000000-00f067aa0ba902b7-01'],
])('a header that is %s begins a new trace, and is stored nowhere', async (what, header) => {
  const event = await eventOf({ ...group(what), headers: { traceparent: header } })

  const { reqId, traceId: begun } = linesAbout('createGroup').at(-1) as { reqId: string; traceId: string }
  expect(begun).toBe(reqId.replaceAll('-', ''))
  expect(event?.traceparent).toContain(begun)
  expect(JSON.stringify([lines, event, await lastEntry()])).not.toContain('drop table')
})

test('work carries the trace of the request that has led to it, and what its agent reports about it is logged with the trace', async () => {
  const computer = await agent()
  await given.member({ id: parentId }, computer)
  await editor.call(rebootComputer, { params: { id: computer.id }, headers: { traceparent } })

  const { work } = (await computer.contact()).body
  const leased = work[0]?.traceparent ?? ''
  await computer.itself.send({
    method: 'POST',
    url: `/agent/v1/work/${work[0]?.workId}/start`,
    payload: { attempt: 1, runId: computer.runId },
    headers: { traceparent: leased },
  })

  expect(leased).toMatch(`00-${traceId}-`)
  expect(linesAbout('startWork').at(-1)).toMatchObject({ traceId, status: 200 })
})

test('a background job continues the trace of its request: in its log, and in what it changes', async () => {
  const { id } = await readyPackage()
  const { body } = await editor.call(generatePackageHash, { params: { id }, headers: { traceparent } })

  const fault = new Error('a fault')
  const context = { db, configuration: app.services.configuration, logger }
  const failing = runAttempt(context, () => Promise.reject(fault), body.trackingId, new AbortController().signal)

  await expect(failing).rejects.toBe(fault)
  expect(lines.at(-1)).toMatchObject({ job: body.trackingId, traceId })
})
