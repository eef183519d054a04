import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { listAuditFaults } from '../../src/features/audit/verify-audit-trail.ts'
import { getLocalPrincipal } from '../../src/features/principals/api/get-local-principal.ts'
import { requestToken } from '../../src/features/principals/api/token/request-token.ts'
import { databaseEnvironment, type Environment, start, waitForSuccess } from '../database/backup/commands.ts'
import { temporaryFolder } from '../database/embedded-postgres/muster.ts'
import { openWorld } from '../world/open-world.ts'
import { accessToken, administrator, installedFolder, startServiceProcess } from '../world/service-process.ts'

const startAdmin = (args: string[], environment: Environment) => start('cli/admin', args, environment)

async function reset(environment: Environment, ...args: string[]) {
  const output = await waitForSuccess(startAdmin(['reset', ...args], environment))
  const [, clientId = '', clientSecret = ''] = /client ID +(\S+)\nclient secret +(\S+)\n/.exec(output) ?? []
  return { clientId, clientSecret }
}

test('an administrator who was revoked, expired and deprived of the role gets in again with the new secret only', async () => {
  const { as, database, db, given, withToken } = await openWorld()
  const lost = await given.localPrincipal({ roles: ['pm.read'], expiresAt: new Date('2001-01-01') })
  await db.updateTable('local_principals').set({ is_revoked: true }).where('principal_id', '=', lost.id).execute()

  const { clientId, clientSecret } = await reset(databaseEnvironment(database), '--client-id', lost.clientId)

  const ask = (client_secret: string) =>
    withToken(undefined).call(requestToken, {
      body: { grant_type: 'client_credentials', client_id: lost.clientId, client_secret },
    })
  const token = await ask(clientSecret)
  const read = await withToken(token.body.access_token).call(getLocalPrincipal, { params: { id: lost.id } })
  expect(clientId).toBe(lost.clientId)
  expect(read.body).toMatchObject({ isRevoked: false, expiresAtUtc: null, roles: ['admin.manage', 'pm.read'] })
  expect((await ask(lost.secret)).status).toBe(401)
  const audited = await as('admin.manage').call(listAuditEntries, { query: { operation: 'resetAdministrator' } })
  expect(audited.body.items).toMatchObject([
    {
      principalId: lost.id,
      principalName: clientId,
      target: `/api/admin/local-principals/${lost.id}`,
      request: { body: { operator: expect.stringMatching(/\S/), isNew: false } },
    },
  ])
  expect(JSON.stringify(audited.raw)).not.toContain(clientSecret)
  expect(await listAuditFaults(db)).toEqual([])
})

test('the first administrator is reset on the embedded database, before the service starts and while it runs', {
  timeout: 90_000,
}, async () => {
  const environment = { MUSTER_DATA_DIR: await installedFolder() }

  const stopped = await reset(environment)
  const service = await startServiceProcess({ dataDirectory: environment.MUSTER_DATA_DIR })
  const running = await reset(environment)
  const created = await reset(environment, '--client-id', 'emergency-administrator')

  expect([stopped.clientId, running.clientId]).toEqual([administrator.clientId, administrator.clientId])
  expect(created.clientId).toBe('emergency-administrator')
  expect(await accessToken(service, running)).toEqual(expect.any(String))
  expect(await accessToken(service, created)).toEqual(expect.any(String))
  expect([await accessToken(service, stopped), await accessToken(service)]).toEqual([undefined, undefined])
})

test('the command explains itself, and refuses wrong arguments and a folder without a database', async () => {
  const nowhere = { MUSTER_DATA_DIR: join(await temporaryFolder(), 'typo') }

  const [help, wrong, missing, control] = await Promise.all([
    startAdmin(['--help'], nowhere).ended,
    startAdmin(['delete'], nowhere).ended,
    startAdmin(['reset'], nowhere).ended,
    startAdmin(['reset', '--client-id', 'a b'], nowhere).ended,
  ])

  expect(help).toMatchObject({ code: 0, output: expect.stringContaining('npm run admin -- reset') })
  expect(wrong).toMatchObject({ code: 2, output: expect.stringContaining('Unknown arguments.') })
  expect(missing).toMatchObject({ code: 1, output: expect.stringContaining('There is no database in') })
  expect(control).toMatchObject({ code: 1, output: expect.stringContaining('--client-id must have') })
})
