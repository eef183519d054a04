import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deleteComputer } from '../../../src/features/computers/api/delete-computer.ts'
import { getComputerHealth } from '../../../src/features/issues/api/get-computer-health.ts'
import { until } from '../../database/embedded-postgres/muster.ts'
import type { AgentWorld } from './agent-world.ts'
import { openAgentWorld } from './agent-world.ts'

const { agent, as, db, readyPackage, work } = await openAgentWorld()

type Agent = Awaited<ReturnType<AgentWorld['agent']>>

const agents = async (count: number): Promise<Agent[]> => {
  const enrolled: Agent[] = []
  for (let n = 0; n < count; n++) enrolled.push(await agent())
  return enrolled
}

type Lock = { table: 'computers' | 'agents' | 'computer_contacts' | 'work'; mode: 'update' | 'no key update' }

/** Locks the rows of a computer, as another transaction would, while `run` runs. */
async function whileLocked<T>({ id }: { id: number }, locks: readonly Lock[], run: () => Promise<T>): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    for (const { table, mode } of locks) {
      const key = table === 'computers' ? sql`id` : sql`computer_id`
      await sql`select from ${sql.table(table)} where ${key} = ${id} for ${sql.raw(mode)}`.execute(transaction)
    }
    return run()
  })
}

const everything: Lock[] = [
  { table: 'computers', mode: 'update' },
  { table: 'agents', mode: 'update' },
  { table: 'computer_contacts', mode: 'update' },
]

const maxMilliseconds = 2_000

const ipOf = async (id: number) =>
  (await as('computer.read').call(getComputerHealth, { params: { id } })).body.ipAddress

/** Deletes the computer as a client does, which comes back when the service is too busy. */
const deletePatiently = ({ id }: Agent) =>
  until(async () => {
    const { status } = await as('computer.write').call(deleteComputer, { params: { id }, query: { force: true } })
    if (status !== 503) expect(status).toBe(204)
    return status === 204
  })

describe('locked rows', () => {
  test('a lock on one computer neither delays nor fails the contacts of others', async () => {
    const [locked, ...others] = await agents(100)
    if (!locked) throw new Error('There is no agent.')
    await Promise.all([locked, ...others].map(({ contact }) => contact()))

    const { own, answers, milliseconds } = await whileLocked(locked, everything, async () => {
      const startedAt = Date.now()
      const own = locked.contact({ rebootRequired: true, ipAddress: '10.1.0.1' })
      const answers = await Promise.all(
        others.map(({ contact }, at) => contact({ rebootRequired: true, ipAddress: `10.1.1.${at}` })),
      )
      const milliseconds = Date.now() - startedAt
      return { own: await own, answers, milliseconds }
    })

    expect(answers.map(({ status }) => status)).toEqual(others.map(() => 200))
    expect(milliseconds).toBeLessThan(maxMilliseconds)
    expect(own.status).toBe(503)
    expect(own.problem).toBe('ResourceBusy')
    expect(own.headers['retry-after']).toBe('2')
    expect((await locked.contact({ rebootRequired: true })).status).toBe(200)
  }, 60_000)

  test('a contact with news of a computer that is locked for a moment succeeds', async () => {
    const busy = await agent()
    await busy.contact()

    const { contacted } = await whileLocked(busy, everything, async () => {
      const contacted = busy.contact({ rebootRequired: true, ipAddress: '10.1.0.2' })
      await sleep(200)
      return { contacted }
    })

    expect((await contacted).status).toBe(200)
    expect(await ipOf(busy.id)).toBe('10.1.0.2')
  })

  test('a first contact does not wait for the lock of a deletion', async () => {
    const [locked, other] = [await agent(), await agent()]

    const answers = await whileLocked(locked, [{ table: 'computers', mode: 'update' }], () =>
      Promise.all([locked.contact(), other.contact()]),
    )

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })

  test('a contact without news succeeds whatever is locked', async () => {
    const locked = await agent()
    await locked.contact()

    const answer = await whileLocked(locked, everything, () => locked.contact())

    expect(answer.status).toBe(200)
  })

  test('a contact of a computer that is being changed succeeds, and the next one stores the new address', async () => {
    const changed = await agent()
    await changed.contact({ ipAddress: '10.2.0.1' })

    const answer = await whileLocked(changed, [{ table: 'computers', mode: 'no key update' }], () =>
      changed.contact({ ipAddress: '10.2.0.2', rebootRequired: true }),
    )

    expect(answer.status).toBe(200)
    expect(await ipOf(changed.id)).toBe('10.2.0.1')
    await changed.contact({ ipAddress: '10.2.0.2', rebootRequired: true })
    expect(await ipOf(changed.id)).toBe('10.2.0.2')
  })

  test('an agent whose work is locked gets no work and comes back soon', async () => {
    const busy = await agent()
    await work(busy, await readyPackage())

    const answer = await whileLocked(busy, [{ table: 'work', mode: 'update' }], () => busy.contact())

    expect(answer.status).toBe(200)
    expect(answer.body.work).toEqual([])
    expect(answer.body.nextContactSeconds).toBeLessThanOrEqual(15)
    expect((await busy.contact()).body.work).toHaveLength(1)
  })

  test('deletions never fail the contacts of other computers', async () => {
    const [deleted, others] = [await agents(30), await agents(10)]
    // A long history makes deletions slow enough to meet contacts.
    await sql`
      insert into distribution_events (computer_id, result, classification)
      select id, 'Success', 'Report' from unnest(${deleted.map(({ id }) => id)}::integer[]) as id, generate_series(1, 1000)
      `.execute(db)
    const statuses: number[] = []
    const ownStatuses: number[] = []
    let isDeleting = true

    const contacts = others.map(async ({ contact }, at) => {
      for (let n = 0; isDeleting || n < 5; n++)
        statuses.push((await contact({ ipAddress: `10.3.${n % 200}.${at}`, rebootRequired: n % 2 === 0 })).status)
    })
    const ownContacts = deleted.map(async ({ contact }) => {
      while (isDeleting) ownStatuses.push((await contact({ ipAddress: '10.4.0.1' })).status)
    })
    await Promise.all(deleted.map(deletePatiently))
    isDeleting = false
    await Promise.all([...contacts, ...ownContacts])

    expect(new Set(statuses)).toEqual(new Set([200]))
    expect([...new Set(ownStatuses)].filter((status) => ![200, 401, 503].includes(status))).toEqual([])
  }, 60_000)
})
