import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { generate } from 'selfsigned'
import { afterAll, expect, test } from 'vitest'
import { listDecisions } from '../../src/features/decisions/api/list-decisions.ts'
import { decisionKinds, storedDecisionKinds } from '../../src/features/decisions/decision-kinds.ts'
import { findExpiringCertificates } from '../../src/features/decisions/expiring-certificates.ts'
import { refreshFleetStatistics } from '../../src/features/issues/fleet-statistics.ts'
import { createRollout } from '../../src/features/rollouts/api/create-rollout.ts'
import { pauseRollout } from '../../src/features/rollouts/api/pause-rollout.ts'
import { openWorld } from '../world/open-world.ts'
import { countStatements } from '../world/statements.ts'
import { openTemporaryFolder } from '../world/temporary-folder.ts'

const { as, db, given } = await openWorld({ hasOwnDatabase: true })
const all = as('computer.read', 'group.read', 'package.read', 'admin.manage')

const group = await given.group({ name: 'Tills' })
const computers = await Promise.all(Array.from({ length: 4 }, () => given.computer()))
for (const computer of computers) await given.member(group, computer)

async function pausedRollout() {
  await given.assignment(group, await given.package(), 'package')
  const operator = as('activation.execute', 'computer.read')
  const { body } = await operator.call(createRollout, {
    body: { name: 'PDF viewer', groupId: group.id, rings: [{}] },
  })
  await operator.call(pauseRollout, { params: { id: body.rolloutId }, body: { reason: 'The vendor withdrew it' } })
  return body.rolloutId
}

/** The package fails on so many computers of the four, and works on the others. */
async function packageThatFails(name: string, failures: number) {
  const { id } = await given.package({ name })
  await sql`
    insert into deployments (computer_id, package_id, result)
    select computer_id, ${id}::uuid, case when place <= ${failures} then 'Failed' else 'Success' end
    from unnest(${computers.map((one) => one.id)}::integer[]) with ordinality as listed (computer_id, place)`.execute(
    db,
  )
  return id
}

