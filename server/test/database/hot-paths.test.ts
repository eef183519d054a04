import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { format } from 'sql-formatter'
import { expect, test } from 'vitest'
import { enrolAgent } from '../../src/channels/agent/enrol-agent.ts'
import { putInventory } from '../../src/channels/agent/inventory/put-inventory.ts'
import { listSoftware } from '../../src/channels/agent/self-service/list-software.ts'
import { getComputerAgentTemplate } from '../../src/features/assignments/api/effective/get-computer-agent-template.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { listEvents } from '../../src/features/events/api/list-events.ts'
import { listFleetComputers } from '../../src/features/fleet/api/list-fleet-computers.ts'
import { requestToken } from '../../src/features/principals/api/token/request-token.ts'
import { exampleOf } from '../../src/platform/openapi/example.ts'
import { contactResult, enrolment, openAgentWorld } from '../channels/agent/agent-world.ts'
import { listStatements } from '../world/statements.ts'

const { agent, as, enrolmentToken, given, readyPackage, withToken, work } = await openAgentWorld()

/** The statement as people write it: sql-formatter arranges what fragments of several files have composed. */
const arrange = (statement: string) =>
  format(statement, { language: 'postgresql', keywordCase: 'lower', expressionWidth: 110, tabWidth: 2 })

/** Compares the statements of a request that succeeds with those in `hot-paths`, which show what PostgreSQL gets. */
async function expectStatements(path: string, request: () => Promise<{ status: number }>): Promise<void> {
  let status: number | undefined
  const statements = await listStatements(async () => {
    status = (await request()).status
  })
  const text = statements.map((statement) => `${arrange(statement)};\n`).join('\n')

  expect(status).toBeOneOf([200, 201, 202, 204])
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, 'hot-paths', `${path}.sql`))
}

/** Sends a request that makes the process read what it reads only once. */
const warmUp = (request: () => Promise<unknown>) => listStatements(request)

/** An agent that has made its first contact, which stores what the computer reports about itself. */
async function knownAgent() {
  const computer = await agent()
  await warmUp(() => computer.exchange())
  return computer
}

/** A computer that gets a package and an agent template from a group above its own. */
async function computerWithAssignment() {
  const computer = await given.computer()
  const above = await given.group()
  await given.member(await given.group({ parent: above }), computer)
  await given.assignment(above, await readyPackage(), 'package')
  await given.assignment(above, await given.agentTemplate(), 'agentTemplate')
  return computer
}

test('an agent that has nothing to report and gets no work', async () => {
  const { exchange } = await knownAgent()

  await expectStatements('idle-contact', () => exchange())
})

test('an agent that gets a work item with its content, and then reports its result', async () => {
  const computer = await knownAgent()
  const software = await readyPackage()
  const other = await knownAgent()
  await work(other, software)
  await warmUp(() => other.exchange())
  const workId = await work(computer, software)

  await expectStatements('hand-out', () => computer.exchange())
  await expectStatements('contact-with-results', () => computer.exchange({ results: [contactResult(workId)] }))
})

test('an agent that reports what it has downloaded before its time', async () => {
  const hash = randomBytes(32)
  const software = await readyPackage({ content_hash: hash })
  const contentHash = hash.toString('hex')
  const announced = async () => {
    const computer = await knownAgent()
    const later = { not_before: new Date(Date.now() + 3_600_000), pre_download: true }
    const report = { workId: await work(computer, software, later), contentHash, state: 'Ready' as const }
    return () => computer.exchange({ preDownloads: [{ ...report, fetchedBytes: 1, message: null }] })
  }
  const [other, exchange] = [await announced(), await announced()]
  await warmUp(other)

  await expectStatements('pre-download-exchange', exchange)
})

test('the page of the user of a computer, which asks every few seconds while it is open', async () => {
  const { itself } = await knownAgent()
  await warmUp(() => itself.call(listSoftware))

  await expectStatements('self-service', () => itself.call(listSoftware))
})

test('an agent that enrols a new computer', async () => {
  const { token } = await enrolmentToken()

  await expectStatements('enrolment', () => withToken(undefined).call(enrolAgent, { body: { ...enrolment(), token } }))
})

test('the first inventory of a computer', async () => {
  const { itself } = await knownAgent()
  const { sections } = exampleOf(putInventory.body) as { sections: object }

  await expectStatements('inventory', () =>
    itself.send({ method: 'PUT', url: '/agent/v1/inventory', payload: { sections } }),
  )
})

test('the list of computers, by name and with filters', async () => {
  const reader = as('computer.read')
  await warmUp(() => reader.call(listFleetComputers, {}))

  await expectStatements('computer-list', () => reader.call(listFleetComputers, {}))
  await expectStatements('computer-list-filtered', () =>
    reader.call(listFleetComputers, { query: { search: 'pc', healthStatus: ['Warning'], descending: true } }),
  )
})

test('the agent template that is effective for a computer', async () => {
  const reader = as('computer.read')
  const params = { id: (await computerWithAssignment()).id }
  await warmUp(() => reader.call(getComputerAgentTemplate, { params }))

  await expectStatements('effective-assignment', () => reader.call(getComputerAgentTemplate, { params }))
})

test('the activation of a computer, which revises its waiting work and makes that of its effective packages due', async () => {
  const operator = as('activation.execute')
  const activate = ({ id }: { id: number }) =>
    operator.call(activateComputer, { params: { id }, body: { software: true } })
  const [other, computer] = [await computerWithAssignment(), await computerWithAssignment()]
  await warmUp(() => activate(other))
  await activate(computer)

  await expectStatements('activation', () => activate(computer))
})

test('the feed of events', async () => {
  const reader = as('computer.read')
  await warmUp(() => reader.call(listEvents, {}))

  await expectStatements('event-feed', () => reader.call(listEvents, {}))
})

test('a token for a program', async () => {
  const { clientId, secret } = await given.localPrincipal()
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }

  await expectStatements('token', () => withToken(undefined).call(requestToken, { body }))
})
