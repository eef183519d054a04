import { expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { operations } from '../../src/features/index.ts'
import { createLocalPrincipal } from '../../src/features/principals/api/create-local-principal.ts'
import { createLocalPrincipalSecret } from '../../src/features/principals/api/create-local-principal-secret.ts'
import { getLocalPrincipal } from '../../src/features/principals/api/get-local-principal.ts'
import { listLocalPrincipalSecrets } from '../../src/features/principals/api/list-local-principal-secrets.ts'
import { setLocalPrincipalRevoked } from '../../src/features/principals/api/set-local-principal-revoked.ts'
import { updateLocalPrincipal } from '../../src/features/principals/api/update-local-principal.ts'
import { getMetrics } from '../../src/features/service/api/get-metrics.ts'
import type { Role } from '../../src/platform/roles.ts'
import { addressOf } from '../world/caller.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, withToken } = await openWorld()
const admin = as('admin.manage')

async function createReader(...roles: Role[]) {
  const body = { description: 'Prometheus', roles, expiresAtUtc: null }
  return (await admin.call(createLocalPrincipal, { body })).body
}

const scrape = (token: string | undefined) => withToken(token).call(getMetrics)

test('a principal that may only read metrics gets a metrics token, which reads them and shows when it was last used', async () => {
  const { id, metricsToken } = await createReader('metrics.read')

  const metrics = await scrape(metricsToken)

  expect(metrics.body).toContain('muster_http_request_duration_seconds')
  const secrets = await admin.call(listLocalPrincipalSecrets, { params: { id } })
  expect(secrets.body).toMatchObject([{ lastUsedUtc: expect.any(String) }])
})

test('a metrics token opens nothing but the metrics', async () => {
  const { metricsToken } = await createReader('metrics.read')
  const reader = withToken(metricsToken)
  const others = operations.filter(({ id, role }) => id !== 'getMetrics' && role !== 'no token')

  const answers = await Promise.all(
    others.map((operation) => reader.send({ method: operation.method, url: addressOf(operation, { id: 1 }) })),
  )

  expect(answers.filter(({ status }) => status !== 401)).toEqual([])
})

test.for<Role[]>([['metrics.read', 'audit.read'], ['computer.read'], ['admin.manage'], []])(
  'a principal with the roles %o gets no metrics token, so none of them lies in a file',
  async (roles) => {
    expect(await createReader(...roles)).not.toHaveProperty('metricsToken')
  },
)

test('a metrics token is refused once its principal has another role, is revoked or has another secret, and works again with its role alone', async () => {
  const { id, clientId, metricsToken } = await createReader('metrics.read')
  const setRoles = (...roles: Role[]) =>
    admin.call(updateLocalPrincipal, { params: { id }, body: { description: 'Prometheus', roles, expiresAtUtc: null } })
  const setRevoked = (isRevoked: boolean) =>
    admin.call(setLocalPrincipalRevoked, { params: { id }, body: { isRevoked } })
  const statuses: number[] = []
  const note = async () => statuses.push((await scrape(metricsToken)).status)

  await setRoles('metrics.read', 'admin.manage')
  await note()
  await setRoles('metrics.read')
  await note()
  await setRevoked(true)
  await note()
  await setRevoked(false)
  await note()
  const renewed = await admin.call(createLocalPrincipalSecret, { params: { id }, body: { previousValidHours: 0 } })
  await note()

  expect(statuses).toEqual([401, 200, 401, 200, 401])
  expect(renewed.body.metricsToken).toContain(clientId)
  expect((await scrape(renewed.body.metricsToken)).status).toBe(200)
})

test('a wrong, cut or foreign metrics token is refused', async () => {
  const { metricsToken = '' } = await createReader('metrics.read')
  const other = await createReader('metrics.read')
  const secret = metricsToken.split('.').at(-1)
  const wrong = [
    metricsToken.slice(0, -1),
    `${metricsToken}.x`,
    `muster-metrics.${other.clientId}.${secret}`,
    `muster-metrics.${other.clientId}.`,
    `muster-metrics..${secret}`,
    metricsToken.replace('muster-metrics', 'muster'),
  ]

  const answers = await Promise.all(wrong.map(scrape))

  expect(answers.map(({ status }) => status)).toEqual(wrong.map(() => 401))
})

test('a metrics token is not stored, and cannot be read again', async () => {
  const { id, metricsToken = '' } = await createReader('metrics.read')

  const read = await admin.call(getLocalPrincipal, { params: { id } })
  const stored = await db.selectFrom('principal_secrets').selectAll().where('principal_id', '=', id).execute()

  const secret = metricsToken.split('.').at(-1) ?? ''
  expect(read.body).not.toHaveProperty('metricsToken')
  expect(JSON.stringify(stored)).not.toContain(secret)
  expect(stored[0]?.secret_hash.toString('latin1')).not.toContain(secret)
})

test('readers of the audit trail see names only of what their other roles may read, and no metrics', async () => {
  const reader = as('audit.read')
  await createReader('metrics.read')

  const audit = await reader.call(listAuditEntries)
  const metrics = await reader.call(getMetrics)

  expect(audit.body.items[0]).toMatchObject({ operation: 'createLocalPrincipal' })
  expect(metrics).toMatchObject({ status: 403, problem: 'Forbidden' })
})
