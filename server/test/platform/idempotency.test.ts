import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createLocalPrincipal } from '../../src/features/principals/api/create-local-principal.ts'
import { listLocalPrincipals } from '../../src/features/principals/api/list-local-principals.ts'
import { idempotencyKey } from '../../src/platform/pipeline/idempotency.ts'
import { openWorld } from '../world/open-world.ts'

const { app, as, db, given, withToken } = await openWorld()
const admin = as('admin.manage')
const body = { description: 'once', roles: [], expiresAtUtc: null }
const create = (key: string, client = admin, sent: typeof body = body) =>
  client.call(createLocalPrincipal, { body: sent, headers: { 'idempotency-key': key } })
const principals = async () => (await admin.call(listLocalPrincipals)).body.length

describe('a second POST with the same Idempotency-Key', () => {
  test('a second POST with the same Idempotency-Key gets the first answer and changes nothing', async () => {
    const first = await create('same')
    const before = await principals()

    const second = await create('same')

    expect(second.body).toEqual(first.body)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(first.headers).not.toHaveProperty('idempotency-replayed')
    expect(await principals()).toBe(before)
  })

  test('a different request with the same Idempotency-Key is refused', async () => {
    await create('reused')

    const refused = await create('reused', admin, { ...body, description: 'other' })

    expect(refused).toMatchObject({ status: 422, problem: 'IdempotencyKeyReused' })
  })

  test('of twenty concurrent POSTs with the same Idempotency-Key, one is carried out', async () => {
    const before = await principals()

    const results = await Promise.all(Array.from({ length: 20 }, () => create('parallel')))

    expect(new Set(results.map(({ body: { id } }) => id)).size).toBe(1)
    expect(await principals()).toBe(before + 1)
  })

  test('the same Idempotency-Key of another principal is independent', async () => {
    const { id } = await given.localPrincipal({ roles: ['admin.manage'] })
    const colleague = withToken(await app.services.tokens.issue(id))

    const [one, two] = [await create('shared'), await create('shared', colleague)]

    expect(one.body.id).not.toBe(two.body.id)
  })

  test('a POST with the same Idempotency-Key is carried out again after a day', async () => {
    const first = await create('yesterday')
    await sql`update idempotency_keys set created_at = now() - interval '25 hours'`.execute(db)

    const second = await create('yesterday')

    expect(second.body.id).not.toBe(first.body.id)
  })

  test('a POST with the same Idempotency-Key is carried out after a failed attempt', async () => {
    const url = '/api/admin/local-principals'
    const headers = { 'idempotency-key': 'retry' }
    const failed = await admin.send({ method: 'POST', url, headers, payload: { ...body, roles: ['nonsense'] } })

    const retried = await create('retry')

    expect([failed.status, retried.status]).toEqual([400, 200])
  })
})

test('a dry run neither claims an Idempotency-Key nor replays its answer', async () => {
  const dry = await admin.call(createLocalPrincipal, {
    body,
    query: { dryRun: true },
    headers: { 'idempotency-key': 'dry' },
  })

  const real = await create('dry')

  expect(dry.headers['muster-dry-run']).toBe('true')
  expect(real.headers).not.toHaveProperty('idempotency-replayed')
})

test('the stored answer cannot be decrypted with the database alone', async () => {
  const first = await create('sealed')

  const stored = await sql<{ text: string }>`
    select string_agg(encode(sealed_answer, 'escape') || encode(key_hash, 'escape'), '') as text from idempotency_keys`.execute(
    db,
  )

  expect(stored.rows[0]?.text).not.toContain(first.body.plaintextKey)
  expect(stored.rows[0]?.text).not.toContain('sealed')
})

test('idempotency keys older than a day are purged when another key is used', async () => {
  await create('old')
  await sql`update idempotency_keys set created_at = now() - interval '25 hours'`.execute(db)

  await create('new')

  const { rows } = await sql`select from idempotency_keys`.execute(db)
  expect(rows).toHaveLength(1)
})

test.each(['', 'ä', 'a'.repeat(256), 'with space'])(
  'an Idempotency-Key that is not printable ASCII of 1 to 255 characters is refused: %s',
  async (key) => {
    const refused = await create(key)

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'header', name: 'Idempotency-Key' }] } })
  },
)

test('a request that ran under a key that another request has claimed meanwhile does not replace the stored answer', async () => {
  const keyFor = (request: object) => idempotencyKey(app.services.keys, 'contested', 1, request)
  const [winner, loser] = [keyFor({ operation: 'one' }), keyFor({ operation: 'other' })]
  await winner.claim(db)
  await winner.storeAnswer(db, { status: 201, headers: {}, body: 'of the winner' })

  const isClaimed = await loser.claim(db)
  await loser.storeAnswer(db, { status: 200, headers: {}, body: 'of the loser' })

  expect(isClaimed).toBe(false)
  expect(await winner.findAnswer(db)).toMatchObject({ status: 201, body: 'of the winner' })
})
