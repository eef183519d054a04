import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { agentChannel } from '../../src/channels/agent/index.ts'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { listComputerGroups } from '../../src/features/computers/api/list-computer-groups.ts'
import { confirmQuarantinedAgent } from '../../src/features/enrolment/api/confirm-quarantined-agent.ts'
import { listQuarantinedAgents } from '../../src/features/enrolment/api/list-quarantined-agents.ts'
import { rejectQuarantinedAgent } from '../../src/features/enrolment/api/reject-quarantined-agent.ts'
import { exampleOf } from '../../src/platform/openapi/example.ts'
import { sha256Of } from '../channels/agent/agent-world.ts'
import { addressOf } from '../world/caller.ts'
import { fingerprints } from '../world/tables.ts'
import { openClaimWorld } from './claim-world.ts'

const world = await openClaimWorld()
const { administrator, agentWith, app, as, auditedEnrolments, claim, db, enrol, enrolmentToken, given } = world
const { readyPackage, work } = world

const quarantined = async ({ id }: { id: number }) =>
  (await administrator.call(listQuarantinedAgents, { query: { top: 1000 } })).body.items.filter(
    ({ clientId }) => clientId === id,
  )

/** A pre-entered computer with work that contains a secret, and an agent that claims it by its name. */
async function claimed() {
  const computer = await given.computer()
  const workId = await work(computer, await readyPackage({ files: { a: 'the content' } }))
  const asked = await claim(computer)
  return { computer, workId, asked, intruder: agentWith((await enrol(asked)).body) }
}

test('an agent that matches an existing computer by its name gets nothing and changes nothing, on every route', async () => {
  const { intruder, workId } = await claimed()
  const inputs = { workId, sha256: sha256Of('the content'), section: 'system' }
  const operations = agentChannel.sections.flatMap((section) => section.operations)
  const others = operations.filter(({ id }) => !['reportContact', 'enrolAgent', 'awaitCall'].includes(id))
  const before = await fingerprints(db)

  const contact = await intruder.contact({ canRotateCredential: true })
  for (const operation of others) {
    const names = Object.keys(operation.params.properties)
    const params = Object.fromEntries(Object.entries(inputs).filter(([name]) => names.includes(name)))
    const answer = await intruder.itself.send({
      method: operation.method,
      url: addressOf(operation, params),
      ...(operation.body && { payload: exampleOf(operation.body) as object }),
    })
    expect([operation.id, answer.status]).toEqual([operation.id, 401])
  }

  const nothing = { settings: null, sections: [], work: [], offers: [] }
  expect(contact).toMatchObject({ status: 200, body: { ...nothing, quarantined: true } })
  expect(contact.body).not.toHaveProperty('credential')
  expect(others.length).toBeGreaterThan(10)
  expect(await fingerprints(db)).toEqual(before)
})

test('an agent in quarantine is listed with what it reported, and takes up its work once a person confirms it', async () => {
  const { computer, intruder, asked, workId } = await claimed()
  const [listed] = await quarantined(computer)

  const confirmed = await administrator.call(confirmQuarantinedAgent, { params: { id: listed?.id ?? 0 } })

  expect(listed).toMatchObject({
    clientId: computer.id,
    hostname: computer.name,
    hasAgent: false,
    matchedBy: ['Name'],
    reportedName: computer.name,
    reportedUuid: asked.computer.uuid,
    agentKind: 'Muster',
    address: '127.0.0.1',
  })
  expect(confirmed.status).toBe(204)
  expect((await intruder.contact()).body.work).toMatchObject([{ workId }])
  const found = await as('computer.read').call(getComputer, { params: { id: computer.id } })
  expect(found.body.uuid).toBe(asked.computer.uuid)
  expect(await quarantined(computer)).toEqual([])
})

test('a confirmed agent joins the group of its token, and the other agents that claimed the computer are shut out', async () => {
  const [computer, group] = [await given.computer(), await given.group()]
  const { token } = await enrolmentToken({ groupId: group.id })
  const [one, other] = [
    agentWith((await enrol(await claim(computer, token))).body),
    agentWith((await enrol(await claim(computer, token))).body),
  ]
  const groups = async () =>
    (await as('computer.read').call(listComputerGroups, { params: { id: computer.id } })).body.items
  expect(await groups()).toEqual([])

  const [first] = await quarantined(computer)
  await administrator.call(confirmQuarantinedAgent, { params: { id: first?.id ?? 0 } })

  expect((await one.contact()).body).not.toHaveProperty('quarantined')
  expect((await other.contact()).status).toBe(401)
  expect(await groups()).toMatchObject([{ groupId: group.id }])
})

