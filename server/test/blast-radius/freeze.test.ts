import { afterEach, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { reportContact } from '../../src/channels/agent/report-contact.ts'
import { getFreeze } from '../../src/features/blast-radius/api/get-freeze.ts'
import { setFreeze } from '../../src/features/blast-radius/api/set-freeze.ts'
import { assignWakeUpsToDepots } from '../../src/features/wake-on-lan/wake-ups.ts'
import { contact as contactBody } from '../channels/agent/agent-world.ts'
import { openFusionWorld } from '../channels/fusion/fusion-world.ts'
import { workingAgent } from '../channels/fusion/working-agent.ts'
import { caller } from '../world/caller.ts'
import { countStatements } from '../world/statements.ts'

const world = await openFusionWorld()
const { agent, app, as, database, db, given, readyPackage, state, work } = world

const freeze = (frozen: boolean) =>
  as('admin.manage').call(setFreeze, { body: { frozen, reason: frozen ? 'Wrong package on the tills' : null } })
afterEach(() => freeze(false))

test('a freeze shows who has frozen the installation, since when and why, to everybody with a token', async () => {
  const frozen = await freeze(true)
  const again = await as('admin.manage').call(setFreeze, { body: { frozen: true, reason: 'Still wrong' } })
  const shown = (await as('scan.execute').call(getFreeze)).body
  const ended = await freeze(false)

  expect(frozen.body).toMatchObject({
    frozen: true,
    reason: 'Wrong package on the tills',
    frozenBy: expect.any(String),
  })
  expect(again.body).toEqual({ ...frozen.body, reason: 'Still wrong' })
  expect(shown).toEqual(again.body)
  expect(ended.body).toEqual({ frozen: false, reason: null, frozenAtUtc: null, frozenBy: null })
})

test('a freeze needs a reason', async () => {
  const refused = await as('admin.manage').call(setFreeze, { body: { frozen: true } })

  expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name: 'reason' }] } })
})

test('the first contact after a freeze gets no work, on every node, and the first one after it gets the work', async () => {
  const machine = await agent()
  const workId = await work(machine, await readyPackage())
  const otherNode = await buildApp({ database, configuration: app.services.configuration })
  onTestFinished(() => otherNode.http.close())
  const elsewhere = async () => {
    const answer = await caller(otherNode, machine.credential).call(reportContact, {
      body: { ...contactBody(), runId: machine.runId },
    })
    return answer.body.work.map((item) => item.workId)
  }

  await freeze(true)
  let frozen: object = {}
  const count = await countStatements(async () => {
    frozen = (await machine.contact()).body
  })
  const frozenElsewhere = await elsewhere()
  await freeze(false)

  expect(frozen).toMatchObject({ work: [], offers: [] })
  expect(count).toBe(1)
  expect(frozenElsewhere).toEqual([])
  expect(await elsewhere()).toEqual([workId])
})

test('work that has started continues and reports its result; work that has only been leased does not start', async () => {
  const machine = await agent()
  const [begun, waiting] = [await work(machine, await readyPackage()), await work(machine, await readyPackage())]
  await machine.contact()
  await machine.start(begun)

  await freeze(true)
  const started = await machine.start(waiting)
  const repeated = await machine.start(begun)
  const progress = await machine.progress(begun)
  const reported = await machine.report(begun)

  expect(started).toMatchObject({ status: 409, problem: 'WorkNotHeld' })
  expect([repeated, progress, reported].map(({ problem }) => problem)).toEqual([undefined, undefined, undefined])
  expect((await state.work(begun)).state).toBe('Success')
  await freeze(false)
  const { body } = await machine.contact({ emptyHanded: true })
  expect(body.work.map(({ workId }) => workId)).toEqual([waiting])
})

test('agents of others get no jobs while the installation is frozen, and running jobs report their result', async () => {
  const machine = await workingAgent(world, 'frozen')
  const runningId = await work(machine, await readyPackage())
  const running = await machine.firstJob()
  const waitingId = await work(machine, await readyPackage())

  await freeze(true)
  const { jobs = [] } = await machine.jobs()
  await machine.begins(running)
  await machine.succeeds(running)

  expect(jobs).toEqual([])
  expect((await state.work(runningId)).state).toBe('Success')
  expect((await state.work(waitingId)).state).toBe('Due')
  await freeze(false)
  expect((await machine.jobs()).jobs).toHaveLength(1)
})

test('nobody is woken while the installation is frozen', async () => {
  const computer = await given.computer()
  await db.insertInto('wake_requests').values({ computer_id: computer.id, wake_at: new Date() }).execute()

  await freeze(true)
  const frozen = await assignWakeUpsToDepots(db)
  await freeze(false)

  expect(frozen).toBe(0)
  expect(await assignWakeUpsToDepots(db)).toBe(1)
})
