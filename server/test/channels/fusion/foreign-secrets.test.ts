import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listSoftwareDeployments } from '../../../src/features/deployments/api/history/list-software-deployments.ts'
import { agents, deviceIdOf, fromComputer, openFusionWorld, samples, takeOverRefused } from './fusion-world.ts'
import { workingAgent } from './working-agent.ts'

const world = await openFusionWorld()
const {
  allowTakeOver,
  app,
  as,
  computerOf,
  db,
  enrolmentToken,
  given,
  post,
  readyPackage,
  secret,
  state,
  tokenId,
  work,
} = world

const { token: foreign } = await enrolmentToken()

async function getConfig(address: string, name: string) {
  const answer = await app.http.inject({
    url: `/agent/fusion/${address}?action=getConfig&machineid=${deviceIdOf(name)}&task[Deploy]=2.8`,
  })
  return answer.body
}

const noJobs = JSON.stringify({ configValidityPeriod: 600, schedule: [] })

/** The rows of the devices with the id of this computer, as the service knows them. */
const devicesOf = (name: string) =>
  db.selectFrom('fusion_devices').selectAll().where('device_id', '=', deviceIdOf(name)).orderBy('id').execute()

test('another secret with the id of a known device changes nothing about the device, and does not lock it out', async () => {
  const victim = await workingAgent(world, 'victim')
  await work(victim, await readyPackage())
  const before = await devicesOf('victim')
  const attack = { secret: foreign }

  const attacks = [
    await post(fromComputer(samples.prolog, 'victim'), attack),
    await post(fromComputer(samples.contact, 'victim'), { ...attack, headers: agents.glpi }),
    await post(fromComputer(samples.fusionInventory, 'victim'), attack),
    await post(fromComputer(samples.partial, 'victim'), { ...attack, headers: agents.glpi }),
  ]

  // A part of an inventory identifies no computer. The whole one that the service asks for next is refused.
  expect(attacks.map(({ status }) => status)).toEqual([200, 200, takeOverRefused, 200])
  const [own, ...others] = await devicesOf('victim')
  expect([own]).toEqual(before)
  expect(others.map(({ computer_id }) => computer_id)).toEqual([null, null])
  expect(await getConfig(foreign, 'victim')).toBe(noJobs)
  expect((await victim.jobs()).jobs).toHaveLength(1)
  const again = await post(fromComputer(samples.fusionInventory, 'victim'), victim)
  expect(again.status).toBe(200)
})

test('a foreign device that takes the id first does not lock the real device out', async () => {
  await post(fromComputer(samples.prolog, 'late'), { secret: foreign })
  const { token: own } = await enrolmentToken({ maxUses: 1 })

  const real = [
    await post(fromComputer(samples.prolog, 'late'), { secret: own }),
    await post(fromComputer(samples.fusionInventory, 'late'), { secret: own }),
  ]

  expect(real.map(({ status }) => status)).toEqual([200, 200])
})

test('a device moves to another secret only when a person confirms it', async () => {
  const report = fromComputer(samples.fusionInventory, 'moved')
  await post(report)
  const computer = await computerOf(deviceIdOf('moved'))
  const { token: own } = await enrolmentToken({ maxUses: 1 })

  const refused = await post(report, { secret: own })
  await allowTakeOver(computer)
  const allowed = await post(report, { secret: own })
  const former = await post(report)

  expect([refused.status, allowed.status, former.status]).toEqual([takeOverRefused, 200, takeOverRefused])
  expect((await devicesOf('moved')).map(({ computer_id }) => computer_id)).toEqual([null, computer.id])
})

test('a GLPI agent with a shared secret is not impersonated by another agent with this secret', async () => {
  const send = (report: string, headers: Record<string, string>) => post(fromComputer(report, 'native'), { headers })
  const otherAgent = { ...agents.glpi, 'glpi-agent-id': 'ffffffff-e087-11f1-91be-a7280202bb80' }
  await send(samples.full, agents.glpi)
  const [before] = await devicesOf('native')

  const attacks = [
    await send(samples.contact, otherAgent),
    await send(samples.full, otherAgent),
    await send(samples.glpiXml, { 'user-agent': agents.glpi['user-agent'] }),
    await send(samples.fusionInventory, agents.fusionInventory),
  ]
  const contact = await send(samples.contact, agents.glpi)

  expect(attacks.map(({ status }) => status)).toEqual([200, takeOverRefused, takeOverRefused, takeOverRefused])
  expect((await devicesOf('native'))[0]).toEqual(before)
  expect(contact.status).toBe(200)
})

