import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { setBlastRadius } from '../../src/features/blast-radius/api/set-blast-radius.ts'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { expireSecrets } from '../../src/features/principals/principal-secrets.ts'
import { deletePrincipalOfKind } from '../../src/features/principals/read-principals.ts'
import { insertSignInLink } from '../../src/features/principals/sign-in-links.ts'
import { createReport } from '../../src/features/reports/api/create-report.ts'
import { createWebhook } from '../../src/features/webhooks/api/create-webhook.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import type { Role } from '../../src/platform/roles.ts'
import { browser } from '../web/browser.ts'
import { openTransaction } from '../world/open-transaction.ts'
import { openWorld } from '../world/open-world.ts'

const { app, as, db, given, withToken } = await openWorld({ configuration: { signInRateLimit: 0 } })
await as('admin.manage').call(setBlastRadius, { body: { apiQuota: 0, consoleQuota: 0 } })

async function opener() {
  const roles: Role[] = ['admin.manage', 'computer.read', 'computer.write']
  const principal = await given.localPrincipal({ roles })
  return { ...principal, ...withToken(await app.services.tokens.issue(principal.id)) }
}

type Opener = Awaited<ReturnType<typeof opener>>

const local = { host: '127.0.0.1:5057', origin: 'http://127.0.0.1:5057' }
const post = (url: string, payload: object) =>
  browser(app).send({ method: 'POST', url, headers: local, payload } as const)

const signIn = ({ clientId, secret }: Opener) => post('/admin/session', { clientId, clientSecret: secret })

/** What a principal opens and a revocation ends: how to open it, and how many of them are left. */
const openable: Record<
  string,
  {
    prepare?: (by: Opener) => Promise<string>
    open: (by: Opener, prepared: string) => unknown
    left: RawBuilder<unknown>
  }
> = {
  'A session by secret': { open: signIn, left: sql`sessions where principal_id =` },
  'A session by link': {
    prepare: ({ id }) => insertSignInLink(db, app.services.keys, id),
    open: (_, token) => post('/admin/session/link', { token }),
    left: sql`sessions where principal_id =`,
  },
  'A sign-in link': {
    open: ({ id }) => insertSignInLink(db, app.services.keys, id),
    left: sql`sign_in_links where principal_id =`,
  },
  'A request that waits for approval': {
    prepare: async () => String((await given.computer()).id),
    open: ({ call }, id) => call(deleteComputer, { params: { id: Number(id) } }),
    left: sql`approvals where state = 'Pending' and requester_id =`,
  },
  'A webhook': {
    open: ({ call }) =>
      call(createWebhook, {
        body: { name: randomBytes(4).toString('hex'), url: 'https://example.org/hook', types: [] },
      }),
    left: sql`webhooks where not is_paused and principal_id =`,
  },
  'A report': {
    open: ({ call }) =>
      call(createReport, { body: { name: randomBytes(4).toString('hex'), kind: 'Software', format: 'Csv' } }),
    left: sql`reports where not is_paused and principal_id =`,
  },
  'A job': {
    open: ({ id }) =>
      db.transaction().execute((tx) =>
        enqueue(tx, {
          queue: 'package-hash',
          subject: 'test',
          input: {},
          startedBy: { principalId: id, role: 'package.write' },
        }),
      ),
    left: sql`background_jobs where principal_id =`,
  },
}

async function countLeft(left: RawBuilder<unknown>, { id }: Opener): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from ${left} ${id}`.execute(db)
  return rows[0]?.count ?? -1
}

/** Opens something while a change of the principal is not committed yet, and counts what is left of it afterwards. */
async function openDuring(name: string, change: (tx: Database, by: Opener) => Promise<unknown>): Promise<number> {
  const { prepare, open, left } = openable[name] ?? expect.unreachable()
  const by = await opener()
  const prepared = (await prepare?.(by)) ?? ''
  const blocker = await openTransaction(db, async (tx) => void (await change(tx, by)))
  // What does not wait is done before the change is committed.
  const opened = Promise.resolve(open(by, prepared)).catch(() => undefined)
  await Promise.race([opened, blocker.untilAwaited()])
  await blocker.release()
  await opened
  return countLeft(left, by)
}

test.each(Object.keys(openable))('%s can be opened by an active principal', async (name) => {
  const { prepare, open, left } = openable[name] ?? expect.unreachable()
  const by = await opener()
  await open(by, (await prepare?.(by)) ?? '')

  expect(await countLeft(left, by)).toBe(1)
})

test.each(Object.keys(openable))('%s that is opened during a revocation does not survive it', async (name) => {
  const left = await openDuring(name, (tx, { id }) =>
    sql`update local_principals set is_revoked = true where principal_id = ${id}`.execute(tx),
  )

  expect(left).toBe(0)
})

test.each(Object.keys(openable))('%s that is opened during a deletion does not survive it', async (name) => {
  const left = await openDuring(name, (tx, { id }) => deletePrincipalOfKind(tx, id, ['local'], true))

  expect(left).toBe(0)
})

test('A session that is opened with a secret while that is replaced does not survive it', async () => {
  const left = await openDuring('A session by secret', async (tx, { id }) => {
    await sql`select from local_principals where principal_id = ${id} for update`.execute(tx)
    await expireSecrets(tx, id, 0)
  })

  expect(left).toBe(0)
})

/** Tables with rows of principals that a revocation leaves as they are. */
const outlives: Record<string, string> = {
  local_principals: 'the principal itself',
  identity_principals: 'the principal itself',
  principal_roles: 'the roles of the principal, which come back with it',
  principal_secrets: 'how the principal proves itself; administrators create them',
  principal_uses: 'when the principal was seen',
  idempotent_requests: 'answers that only the principal can get again',
  destructive_actions: 'how much of its quota the principal has used',
}

test('every table with something of a principal is locked against its revocation, or has nothing that must end', async () => {
  const { rows } = await sql<{ name: string; isGuarded: boolean }>`
    select distinct owned.relname as name, exists (
      select from pg_trigger join pg_proc on pg_proc.oid = tgfoid
      where tgrelid = owned.oid and proname = 'require_active_principal') as "isGuarded"
    from pg_constraint join pg_class owned on owned.oid = conrelid
    where contype = 'f' and confrelid = 'principals'::regclass and confdeltype = 'c' order by 1`.execute(db)

  expect(rows.filter(({ isGuarded }) => isGuarded).map(({ name }) => name)).toEqual([
    'approvals',
    'package_uploads',
    'reports',
    'sessions',
    'sign_in_links',
    'webhooks',
  ])
  expect(rows.filter(({ name, isGuarded }) => !isGuarded && !(name in outlives))).toEqual([])
})
