import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { enrolAgent } from '../../src/channels/agent/enrol-agent.ts'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { listComputerGroups } from '../../src/features/computers/api/list-computer-groups.ts'
import { allowComputerReEnrolment } from '../../src/features/enrolment/api/allow-computer-re-enrolment.ts'
import { forbidComputerReEnrolment } from '../../src/features/enrolment/api/forbid-computer-re-enrolment.ts'
import { listEnrolmentTokens } from '../../src/features/enrolment/api/list-enrolment-tokens.ts'
import { revokeEnrolmentToken } from '../../src/features/enrolment/api/revoke-enrolment-token.ts'
import { enrolment, openAgentWorld } from '../channels/agent/agent-world.ts'
import { fingerprints } from '../world/tables.ts'

const { agent, agentWith, as, db, enrolmentToken, given, readyPackage, state, withToken, work } = await openAgentWorld()
const nobody = withToken(undefined)
const enrol = (body: ReturnType<typeof enrolment>) => nobody.call(enrolAgent, { body })
const writer = as('computer.write')

const usesOf = async (id: number) =>
  (await writer.call(listEnrolmentTokens, { query: { top: 1000 } })).body.items.find((one) => one.id === id)?.uses

describe('an enrolment', () => {
  test('enters a new computer and gives its agent a credential', async () => {
    const { id, token } = await enrolmentToken()
    const asked = { ...enrolment(), token }

    const { status, body } = await enrol(asked)

    expect(status).toBe(200)
    expect(body.credential).toMatch(new RegExp(`^agent-${body.clientId}\\.[\\w-]{43}$`))
    const computer = await as('computer.read').call(getComputer, { params: { id: body.clientId } })
    expect(computer.body).toMatchObject({ hostname: asked.computer.name, uuid: asked.computer.uuid, isDomain: true })
    expect(await usesOf(id)).toBe(1)
    expect((await agentWith(body).contact()).status).toBe(200)
  })

  test.each([
    ['its UUID', (known: Known, asked: Asked) => ({ ...asked, uuid: known.uuid })],
    ['its MAC address, however it is written', (known: Known, asked: Asked) => ({ ...asked, macAddress: known.mac })],
    ['its name and domain in any case', (known: Known, asked: Asked) => ({ ...asked, name: known.name.toUpperCase() })],
    [
      'its name, when its UUID means nothing',
      (known: Known, asked: Asked) => ({ ...asked, name: known.name, uuid: nil }),
    ],
  ])('finds a computer that was entered before by %s', async (_, like) => {
    const uuid = randomUUID()
    const { id, name } = await given.computer({ uuid, mac: `02005e${uuid.slice(0, 6)}` })
    const asked = enrolment()
    const known = { uuid, name, mac: `02-00-5E-${(uuid.slice(0, 6).match(/../g) ?? []).join('-').toUpperCase()}` }

    const { body } = await enrol({
      ...asked,
      token: (await enrolmentToken()).token,
      computer: like(known, asked.computer),
    })

    expect(body.clientId).toBe(id)
  })

  test('prefers the UUID to the MAC address, and that to the name', async () => {
    const uuid = randomUUID()
    const mac = `02005e${uuid.slice(0, 6)}`
    const [byName, byMac, byUuid] = [
      await given.computer(),
      await given.computer({ mac }),
      await given.computer({ uuid, mac: null }),
    ]
    const { token } = await enrolmentToken()
    const both = { name: byName.name, domain: byName.domain, isDomain: true, macAddress: mac }

    const first = await enrol({ ...enrolment(), token, computer: { ...both, uuid } })
    const second = await enrol({ ...enrolment(), token, computer: { ...both, uuid: null } })

    expect([first.body.clientId, second.body.clientId]).toEqual([byUuid.id, byMac.id])
  })

  test('fills in what was not known of the computer', async () => {
    const { id, name } = await given.computer({ uuid: null })
    const asked = enrolment()
    const computer = { ...asked.computer, name }

    await enrol({ ...asked, token: (await enrolmentToken()).token, computer })

    const found = await as('computer.read').call(getComputer, { params: { id } })
    expect(found.body.uuid).toBe(asked.computer.uuid)
  })

  test('puts the computer into the group of the token, unless it is in a configuration group already', async () => {
    const [group, other] = [await given.group(), await given.group()]
    const { token } = await enrolmentToken({ groupId: group.id })
    const placed = await given.computer()
    await given.member(other, placed)
    const groupsOf = async (id: number) =>
      (await as('computer.read').call(listComputerGroups, { params: { id } })).body.items.map((one) => one.groupId)

    const fresh = await enrol({ ...enrolment(), token })
    const asked = enrolment()
    const known = await enrol({ ...asked, token, computer: { ...asked.computer, name: placed.name } })

    expect(known.body.clientId).toBe(placed.id)
    expect(await groupsOf(fresh.body.clientId)).toEqual([group.id])
    expect(await groupsOf(placed.id)).toEqual([other.id])
  })

  test('with the same key again gives a new credential, and does not use up the token', async () => {
    const { id, token } = await enrolmentToken({ maxUses: 1 })
    const asked = { ...enrolment(), token }

    const [first, second] = [(await enrol(asked)).body, (await enrol(asked)).body]

    expect(second.clientId).toBe(first.clientId)
    expect((await agentWith(first).contact()).status).toBe(401)
    expect((await agentWith(second).contact()).status).toBe(200)
    expect(await usesOf(id)).toBe(1)
  })

  test('of 50 computers at once lets in as many as the token allows', async () => {
    const { id, token } = await enrolmentToken({ maxUses: 20 })

    const answers = await Promise.all(Array.from({ length: 50 }, () => enrol({ ...enrolment(), token })))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.filter(({ problem }) => problem === 'EnrolmentTokenInvalid')).toHaveLength(30)
    expect(await usesOf(id)).toBe(20)
  })

  test('of one computer ten times at once enters it once', async () => {
    const asked = enrolment()
    const tokens = await Promise.all(Array.from({ length: 10 }, () => enrolmentToken()))

    const answers = await Promise.all(tokens.map(({ token }) => enrol({ ...asked, token })))

    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(new Set(answers.map(({ body }) => body.clientId)).size).toBe(1)
  })

  test('of ten computers at once that say the same UUID lets in one', async () => {
    const { token } = await enrolmentToken()
    const { computer } = enrolment()
    const twins = Array.from({ length: 10 }, () => {
      const other = enrolment()
      return { ...other, token, computer: { ...other.computer, uuid: computer.uuid } }
    })

    const answers = await Promise.all(twins.map((twin) => enrol(twin)))

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
  })

  test('is refused alike with a token that is unknown, expired, revoked or used up, and changes nothing', async () => {
    const [expired, revoked, usedUp] = [
      await enrolmentToken(),
      await enrolmentToken(),
      await enrolmentToken({ maxUses: 1 }),
    ]
    await db.updateTable('enrolment_tokens').set({ expires_at: new Date() }).where('id', '=', expired.id).execute()
    await writer.call(revokeEnrolmentToken, { params: { id: revoked.id } })
    await enrol({ ...enrolment(), token: usedUp.token })
    const before = await fingerprints(db)

    for (const token of ['', 'enrol-unknown', expired.token, revoked.token, usedUp.token])
      expect(await enrol({ ...enrolment(), token })).toMatchObject({ status: 401, problem: 'EnrolmentTokenInvalid' })

    expect(await fingerprints(db)).toEqual(before)
  })

  test('needs something by which the computer can be known again', async () => {
    const asked = enrolment()
    const { token } = await enrolmentToken()
    const before = await fingerprints(db)

    const refused = await enrol({ ...asked, token, computer: { ...asked.computer, uuid: nil, macAddress: null } })

    expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
    expect(await fingerprints(db)).toEqual(before)
  })
})

