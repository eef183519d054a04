import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { enrolAgent } from '../../src/channels/agent/enrol-agent.ts'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { listComputerGroups } from '../../src/features/computers/api/list-computer-groups.ts'
import { confirmQuarantinedAgent } from '../../src/features/enrolment/api/confirm-quarantined-agent.ts'
import { listEnrolmentTokens } from '../../src/features/enrolment/api/list-enrolment-tokens.ts'
import { listQuarantinedAgents } from '../../src/features/enrolment/api/list-quarantined-agents.ts'
import { revokeEnrolmentToken } from '../../src/features/enrolment/api/revoke-enrolment-token.ts'
import { enrolment, openAgentWorld } from '../channels/agent/agent-world.ts'
import { fingerprints } from '../world/tables.ts'

const { agentWith, as, db, enrolmentToken, given, withToken } = await openAgentWorld()
const nobody = withToken(undefined)
const enrol = (body: ReturnType<typeof enrolment>) => nobody.call(enrolAgent, { body })
const administrator = as('admin.manage')

const usesOf = async (id: number) =>
  (await administrator.call(listEnrolmentTokens, { query: { top: 1000 } })).body.items.find((one) => one.id === id)
    ?.uses

test('an enrolment creates a new computer and gives its agent a credential', async () => {
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

test('an enrolment is a contact of the agent, and the confirmation by a person is none', async () => {
  const known = await given.computer()
  const seen = async (id: number) =>
    (await as('computer.read').call(getComputer, { params: { id } })).body.lastSeenUtc !== null
  const { token } = await enrolmentToken()

  const created = await enrol({ ...enrolment(), token })
  const asked = enrolment()
  const claimed = await enrol({ ...asked, token, computer: { ...asked.computer, name: known.name } })
  const claims = await administrator.call(listQuarantinedAgents, { query: { top: 1000 } })
  const claim = claims.body.items.find(({ clientId }) => clientId === known.id)
  const confirmed = await administrator.call(confirmQuarantinedAgent, { params: { id: claim?.id ?? 0 } })

  expect(claimed.body).toMatchObject({ clientId: known.id, quarantined: true })
  expect(confirmed.status).toBeLessThan(300)
  expect([await seen(created.body.clientId), await seen(known.id)]).toEqual([true, false])
  await agentWith(claimed.body).contact()
  expect(await seen(known.id)).toBe(true)
})

test.each([
  ['its UUID', (known: Known, asked: Asked) => ({ ...asked, uuid: known.uuid })],
  ['its MAC address in any notation', (known: Known, asked: Asked) => ({ ...asked, macAddress: known.mac })],
  [
    'its name and domain, ignoring case',
    (known: Known, asked: Asked) => ({ ...asked, name: known.name.toUpperCase() }),
  ],
  [
    'its name, when its UUID is a placeholder',
    (known: Known, asked: Asked) => ({ ...asked, name: known.name, uuid: nil }),
  ],
])(
  'an enrolment finds an existing computer by %s, and is quarantined unless the UUID matches',
  async (way, resemble) => {
    const uuid = randomUUID()
    const { id, name } = await given.computer({ uuid, mac: `02005e${uuid.slice(0, 6)}` })
    const asked = enrolment()
    const known = { uuid, name, mac: `02-00-5E-${(uuid.slice(0, 6).match(/../g) ?? []).join('-').toUpperCase()}` }

    const { body } = await enrol({
      ...asked,
      token: (await enrolmentToken()).token,
      computer: resemble(known, asked.computer),
    })

    expect(body).toMatchObject({ clientId: id, quarantined: way !== 'its UUID' })
  },
)

test('an enrolment prefers a matching UUID to a MAC address, and a MAC address to a name', async () => {
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

test('an enrolment fills in missing properties of the computer', async () => {
  const uuid = randomUUID()
  const { id } = await given.computer({ uuid, mac: null })
  const asked = enrolment()

  await enrol({ ...asked, token: (await enrolmentToken()).token, computer: { ...asked.computer, uuid } })

  const found = await as('computer.read').call(getComputer, { params: { id } })
  expect(found.body.macAddress?.toLowerCase().replaceAll(/\W/g, '')).toBe(asked.computer.macAddress)
})

test('an enrolment puts the computer into the group of the token unless it is in a configuration group already', async () => {
  const [group, other] = [await given.group(), await given.group()]
  const { token } = await enrolmentToken({ groupId: group.id })
  const uuid = randomUUID()
  const placed = await given.computer({ uuid })
  await given.member(other, placed)
  const groupsOf = async (id: number) =>
    (await as('computer.read').call(listComputerGroups, { params: { id } })).body.items.map((one) => one.groupId)

  const fresh = await enrol({ ...enrolment(), token })
  const asked = enrolment()
  const known = await enrol({ ...asked, token, computer: { ...asked.computer, uuid } })

  expect(known.body.clientId).toBe(placed.id)
  expect(await groupsOf(fresh.body.clientId)).toEqual([group.id])
  expect(await groupsOf(placed.id)).toEqual([other.id])
})

test('a repeated enrolment with the same key gives a new credential and does not use the token', async () => {
  const { id, token } = await enrolmentToken({ maxUses: 1 })
  const asked = { ...enrolment(), token }

  const [first, second] = [(await enrol(asked)).body, (await enrol(asked)).body]

  expect(second.clientId).toBe(first.clientId)
  expect((await agentWith(first).contact()).status).toBe(401)
  expect((await agentWith(second).contact()).status).toBe(200)
  expect(await usesOf(id)).toBe(1)
})

test('of 50 concurrent enrolments as many succeed as the token allows', async () => {
  const { id, token } = await enrolmentToken({ maxUses: 20 })

  const answers = await Promise.all(Array.from({ length: 50 }, () => enrol({ ...enrolment(), token })))

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
  expect(answers.filter(({ problem }) => problem === 'EnrolmentTokenInvalid')).toHaveLength(30)
  expect(await usesOf(id)).toBe(20)
})

test('ten concurrent enrolments of one computer create it once', async () => {
  const asked = enrolment()
  const tokens = await Promise.all(Array.from({ length: 10 }, () => enrolmentToken()))

  const answers = await Promise.all(tokens.map(({ token }) => enrol({ ...asked, token })))

  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(new Set(answers.map(({ body }) => body.clientId)).size).toBe(1)
})

test('of ten concurrent enrolments with the same UUID one succeeds', async () => {
  const { token } = await enrolmentToken()
  const { computer } = enrolment()
  const twins = Array.from({ length: 10 }, () => {
    const other = enrolment()
    return { ...other, token, computer: { ...other.computer, uuid: computer.uuid } }
  })

  const answers = await Promise.all(twins.map((twin) => enrol(twin)))

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
})

test('an enrolment with an unknown, expired, revoked or used-up token is refused the same way, without effect', async () => {
  const [expired, revoked, usedUp] = [
    await enrolmentToken(),
    await enrolmentToken(),
    await enrolmentToken({ maxUses: 1 }),
  ]
  await db.updateTable('enrolment_tokens').set({ expires_at: new Date() }).where('id', '=', expired.id).execute()
  await administrator.call(revokeEnrolmentToken, { params: { id: revoked.id } })
  await enrol({ ...enrolment(), token: usedUp.token })
  const before = await fingerprints(db)

  for (const token of ['', 'enrol-unknown', expired.token, revoked.token, usedUp.token])
    expect(await enrol({ ...enrolment(), token })).toMatchObject({ status: 401, problem: 'EnrolmentTokenInvalid' })

  expect(await fingerprints(db)).toEqual(before)
})

test('an enrolment needs a UUID or a MAC address to recognise the computer later', async () => {
  const asked = enrolment()
  const { token } = await enrolmentToken()
  const before = await fingerprints(db)

  const refused = await enrol({ ...asked, token, computer: { ...asked.computer, uuid: nil, macAddress: null } })

  expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
  expect(await fingerprints(db)).toEqual(before)
})

test('without a UUID and a MAC address, the answer does not depend on whether a computer has the name', async () => {
  const { token } = await enrolmentToken()
  const [withAgent, without] = [{ ...enrolment(), token }, await given.computer()]
  await enrol(withAgent)
  const names = [{}, { name: withAgent.computer.name }, { name: without.name, domain: without.domain }]
  const before = await fingerprints(db)

  const answers = []
  for (const name of names) {
    const asked = enrolment()
    const computer = { ...asked.computer, uuid: nil, macAddress: null, ...name }
    const { status, raw } = await enrol({ ...asked, token, computer })
    answers.push({ status, ...(raw as object), traceId: undefined, requestId: undefined })
  }

  expect(answers[0]).toMatchObject({ status: 400, code: 'InvalidRequest' })
  expect(answers).toEqual([answers[0], answers[0], answers[0]])
  expect(await fingerprints(db)).toEqual(before)
})

const nil = '00000000-0000-0000-0000-000000000000'

type Asked = ReturnType<typeof enrolment>['computer']
type Known = { uuid: string; name: string; mac: string }

test('an enrolment that is refused because the computer has an agent is audited, because the answer shows that the computer exists', async () => {
  const { token } = await enrolmentToken()
  const own = { ...enrolment(), token }
  await enrol(own)
  const asked = { ...enrolment(), token }

  const refused = await enrol({ ...asked, computer: { ...asked.computer, name: own.computer.name } })
  await enrol({ ...asked, computer: { ...asked.computer, name: own.computer.name } })

  const { items } = (await administrator.call(listAuditEntries, { query: { operation: 'enrolAgent', top: 1000 } })).body
  const name = `agent of ${own.computer.name}`
  const entries = items.filter(({ status, principalName }) => status === 409 && principalName === name)
  expect(refused.problem).toBe('AlreadyEnrolled')
  // The repetition is only counted.
  expect(entries).toHaveLength(1)
  expect(entries[0]?.request).toMatchObject({ body: { event: 'Refused', agent: { address: '127.0.0.1' } } })
})