test('a rejected agent is refused, and the computer stays free for its own agent', async () => {
  const uuid = randomUUID()
  const computer = await given.computer({ uuid })
  const intruder = agentWith((await enrol(await claim(computer))).body)
  const [listed] = await quarantined(computer)

  const rejected = await administrator.call(rejectQuarantinedAgent, { params: { id: listed?.id ?? 0 } })
  const asked = await claim(computer)
  const own = await enrol({ ...asked, computer: { ...asked.computer, uuid } })

  expect(rejected.status).toBe(204)
  expect((await intruder.contact()).status).toBe(401)
  expect(own.body).toMatchObject({ clientId: computer.id, quarantined: false })
  const again = await administrator.call(rejectQuarantinedAgent, { params: { id: listed?.id ?? 0 } })
  expect(again).toMatchObject({ status: 404, problem: 'QuarantinedAgentNotFound' })
})

test('an agent in quarantine does not keep the agent with the right UUID out', async () => {
  const uuid = randomUUID()
  const computer = await given.computer({ uuid })
  const intruder = agentWith((await enrol(await claim(computer))).body)
  const asked = await claim(computer)

  const own = agentWith((await enrol({ ...asked, computer: { ...asked.computer, uuid } })).body)

  expect((await own.contact()).status).toBe(200)
  expect((await intruder.contact()).status).toBe(401)
  expect(await quarantined(computer)).toEqual([])
})

test('an agent in quarantine that repeats its enrolment gets another credential, which opens no more', async () => {
  const { asked, computer, intruder } = await claimed()

  const again = agentWith((await enrol(asked)).body)

  expect((await intruder.contact()).status).toBe(401)
  expect((await again.contact()).body).toMatchObject({ quarantined: true, work: [] })
  expect(await quarantined(computer)).toHaveLength(1)
})

/** The quarantine of a computer is full of agents that one address sent, or that as many addresses sent. */
async function flooded(addressOfClaim: (place: number) => string) {
  const computer = await given.computer()
  const { token } = await enrolmentToken()
  for (let place = 0; place < 5; place++) expect((await enrol(await claim(computer, token))).status).toBe(200)
  const flood = await quarantined(computer)
  for (const [place, { id }] of flood.entries())
    await sql`update quarantined_agents set address = ${addressOfClaim(place)} where id = ${id}`.execute(db)
  return { computer, flood: flood.map(({ id }) => id), arrive: async () => enrol(await claim(computer, token)) }
}

test.each([
  ['one address sent them itself', () => '127.0.0.1'],
  ['five addresses sent one each', (place: number) => `192.0.2.${place}`],
])('at most five agents wait for one computer, and the trail shows the sixth one, when %s', async (_, address) => {
  const { computer, arrive } = await flooded(address)

  expect(await arrive()).toMatchObject({ status: 409, problem: 'QuarantineFull' })
  const [last] = await auditedEnrolments(computer)
  expect(last).toMatchObject({
    status: 409,
    request: { body: { event: 'Refused', reason: 'QuarantineFull', computer: { name: computer.name } } },
  })
})

test('one address cannot keep the right agent out of the quarantine by filling it', async () => {
  const { computer, flood, arrive } = await flooded((place) => (place === 0 ? '192.0.2.1' : '192.0.2.66'))
  const [, , , , lastOfFlood] = flood

  const arrived = await arrive()

  expect(arrived.body).toMatchObject({ quarantined: true })
  const waiting = await quarantined(computer)
  expect(waiting.map(({ address }) => address).sort()).toEqual([
    '127.0.0.1',
    '192.0.2.1',
    ...Array(3).fill('192.0.2.66'),
  ])
  expect(waiting.map(({ id }) => id)).not.toContain(lastOfFlood)
  const [recorded] = await auditedEnrolments(computer)
  expect(recorded?.request).toMatchObject({ body: { event: 'Quarantined', provenBy: null, replacedId: lastOfFlood } })
})

test('with MUSTER_TRUST_WEAK_MATCHES, a name is enough', async () => {
  const computer = await given.computer()
  app.services.configuration.trustWeakMatches = true
  try {
    const { body } = await enrol(await claim(computer))

    expect(body).toMatchObject({ clientId: computer.id, quarantined: false })
    expect((await agentWith(body).contact()).status).toBe(200)
  } finally {
    app.services.configuration.trustWeakMatches = false
  }
})
