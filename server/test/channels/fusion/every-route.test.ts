import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { revokeEnrolmentToken } from '../../../src/features/enrolment/api/revoke-enrolment-token.ts'
import { maxWaitingRequests } from '../../world/lane-queue.ts'
import { listRoutes } from '../../world/listed-routes.ts'
import { deviceIdOf, fromComputer, openFusionWorld, samples, takeOverRefused } from './fusion-world.ts'
import { workingAgent } from './working-agent.ts'

const world = await openFusionWorld()
const { app, as, database, db, enrolmentToken, readyPackage, state, work } = world

const routes = listRoutes(app.http, '/agent/fusion')

/** What a sender presents. */
type Presented = {
  secret: string
  machineid: string
  /** The part of the addresses for jobs that belongs to one device. */
  addressToken: string
  job: string
  part: string
}

type Sent = { method: 'GET' | 'HEAD' | 'POST'; url: string; headers?: Record<string, string>; payload?: string }

/** Everything that an agent can send to a route. Fails for a route with parts that it does not know. */
function messagesFor(route: string, name: string, presented: Presented): Sent[] {
  const { secret, machineid, addressToken, part, job } = presented
  const [method, pattern = ''] = route.split(' ') as [Sent['method'], string]
  const path = pattern
    .replace(':secret', secret)
    .replace(':token', addressToken)
    .replace(':first/:second/:sha512', `${part[0]}/${part.slice(0, 2)}/${part}`)
  if (path.includes(':')) throw new Error(`The test does not know what to send to ${route}.`)
  const hasSecret = /:secret|:token/.test(pattern)
  const headers: Record<string, string> = hasSecret
    ? {}
    : { authorization: `Basic ${Buffer.from(`muster:${secret}`).toString('base64')}` }
  if (method === 'POST')
    return [samples.prolog, samples.fusionInventory].map((sample) => ({
      method,
      url: path,
      headers,
      payload: fromComputer(sample, name),
    }))
  if (pattern.includes(':sha512')) return [{ method, url: path }]
  const queries = pattern.includes(':token')
    ? ['action=getJobs', `action=setStatus&part=job&uuid=${job}&status=ok&msg=done`]
    : ['action=getConfig&task[Deploy]=2.8']
  return queries.map((query) => ({ method, url: `${path}?${query}&machineid=${machineid}`, headers }))
}

let agentCount = 0

/** An agent that has begun a job, and what it presents. */
async function busyAgent() {
  const name = `busy-${++agentCount}`
  const agent = await workingAgent(world, name)
  await work(agent, await readyPackage({ files: { 'install.sh': `# ${name}` } }))
  const later = await work(agent, await readyPackage())
  const { jobs, associatedFiles } = await agent.jobs()
  const [job] = jobs
  const [file] = Object.values(associatedFiles)
  if (!job || !file) throw new Error('The agent got no job with a file.')
  await agent.begins(job)
  const [, addressToken = ''] = /files\/([^/]+)\//.exec(file.mirrors[0] ?? '') ?? []
  const { machineid, secret } = agent
  const presented = { secret, machineid, addressToken, job: job.uuid, part: file.multiparts[0] ?? '' }
  return { ...agent, name, presented, later }
}

/** The answers of all routes, `401` for each that shuts the sender out. */
async function answersOf(name: string, presented: Presented, filter = (_route: string) => true) {
  const answers: { route: string; status: number; body: string }[] = []
  for (const route of routes.filter(filter))
    for (const message of messagesFor(route, name, presented)) {
      const { statusCode: status, body } = await app.http.inject(message)
      answers.push({ route, status, body })
    }
  return answers
}

const isJobRoute = (route: string) => route.includes(':token')
const all = (status: number) => (answers: { status: number }[]) => answers.map((answer) => ({ ...answer, status }))

test('the channel has the routes that these tests attack', () => {
  const both = (url: string, ...methods: string[]) => methods.map((method) => `${method} ${url}`)
  expect(routes).toEqual([
    ...both('/agent/fusion', 'POST', 'GET', 'HEAD'),
    ...both('/agent/fusion/', 'POST', 'GET', 'HEAD'),
    ...both('/agent/fusion/deploy/:token', 'GET', 'HEAD'),
    ...both('/agent/fusion/files/:token/:first/:second/:sha512', 'GET', 'HEAD'),
    ...both('/agent/fusion/:secret', 'POST', 'GET', 'HEAD'),
    ...both('/agent/fusion/:secret/', 'POST', 'GET', 'HEAD'),
  ])
})