async function depot(name: string, minutesAgo: number) {
  const { id } = await given.computer({ name, role: 'DepotServer' })
  await sql`
    insert into depots (computer_id, heartbeat_at) values (${id}, now() - make_interval(mins => ${minutesAgo}))`.execute(
    db,
  )
  return id
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

/** One of each kind waits, beside others that do not. */
async function givenDecisions() {
  await given.quarantinedAgent(computers[0] as { id: number })
  await sql`
    insert into approvals (requester_id, requester_name, operation, target, request, computer_count, request_hash, sealed_request,
      computer_ids, expires_at)
    select principal_id, 'Nightly job', 'deleteGroup', '/api/group/1', '{}', 3, asked.hash, '\\x00', '{1}', asked.until
    from (select min(principal_id) as principal_id from local_principals) as principal,
      (values ('\\x01'::bytea, now() + interval '1 hour'), ('\\x02', now() - interval '1 hour')) as asked (hash, until)`.execute(
    db,
  )
  await sql`
    insert into package_requests (computer_id, choice_id, wish, user_name)
    values (${computers[0]?.id}, gen_random_uuid(), 'A PDF editor', 'mia')`.execute(db)
  await sql`
    insert into group_rules (group_id, criteria, max_changes_per_hour, stopped_at, stopped_joining, stopped_leaving)
    values (${group.id}, '{}', 10, now(), 200, 0)`.execute(db)
  await given.localPrincipal({ description: 'Ends soon', expiresAt: inDays(3) })
  await given.localPrincipal({ description: 'Has ended', expiresAt: inDays(-2) })
  await given.localPrincipal({ description: 'Ends later', expiresAt: inDays(40) })
  await sql`
    insert into webhooks (name, url, principal_id, position, is_paused, pause_reason)
    select 'To the chat', 'https://chat.example/', min(principal_id), 0, true, 'The receiver answered 410.' from local_principals`.execute(
    db,
  )
  const ids = {
    rollout: await pausedRollout(),
    failing: await packageThatFails('Fails', 3),
    away: await depot('depot-away', 60),
  }
  await packageThatFails('Works nearly everywhere', 2)
  await depot('depot-here', 1)
  await refreshFleetStatistics(db)
  return ids
}

const ids = await givenDecisions()

test('what waits for a person is listed by its kind, with its name, and nothing that does not wait', async () => {
  const { body } = await all.call(listDecisions)

  const shown = body.decisions.map(({ kind, count, items }) => [kind, count, items.map(({ name }) => name).sort()])
  expect(shown).toEqual([
    ['PausedRollout', 1, ['PDF viewer']],
    ['QuarantinedAgent', 1, ['claim']],
    ['Approval', 1, ['deleteGroup']],
    ['PackageRequest', 1, ['A PDF editor']],
    ['StoppedRule', 1, ['Configuration/Tills']],
    ['FailingPackage', 1, [expect.stringMatching(/^Fails/)]],
    ['ExpiringSecret', 2, ['Ends soon', 'Has ended']],
    ['AwayDepot', 1, ['depot-away']],
    ['StoppedWebhook', 1, ['To the chat']],
  ])
  const itemOf = (kind: string) => body.decisions.find((one) => one.kind === kind)?.items[0]
  expect(itemOf('PausedRollout')).toMatchObject({ id: ids.rollout, detail: 'ByPrincipal' })
  expect(itemOf('FailingPackage')).toMatchObject({ id: ids.failing, detail: '3' })
  expect(itemOf('AwayDepot')).toMatchObject({ id: String(ids.away) })
})

test.each(storedDecisionKinds)('%s is shown with its role and no other', async (kind) => {
  const { role } = decisionKinds[kind]
  const others = (['computer.read', 'group.read', 'package.read', 'admin.manage'] as const).filter(
    (one) => one !== role,
  )
  const kindsFor = async (caller: typeof all) =>
    (await caller.call(listDecisions)).body.decisions.map((decision) => decision.kind)

  expect(await kindsFor(as(role))).toContain(kind)
  expect(await kindsFor(as(...others))).not.toContain(kind)
})

test('somebody without a role for the fleet has nothing to decide, and the list takes one statement', async () => {
  const { body } = await as('pm.read').call(listDecisions)
  await all.call(listDecisions)
  const statements = await countStatements(() => all.call(listDecisions))

  expect(body).toEqual({ decisions: [] })
  // One reads the roles of the caller.
  expect(statements).toBe(2)
})

test('of many that wait, the oldest three are named, and all are counted', async () => {
  for (const at of [1, 2, 3, 4]) await depot(`depot-${at}`, at * 100)

  const { body } = await all.call(listDecisions)

  const away = body.decisions.find(({ kind }) => kind === 'AwayDepot')
  expect(away?.count).toBe(5)
  expect(away?.items.map(({ name }) => name)).toEqual(['depot-4', 'depot-3', 'depot-2'])
})

test('a certificate of the service is a decision once its renewal is overdue, until the file has a new one', async () => {
  const folder = await openTemporaryFolder()
  afterAll(() => rm(folder, { recursive: true }))
  await mkdir(folder, { recursive: true })
  // As below systemd: only root can read the files, and leaves copies that are named after the settings.
  const tls = { certificateFile: '/of/root/cert.pem', keyFile: '/of/root/key.pem', port: 0, copies: folder }
  const write = async (days: number) => {
    const made = await generate([{ name: 'commonName', value: 'muster.example.org' }], { notAfterDate: inDays(days) })
    await writeFile(join(folder, 'MUSTER_TLS_CERT'), made.cert)
    await writeFile(join(folder, 'MUSTER_TLS_KEY'), made.private)
  }

  await write(5)
  const overdue = await findExpiringCertificates({ tls })
  await write(90)
  const renewed = await findExpiringCertificates({ tls })

  expect(overdue).toMatchObject([
    { kind: 'ExpiringCertificate', count: 1, items: [{ name: 'muster.example.org', atUtc: expect.any(Date) }] },
  ])
  expect(renewed).toEqual([])
  expect(await findExpiringCertificates({ tls: undefined })).toEqual([])
})
