import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countStatements } from '../world/statements.ts'
import { openConvergenceWorld } from './convergence-world.ts'

// Tests that share a database would take longer beside so many computers.
const world = await openConvergenceWorld({}, { hasOwnDatabase: true })
const { assignNew, converge, convergedFleet, convergence, db, waves } = world

/** Computers without agents that become members of the group in one statement, as a rule adds them. */
async function joinMany({ id }: { id: string }, count: number): Promise<void> {
  await sql`
    with made as (
      insert into computers (name, domain, is_domain, uuid, platform)
      select 'many-' || gen_random_uuid(), 'corp.example.org', true, gen_random_uuid(), 'Linux'
      from generate_series(1, ${count}::integer)
      returning id
    )
    insert into group_computers (group_id, computer_id, is_exclusive)
    select groups.id, made.id, groups.is_exclusive from made, groups where groups.id = ${id}`.execute(db)
}

const countWork = async ({ id }: { id: string }) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from work join group_computers member using (computer_id) where member.group_id = ${id}`.execute(
    db,
  )
  return rows[0]?.count
}

test('ten thousand computers that join at once reach at most the first ring, with as many statements as ten, until a person looks', async () => {
  const { group: small } = await convergedFleet(0)
  await assignNew(small)
  await joinMany(small, 10)
  const forFew = await countStatements(converge)
  const { group } = await convergedFleet(0)
  await assignNew(group)
  await converge()

  await joinMany(group, 10_000)
  const forMany = await countStatements(converge)
  // Half of them are in the wave. The others wait until somebody has looked at it, however much time passes.
  await converge()

  expect(await countWork(group)).toBe(500)
  expect(await waves(group)).toMatchObject([{ expectedComputers: 100, computerCount: 5_000, releasedCount: 500 }])
  // The wave of the small group is continued as well.
  expect(forMany).toBeLessThan(2 * forFew)

  await joinMany(group, 10)
  await assignNew(group)
  await converge()

  expect(await countWork(group)).toBe(500)
  expect((await convergence(group)).waiting).toMatchObject({ code: 'WaveNeedsPerson' })
})