describe('a computer that has an agent', () => {
  async function enrolled() {
    const { token } = await enrolmentToken()
    const asked = { ...enrolment(), token }
    return {
      asked,
      first: agentWith((await enrol(asked)).body),
      other: { ...asked, enrolmentKey: enrolment().enrolmentKey },
    }
  }

  test('is not taken over by another one', async () => {
    const { other, first } = await enrolled()
    const before = await fingerprints(db)

    expect(await enrol(other)).toMatchObject({ status: 409, problem: 'AlreadyEnrolled' })

    expect(await fingerprints(db)).toEqual(before)
    expect((await first.contact()).status).toBe(200)
  })

  test('is taken over once, when a person has allowed it, with the work that the other one had', async () => {
    const { first, other } = await enrolled()
    const piece = await work(first, await readyPackage())
    await first.contact()
    const allowed = await writer.call(allowComputerReEnrolment, { params: { id: first.id } })

    const second = agentWith((await enrol(other)).body)

    expect(new Date(allowed.body.untilUtc).getTime()).toBeGreaterThan(Date.now() + 86_000_000)
    expect(second.id).toBe(first.id)
    expect((await first.contact()).status).toBe(401)
    expect((await second.contact()).body.work).toMatchObject([{ workId: piece, attempt: 2 }])
    expect(await enrol({ ...other, enrolmentKey: enrolment().enrolmentKey })).toMatchObject({ status: 409 })
  })

  test('is not taken over after the permission was taken back or has expired', async () => {
    const { first, other } = await enrolled()
    const params = { id: first.id }
    await writer.call(allowComputerReEnrolment, { params })
    expect((await writer.call(forbidComputerReEnrolment, { params })).status).toBe(204)
    expect(await enrol(other)).toMatchObject({ status: 409 })

    await writer.call(allowComputerReEnrolment, { params, body: { untilUtc: '2099-01-01T00:00:00Z' } })
    await db.updateTable('agents').set({ re_enrolment_until: new Date() }).where('computer_id', '=', first.id).execute()

    expect(await enrol(other)).toMatchObject({ status: 409 })
  })

  test('is known no more when it was deleted', async () => {
    const { first } = await enrolled()

    await db.deleteFrom('computers').where('id', '=', first.id).execute()

    expect((await first.contact()).status).toBe(401)
  })

  test('loses the sign of a shared identity when it is taken over', async () => {
    const { first, other } = await enrolled()
    await db.updateTable('agents').set({ duplicate_seen_at: new Date() }).where('computer_id', '=', first.id).execute()
    await writer.call(allowComputerReEnrolment, { params: { id: first.id } })

    await enrol(other)

    expect(await state.agent(first)).toMatchObject({ duplicate_seen_at: null, re_enrolment_until: null })
  })

  test('is the only one for which another agent can be allowed, and only for a time to come', async () => {
    const [{ id: bare }, { id }] = [await given.computer(), await agent()]
    const before = await fingerprints(db)
    const allow = (clientId: number, body?: { untilUtc: string }) =>
      writer.call(allowComputerReEnrolment, { params: { id: clientId }, ...(body && { body }) })

    expect(await allow(bare)).toMatchObject({ status: 404, problem: 'AgentNotFound' })
    expect(await allow(2_000_000)).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
    expect(await allow(id, { untilUtc: '2020-01-01T00:00:00Z' })).toMatchObject({ status: 400 })
    const forbidden = await writer.call(forbidComputerReEnrolment, { params: { id: bare } })
    expect(forbidden).toMatchObject({ status: 404, problem: 'AgentNotFound' })
    expect(await fingerprints(db)).toEqual(before)
  })
})

const nil = '00000000-0000-0000-0000-000000000000'

type Asked = ReturnType<typeof enrolment>['computer']
type Known = { uuid: string; name: string; mac: string }
