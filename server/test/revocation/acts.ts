import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { jobHandlers } from '../../src/background.ts'
import { enrolAgent } from '../../src/channels/agent/enrol-agent.ts'
import { approveRequest } from '../../src/features/blast-radius/api/approve-request.ts'
import { setBlastRadius } from '../../src/features/blast-radius/api/set-blast-radius.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { createEnrolmentToken } from '../../src/features/enrolment/api/create-enrolment-token.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { getGroup } from '../../src/features/groups/api/get-group.ts'
import { getPackageImport } from '../../src/features/packages/api/get-package-import.ts'
import { importPackage } from '../../src/features/packages/api/import-package.ts'
import { createTag } from '../../src/features/tags/api/create-tag.ts'
import { createWebhook } from '../../src/features/webhooks/api/create-webhook.ts'
import { runAttempt } from '../../src/jobs/run-attempt.ts'
import { enrolment } from '../channels/agent/agent-world.ts'
import { until } from '../database/embedded-postgres/muster.ts'
import { sequenceAll } from '../events/read-log.ts'
import { deliverWebhooks } from '../webhooks/deliver-webhooks.ts'
import type { SlowReceiver } from '../webhooks/slow-receiver.ts'
import { skipTime } from '../world/skip-time.ts'
import { bearer, type Opened, type Opener, type RevocationWorld } from './revocation-world.ts'

/** What a principal has asked for and what happens later. */
export function acts(world: RevocationWorld, receiver: SlowReceiver, giveFolder: (path: string) => Promise<void>) {
  const { administrator, app, as, connect, db, given, newOpener, openedBy, withToken } = world
  const unique = () => randomBytes(4).toString('hex')

  async function openWebhook(owner: Opener): Promise<Opened['continues']> {
    await sequenceAll(db)
    const path = `/${unique()}`
    await owner.call(createWebhook, {
      body: { name: path, url: `${receiver.address}${path}`, types: ['muster.computer.created'] },
    })
    const [first, second] = [`PC-${unique()}`, `PC-${unique()}`]
    await given.computer({ name: first })
    await given.computer({ name: second })
    await sequenceAll(db)
    const parts = { db, keys: app.services.keys, settings: app.services.configuration }
    const delivery = deliverWebhooks(parts)
    // The receiver has the first event and does not answer yet.
    await until(() => (receiver.has(path, first) ? true : undefined))
    return async () => {
      await receiver.answerUntil(delivery)
      return receiver.has(path, second)
    }
  }

  /** Waits until the service has checked the caller of a request whose body is not complete. */
  const isAuthenticated = ({ id }: Opener) =>
    until(() =>
      db.selectFrom('principal_uses').select('principal_id').where('principal_id', '=', id).executeTakeFirst(),
    )

  /** A deletion of a group that waits for approval. */
  async function requestDeletion(requester: Opener) {
    const group = await given.group()
    for (let count = 0; count < 2; count++) await given.member(group, await given.computer())
    await administrator.call(setBlastRadius, { body: { apiQuota: 1, consoleQuota: 500 } })
    const refused = await requester.call(deleteGroup, { params: { id: group.id }, query: { force: true } })
    await administrator.call(setBlastRadius, { body: { apiQuota: null, consoleQuota: 500 } })
    const { approvalId } = refused.raw as { approvalId: string }
    const isDeleted = async () => (await as('group.read').call(getGroup, { params: { id: group.id } })).status === 404
    return { approvalId, isDeleted }
  }

  return {
    webhook: () => openedBy({ roles: ['admin.manage', 'computer.read'], lost: 'computer.read' }, openWebhook),

    waitingRequest: () =>
      openedBy({ roles: ['package.write'], lost: 'package.write' }, async (caller) => {
        const body = JSON.stringify({ designation: `tag ${unique()}` })
        const headers = { ...bearer(caller), 'content-type': 'application/json', 'content-length': body.length }
        const { sent, response } = connect({ method: 'POST', path: createTag.path, headers })
        sent.write(body.slice(0, 3))
        const answer = response()
        await isAuthenticated(caller)
        return async () => {
          skipTime(2_100)
          sent.end(body.slice(3))
          return ((await answer).statusCode ?? 0) < 300
        }
      }),

    waitingApproval: () =>
      openedBy({ roles: ['group.write'], lost: 'group.write' }, async (requester) => {
        const { approvalId: id, isDeleted } = await requestDeletion(requester)
        return async () => {
          await administrator.call(approveRequest, { params: { id } })
          return isDeleted()
        }
      }),

    approver: () =>
      openedBy({ roles: ['admin.manage'], lost: 'admin.manage' }, async (approver) => {
        const { approvalId: id, isDeleted } = await requestDeletion(await newOpener({ roles: ['group.write'] }))
        return async () => {
          await approver.call(approveRequest, { params: { id } })
          return isDeleted()
        }
      }),

    job: () =>
      openedBy({ roles: ['package.write'], lost: 'package.write' }, async (importer) => {
        const folderPath = `imported-${unique()}`
        await giveFolder(folderPath)
        const { trackingId } = (await importer.call(importPackage, { body: { folderPath } })).body
        const context = { db, configuration: app.services.configuration, logger: pino({ level: 'silent' }) }
        const handle = jobHandlers['package-import'] ?? (() => Promise.reject(new Error('no handler')))
        return async () => {
          await runAttempt(context, handle, trackingId, new AbortController().signal)
          const { body } = await as('package.read').call(getPackageImport, { params: { trackingId } })
          return body.packageId !== null
        }
      }),

    task: () =>
      openedBy({ roles: ['activation.execute'], lost: 'activation.execute' }, async (operator) => {
        const computer = await world.agent()
        const group = await given.group()
        await given.member(group, computer)
        await given.assignment(group, await world.readyPackage(), 'package')
        await operator.call(activateComputer, { params: { id: computer.id }, body: { software: true } })
        return async () => (await computer.contact()).body.work.length > 0
      }),

    createdCredential: () =>
      openedBy({ roles: ['admin.manage', 'group.write'], lost: 'admin.manage' }, async (creator) => {
        const created = await creator.call(createEnrolmentToken, { body: { expiresAtUtc: '2099-01-01T00:00:00Z' } })
        const { token } = created.body
        return async () =>
          (await withToken(undefined).call(enrolAgent, { body: { ...enrolment(), token } })).status < 300
      }),
  } satisfies Record<string, () => Promise<Opened>>
}
