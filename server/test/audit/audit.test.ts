import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { listAuditFaults, verifyAuditTrail } from '../../src/features/audit/verify-audit-trail.ts'
import { createLocalPrincipal } from '../../src/features/principals/api/create-local-principal.ts'
import { deleteLocalPrincipal } from '../../src/features/principals/api/delete-local-principal.ts'
import { setLocalPrincipalRevoked } from '../../src/features/principals/api/set-local-principal-revoked.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, given } = await openWorld()
const admin = as('admin.manage')
const body = { description: null, roles: ['pm.read' as const], expiresAtUtc: null }

describe('reading the audit trail', () => {
  test('the audit trail shows who changed what, newest first, with the request and its status', async () => {
    const created = await admin.call(createLocalPrincipal, { body, headers: { 'x-request-id': 'create-1' } })
    await admin.call(setLocalPrincipalRevoked, { params: { id: created.body.id }, body: { isRevoked: true } })

    const { items } = (await admin.call(listAuditEntries, { query: { top: 2 } })).body

    const target = `/api/admin/local-principals/${created.body.id}`
    expect(items).toMatchObject([
      { operation: 'setLocalPrincipalRevoked', target, request: { body: { isRevoked: true } }, status: 200 },
      {
        operation: 'createLocalPrincipal',
        target,
        request: { body, callerRequestId: 'create-1' },
        status: 200,
        requestId: created.headers['x-request-id'],
      },
    ])
    expect(Math.abs(Date.now() - Date.parse(items[0]?.occurredAtUtc ?? ''))).toBeLessThan(10_000)
  })

  test('the request id of a caller is shortened and cleaned, and cannot imitate that of another request', async () => {
    const first = await admin.call(createLocalPrincipal, { body })
    const imitated = first.headers['x-request-id'] ?? ''
    await admin.call(createLocalPrincipal, { body, headers: { 'x-request-id': imitated } })
    await admin.call(createLocalPrincipal, { body, headers: { 'x-request-id': `a "b"<c>${'x'.repeat(500)}` } })

    const { items } = (await admin.call(listAuditEntries, { query: { top: 3 } })).body

    expect(items.filter(({ requestId }) => requestId === imitated)).toHaveLength(1)
    expect(items.map(({ request }) => (request as { callerRequestId?: string }).callerRequestId)).toEqual([
      `a__b__c_${'x'.repeat(120)}`,
      imitated,
      undefined,
    ])
  })

  test('the audit trail contains no secret', async () => {
    const created = await admin.call(createLocalPrincipal, { body })

    const everything = await sql<{
      text: string
    }>`select coalesce(string_agg(e::text, ''), '') as text from audit_entries e`.execute(db)

    expect(everything.rows[0]?.text).not.toContain(created.body.plaintextKey)
  })

  test('the audit trail is filtered by principal, operation, target with resources below it, and time at once', async () => {
    const one = await given.localPrincipal()
    const ten = { id: one.id * 10 }
    await admin.call(setLocalPrincipalRevoked, { params: { id: one.id }, body: { isRevoked: true } })
    await admin.call(deleteLocalPrincipal, { params: { id: one.id } })
    await admin.call(deleteLocalPrincipal, { params: ten })
    const [newest] = (await admin.call(listAuditEntries, { query: { top: 1 } })).body.items
    const count = async (query: object) => (await admin.call(listAuditEntries, { query })).body.totalCount
    const target = `/api/admin/local-principals/${one.id}`

    expect(await count({ target })).toBe(2)
    expect(await count({ target, operation: 'deleteLocalPrincipal' })).toBe(1)
    expect(await count({ target: '/api/admin/local-principals' })).toBeGreaterThanOrEqual(2)
    expect(await count({ target: '/api/admin/local_principals' })).toBe(0)
    expect(await count({ principalId: newest?.principalId ?? 0, target })).toBe(2)
    expect(await count({ principalId: 2_000_000_000 })).toBe(0)
    expect(await count({ target, after: newest?.occurredAtUtc ?? '' })).toBeGreaterThanOrEqual(1)
    expect(await count({ before: '2001-01-01T00:00:00Z' })).toBe(0)
  })
})

test('a refused change leaves no entry', async () => {
  const before = (await admin.call(listAuditEntries)).body.totalCount

  await admin.call(deleteLocalPrincipal, { params: { id: 999_999 } })

  expect((await admin.call(listAuditEntries)).body.totalCount).toBe(before)
})

test('forty concurrent changes produce chains that verify', async () => {
  await Promise.all(Array.from({ length: 40 }, () => admin.call(createLocalPrincipal, { body })))

  const { entries, faults } = await verifyAuditTrail(db)

  expect(faults).toEqual([])
  expect(entries).toBeGreaterThanOrEqual(40)
})

describe('tampering', () => {
  test.each(['update audit_entries set status = 500', 'delete from audit_entries', 'truncate audit_entries'])(
    'the audit trail refuses the statement: %s',
    async (statement) => {
      await expect(sql.raw(statement).execute(db)).rejects.toThrow('append-only')
    },
  )

  describe('by a superuser', () => {
    beforeEach(async () => {
      for (let entry = 0; entry < 3; entry++) await admin.call(createLocalPrincipal, { body })
    })

    const last = sql`(select id from audit_entries order by id desc limit 1)`
    const beforeLast = sql`(select id from audit_entries where chain = 0 order by position desc offset 1 limit 1)`

    test.each([
      ['changed an entry', sql`update audit_entries set principal_name = 'somebody else' where id = ${beforeLast}`],
      ['deleted an entry', sql`delete from audit_entries where id = ${beforeLast}`],
      ['deleted the last entry', sql`delete from audit_entries where id = ${last}`],
      [
        'changed an entry and its hash',
        sql`update audit_entries e set hash = audit_entry_hash(e), previous_hash = '\\x00' where id = ${beforeLast}`,
      ],
    ])('the verification finds a superuser who %s', async (_, tampering) => {
      const faults = await db
        .transaction()
        .execute(async (tx) => {
          await sql`alter table audit_entries disable trigger all`.execute(tx)
          await tampering.execute(tx)
          throw Object.assign(new Error(), { found: await listAuditFaults(tx) })
        })
        .catch((error: { found?: unknown }) => error.found)

      expect(faults).not.toHaveLength(0)
    })
  })
})
