import { expect, test } from 'vitest'
import { createEnrolmentToken } from '../../src/features/enrolment/api/create-enrolment-token.ts'
import { listEnrolmentTokens } from '../../src/features/enrolment/api/list-enrolment-tokens.ts'
import { revokeEnrolmentToken } from '../../src/features/enrolment/api/revoke-enrolment-token.ts'
import type { Role } from '../../src/platform/roles.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('admin.manage', 'group.write')
const expiresAtUtc = '2099-01-01T00:00:00.000Z'

test('an enrolment token is shown once, and only its hash is stored', async () => {
  const { id: groupId } = await given.group()
  const asked = { description: 'Tills', groupId, maxUses: 3, expiresAtUtc }

  const { status, body } = await writer.call(createEnrolmentToken, { body: asked })
  const listed = await writer.call(listEnrolmentTokens)

  const { token, commands, ownMachine, installs, ...rest } = body
  expect(status).toBe(201)
  expect(token).toMatch(/^enrol-[\w-]{43}$/)
  for (const command of [...Object.values(commands ?? {}), ownMachine?.enrol]) expect(command).toContain(token)
  expect(ownMachine?.run).not.toContain(token)
  expect(rest).toMatchObject({ ...asked, uses: 0, revokedAtUtc: null })
  expect(installs).toEqual({ linux: false, windows: false })
  // Callers who may not read groups get only their ids.
  expect(listed.body.items).toEqual([{ ...rest, groupPath: null }])
  const dump = await db.selectFrom('enrolment_tokens').selectAll().execute()
  expect(JSON.stringify(dump)).not.toContain(token)
})

test('a revoked enrolment token stays in the list with the time of its first revocation', async () => {
  const { id } = (await writer.call(createEnrolmentToken, { body: { expiresAtUtc } })).body
  const revoke = () => writer.call(revokeEnrolmentToken, { params: { id } })
  const revokedAt = async () =>
    (await writer.call(listEnrolmentTokens)).body.items.find((one) => one.id === id)?.revokedAtUtc

  expect((await revoke()).status).toBe(204)
  const first = await revokedAt()
  expect((await revoke()).status).toBe(204)

  expect(first).toEqual(expect.any(String))
  expect(await revokedAt()).toBe(first)
})

test('an enrolment token needs a group that can contain computers and an expiry in the future', async () => {
  const special = await given.group({ kind: 'EOL' })
  const users = await given.root('UserGroups')
  const before = await fingerprints(db)
  const create = (body: object) => writer.call(createEnrolmentToken, { body: { expiresAtUtc, ...body } })

  expect(await create({ groupId: special.id })).toMatchObject({ status: 409, problem: 'SpecialGroup' })
  expect(await create({ groupId: users.id })).toMatchObject({ status: 409, problem: 'NotEditableTree' })
  expect(await create({ groupId: '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11' })).toMatchObject({
    status: 404,
    problem: 'GroupNotFound',
  })
  expect(await create({ expiresAtUtc: '2020-01-01T00:00:00Z' })).toMatchObject({ status: 400 })
  const unknown = await writer.call(revokeEnrolmentToken, { params: { id: 2_000_000 } })
  expect(unknown).toMatchObject({ status: 404, problem: 'EnrolmentTokenNotFound' })
  expect(await fingerprints(db)).toEqual(before)
})

test('a token that names a group requires the role group.write besides admin.manage', async () => {
  const { id: groupId } = await given.group()
  const create = (roles: Role[], body: object) =>
    as(...roles).call(createEnrolmentToken, { body: { expiresAtUtc, ...body } })
  const tokens = async () => (await writer.call(listEnrolmentTokens)).body.totalCount
  const before = await tokens()

  expect(await create(['admin.manage'], { groupId })).toMatchObject({ status: 403, problem: 'Forbidden' })
  expect(await create(['computer.write', 'group.write'], { groupId })).toMatchObject({ status: 403 })
  expect(await tokens()).toBe(before)
  expect((await create(['admin.manage', 'group.write'], { groupId })).status).toBe(201)
  expect((await create(['admin.manage'], {})).status).toBe(201)
})

test('enrolment tokens are listed oldest first, or newest first on request', async () => {
  const created = await Promise.all([1, 2].map(() => writer.call(createEnrolmentToken, { body: { expiresAtUtc } })))
  const ids = created.map(({ body }) => body.id).sort((a, b) => a - b)
  const listed = async (query: { descending?: boolean }) =>
    (await writer.call(listEnrolmentTokens, { query: { top: 1000, ...query } })).body.items.map(({ id }) => id)

  expect((await listed({})).slice(-2)).toEqual(ids)
  expect((await listed({ descending: true })).slice(0, 2)).toEqual(ids.toReversed())
})
