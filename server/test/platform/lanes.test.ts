import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { whoAmI } from '../../src/features/service/api/who-am-i.ts'
import { openWorld } from '../world/open-world.ts'

const { as, database, given } = await openWorld()
const editor = as('computer.read', 'computer.write', 'activation.execute')

/** Keeps the rows that the statement locks until the returned function is called. */
async function lockRows(text: string, values: unknown[]): Promise<() => Promise<void>> {
  const client = new pg.Client({ ...database.connection, ssl: false })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  await client.query(text, values)
  return async () => {
    await client.query('rollback')
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1_000
}

const rename = ({ id }: { id: number }, description: string) =>
  editor.call(updateComputer, { params: { id }, body: { description } })

test('25 changes of a locked computer are answered with 503 and Retry-After, and slow down no other request', async () => {
  const [locked, other] = [await given.computer(), await given.computer()]
  await lockRows('select from computers where id = $1 for update', [locked.id])

  const blocked = Promise.all(Array.from({ length: 25 }, (_, n) => rename(locked, `change ${n}`)))
  const answers: { status: number }[] = []
  const seconds = await secondsOf(async () => {
    for (let round = 0; round < 10; round++)
      answers.push(
        await editor.call(whoAmI),
        await editor.call(getComputer, { params: { id: other.id } }),
        await rename(other, `round ${round}`),
      )
  })
  const refusals = await blocked

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(seconds).toBeLessThan(3)
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ status: 503, problem: 'ResourceBusy' })
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0)
  }
})

test('changes wait for whichever end of the audit trail becomes free, not for one that stays locked', async () => {
  const computers = [await given.computer(), await given.computer(), await given.computer(), await given.computer()]
  await lockRows('select from audit_chains where chain <> $1 for update', [5])
  const unlock = await lockRows('select from audit_chains where chain = $1 for update', [5])

  const changes = Promise.all(computers.map((computer) => rename(computer, 'changed')))
  const isWaiting = await Promise.race([changes.then(() => false), sleep(200, true)])
  await unlock()

  expect(isWaiting).toBe(true)
  expect((await changes).map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test('while all ends of the audit trail are locked, a change is refused with 503 instead of waiting forever', async () => {
  await lockRows('select from audit_chains where chain >= $1 for update', [0])

  expect(await rename(await given.computer(), 'changed')).toMatchObject({ status: 503, problem: 'ResourceBusy' })
})

test('30 activations of a group queue behind each other: all succeed, and other requests do not wait for them', async () => {
  const group = await given.group()
  const unlock = await lockRows('select from groups where id = $1 for update', [group.id])

  const activations = Promise.all(
    Array.from({ length: 30 }, () =>
      editor.call(activateGroup, { params: { id: group.id }, body: { software: true } }),
    ),
  )
  const seconds = await secondsOf(async () => {
    for (let round = 0; round < 10; round++) expect((await editor.call(whoAmI)).status).toBe(200)
  })
  await unlock()

  expect(seconds).toBeLessThan(2)
  expect(new Set((await activations).map(({ status }) => status))).toEqual(new Set([200]))
})