test('a device that was known before agent ids were stored keeps the first agent id that it sends', async () => {
  const send = (report: string, id: string) =>
    post(fromComputer(report, 'older'), { headers: { ...agents.glpi, 'glpi-agent-id': id } })
  await send(samples.full, 'first')
  // What the migration leaves of a device from before.
  await sql`update fusion_devices set agent_id_hash = null, adopts_agent_id = true
    where device_id = ${deviceIdOf('older')}`.execute(db)

  const [adopted, other] = [await send(samples.full, 'second'), await send(samples.full, 'third')]
  const again = await send(samples.contact, 'second')

  expect([adopted.status, other.status, again.status]).toEqual([200, takeOverRefused, 200])
})

test('a device without agent id never adopts one, so nobody locks it out by sending one', async () => {
  const send = (headers: Record<string, string>) => post(fromComputer(samples.fusionInventory, 'plain'), { headers })
  await send(agents.fusionInventory)

  const attack = await send(agents.glpi)

  expect(attack.status).toBe(takeOverRefused)
  expect((await send(agents.fusionInventory)).status).toBe(200)
})

test('a copy with a shared secret does not lock the original out, not even when the secret has expired since', async () => {
  const { token: shared, id } = await enrolmentToken()
  const send = (name: string) => {
    const report = fromComputer(samples.fusionInventory, name).replaceAll(deviceIdOf(name), deviceIdOf('original'))
    return post(report, { secret: shared })
  }
  await send('original')
  const computer = await computerOf(deviceIdOf('original'))
  await send('copied')
  const taken = await computerOf(deviceIdOf('original'))
  await sql`update enrolment_tokens set expires_at = now() where id = ${id}`.execute(db)

  const answer = await send('original')

  expect(taken).not.toEqual(computer)
  expect(answer.status).toBe(200)
  expect(await computerOf(deviceIdOf('original'))).toEqual(computer)
})

test('a device whose secret others have gets no jobs, and its work fails with what to do', async () => {
  await post(fromComputer(samples.fusionInventory, 'sharing'))
  const computer = await computerOf(deviceIdOf('sharing'))
  const wanted = await readyPackage()
  const group = await given.group()
  await given.member(group, computer)
  await given.assignment(group, wanted, 'package')
  const workId = await work(computer, wanted)

  const asked = await getConfig(secret, 'sharing')
  const pending = await state.work(workId)
  const contact = await post(fromComputer(samples.prolog, 'sharing'))

  expect(asked).toBe(noJobs)
  expect(pending).toMatchObject({ state: 'Due', attempt: 0 })
  expect(contact.status).toBe(200)
  expect(await state.work(workId)).toMatchObject({ state: 'Failed' })
  const shown = await as('computer.read').call(listSoftwareDeployments, { params: computer })
  expect(shown.body).toMatchObject([
    { status: 'Failed', errorText: expect.stringContaining('an enrolment token for one use') },
  ])
})

test('work for an OCS agent fails, because such agents only report', async () => {
  const { token: own } = await enrolmentToken({ maxUses: 1 })
  const send = (report: string) => post(fromComputer(report, 'reporter'), { headers: agents.ocs, secret: own })
  await send(samples.fusionInventory)
  const workId = await work(await computerOf(deviceIdOf('reporter')), await readyPackage())

  await send(samples.ocsProlog)

  expect(await state.work(workId)).toMatchObject({ state: 'Failed' })
})

test('the question for jobs is answered alike for known and unknown devices', async () => {
  await workingAgent(world, 'known')
  await post(fromComputer(samples.fusionInventory, 'known-shared'))
  for (const name of ['known', 'known-shared']) await work(await computerOf(deviceIdOf(name)), await readyPackage())
  const { token: own } = await enrolmentToken({ maxUses: 1 })
  await post(fromComputer(samples.fusionInventory, 'curious'), { secret: own })

  for (const address of [secret, foreign, own])
    for (const name of ['known', 'known-shared', 'unknown', 'curious'])
      expect([address, name, await getConfig(address, name)]).toEqual([address, name, noJobs])
})

test('a GLPI agent without anything to do asks once more without its agent id, and is answered', async () => {
  const send = (report: string, headers: Record<string, string>) => post(fromComputer(report, 'idle'), { headers })
  await send(samples.full, agents.glpi)
  await sql`update enrolment_tokens set expires_at = now() where id = ${tokenId}`.execute(db)

  const prolog = await send(samples.prolog, { 'user-agent': agents.glpi['user-agent'] })

  expect(prolog).toMatchObject({ status: 200, text: expect.stringContaining('<RESPONSE>OTHER</RESPONSE>') })
  expect(await devicesOf('idle')).toHaveLength(1)
})