test('the revocation of a token shuts its agents out of every route at once', async () => {
  const agent = await busyAgent()
  const before = await answersOf(agent.name, { ...agent.presented, job: 'none' })

  await as('computer.write', 'admin.manage').call(revokeEnrolmentToken, { params: { id: agent.tokenId } })
  const after = await answersOf(agent.name, agent.presented)

  expect(before).toEqual(all(200)(before))
  expect(after).toEqual(all(401)(after))
  expect(await db.selectFrom('work').select('state').where('computer_id', '=', agent.id).execute()).toEqual([
    { state: 'Leased' },
    { state: 'Leased' },
  ])
})

test('the revocation of an enrolment shuts the agent out of its device and its jobs at once', async () => {
  const agent = await busyAgent()

  await db.deleteFrom('agents').where('computer_id', '=', agent.id).execute()
  const answers = await answersOf(agent.name, agent.presented)

  const [questions, others] = [
    answers.filter(({ route }) => /^(GET|HEAD) (?!.*:token)/.test(route)),
    answers.filter(({ route }) => !/^(GET|HEAD) (?!.*:token)/.test(route)),
  ]
  expect(others).toEqual(all(401)(others))
  expect(questions.map(({ body }) => body).join('')).not.toContain('remote')
})

test('addresses of an earlier epoch of the device are not valid any more', async () => {
  const agent = await busyAgent()
  const before = await answersOf(agent.name, { ...agent.presented, job: 'none' }, isJobRoute)

  await sql`update fusion_devices set address_epoch = address_epoch + 1 where device_id = ${agent.machineid}`.execute(
    db,
  )
  const after = await answersOf(agent.name, agent.presented, isJobRoute)

  expect(before).toEqual(all(200)(before))
  expect(after).toEqual(all(401)(after))
})

test('a device that enrols for another computer gets a new epoch', async () => {
  const agent = await busyAgent()
  const report = fromComputer(samples.fusionInventory, 'copy').replaceAll(deviceIdOf('copy'), agent.machineid)
  await sql`update enrolment_tokens set max_uses = 2 where id = ${agent.tokenId}`.execute(db)

  const moved = await world.post(report, agent)
  await sql`update enrolment_tokens set uses = 1, max_uses = 1 where id = ${agent.tokenId}`.execute(db)
  await sql`update fusion_devices set computer_changed_at = null where device_id = ${agent.machineid}`.execute(db)
  const answers = await answersOf(agent.name, agent.presented, isJobRoute)

  expect(moved.status).toBe(200)
  expect(answers).toEqual(all(401)(answers))
})

test('addresses for jobs expire after two days', async () => {
  const agent = await busyAgent()
  const ask = async (hoursAgo: number) => {
    vi.useFakeTimers({ now: Date.now() - hoursAgo * 3_600_000, toFake: ['Date'] })
    const address = await agent.jobAddress().finally(() => vi.useRealTimers())
    const addressToken = address?.split('/').at(-1) ?? ''
    return answersOf(agent.name, { ...agent.presented, addressToken, job: 'none' }, isJobRoute)
  }

  const [valid, expired] = [await ask(47), await ask(49)]

  expect(valid).toEqual(all(200)(valid))
  expect(expired).toEqual(all(401)(expired))
})

test('an address of another device, or one that was changed, opens nothing', async () => {
  const [victim, other] = [await busyAgent(), await busyAgent()]
  const own = victim.presented
  const foreign = other.presented.addressToken
  const isDeploy = (route: string) => route.includes('/deploy/')
  const attack = (addressToken: string, machineid = own.machineid, filter = isJobRoute) =>
    answersOf(victim.name, { ...own, addressToken, machineid }, filter)
  const parts = own.addressToken.split('.')
  const changed = [0, 1, 2].map((at) =>
    parts.map((part, index) => (index === at ? `${Number(part) + 1}` : part)).join('.'),
  )

  const attacks = [
    await attack(foreign, own.machineid, isDeploy),
    await attack(own.addressToken, other.machineid, isDeploy),
    ...(await Promise.all(changed.map((token) => attack(token)))),
    await attack(own.addressToken.replace(/.{5}$/, (end) => (end === 'AAAAA' ? 'BBBBB' : 'AAAAA'))),
    await attack(''),
  ].flat()
  const stolenPart = await attack(foreign, own.machineid, (route) => route.includes('/files/'))

  expect(attacks.filter(({ status }) => ![401, 404].includes(status))).toEqual([])
  expect(stolenPart.map(({ status }) => status)).toEqual([404, 404])
  expect(await state.work(victim.later)).toMatchObject({ state: 'Leased' })
})

test('an open token of others gets nothing of a known device on any route', async () => {
  const victim = await busyAgent()
  const { token } = await enrolmentToken()
  // What the victim itself has reported is written a second later.
  const workOfVictim = async () => {
    const rows = await db.selectFrom('work').selectAll().where('computer_id', '=', victim.id).orderBy('id').execute()
    return rows.map((row) => ({ ...row, leased_until: null, progress: null }))
  }
  const before = await workOfVictim()

  const answers = await answersOf(
    victim.name,
    { ...victim.presented, secret: token, addressToken: '1.1.9999999999.AAAA' },
    (route) => !route.startsWith('HEAD'),
  )

  const statuses = (start: string) => answers.filter(({ route }) => route.startsWith(start)).map(({ status }) => status)
  expect(new Set(statuses('POST'))).toEqual(new Set([200, takeOverRefused]))
  expect(statuses('GET /agent/fusion/deploy')).toEqual([401, 401])
  expect(answers.map(({ body }) => body).join('')).not.toMatch(/remote|actions/)
  expect(await workOfVictim()).toEqual(before)
  expect(await victim.jobAddress()).toEqual(expect.any(String))
})

test('however many messages an agent sends at once, they wait for each other and not for the connections of all machines', async () => {
  const agent = await busyAgent()
  const messages = routes
    .filter((route) => !/^HEAD|\/$/.test(route))
    .flatMap((route) => messagesFor(route, agent.name, agent.presented).map((message) => ({ route, message })))

  const queues: string[] = []
  for (const { route, message } of messages) {
    const waiting = await maxWaitingRequests(database.lanes.machines, () =>
      Promise.all(Array.from({ length: 25 }, () => app.http.inject(message))),
    )
    if (waiting >= 5) queues.push(`${route}: ${waiting}`)
  }

  expect(queues).toEqual([])
})

test('no value of a parameter is a fault of the service, on any route', async () => {
  const agent = await busyAgent()
  const values = ['%00', '%ED%A0%80', 'x'.repeat(10_000), '', 'a&NAME=b']
  const names = ['action', 'machineid', 'part', 'uuid', 'currentStep', 'status', 'msg', 'actionnum']
  const questions = routes
    .filter((route) => /^GET (?!.*:sha512).*[^/]$/.test(route))
    .flatMap((route) => messagesFor(route, agent.name, { ...agent.presented, job: 'none' }))

  const faults: string[] = []
  for (const question of questions)
    for (const name of names)
      for (const value of values) {
        const parameter = `${name}=${value.replace('NAME', name)}`
        const [path, query = ''] = question.url.split('?')
        const others = query.split('&').filter((sent) => !sent.startsWith(`${name}=`))
        const url = `${path}?${[...others, parameter].join('&')}`
        const { statusCode } = await app.http.inject({ ...question, url })
        if (statusCode >= 500) faults.push(`${statusCode} ${path} ${parameter}`)
      }

  expect(faults).toEqual([])
})

test('a version that ends within a character is stored without it', async () => {
  const program = `FusionInventory-Agent_v${'1'.repeat(49)}\u{1f600}`
  const report = fromComputer(samples.prolog, 'cut').replace(
    '</REQUEST>',
    `<CONTENT><VERSIONCLIENT>${program}</VERSIONCLIENT></CONTENT></REQUEST>`,
  )

  expect((await world.post(report)).status).toBe(200)
})
