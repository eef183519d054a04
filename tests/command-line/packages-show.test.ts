import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../server/test/world/open-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openWorld()
const { db, given } = world
const { muster } = await commandsIn(world)

test('a package is shown with its relations and the computers that it is for', async () => {
  const suite = await given.package({
    ...{ name: 'Suite', package_name: 'suite', version: '3.0' },
    manifest: JSON.stringify({ onlyFor: { minMemoryMb: 8192, architectures: ['x64', 'arm64'] } }),
  })
  const runtime = await given.package({ name: 'Runtime', package_name: 'runtime', version: '8' })
  await db
    .insertInto('package_requirements')
    .values([
      { package_id: suite.id, required_name: 'runtime' },
      { package_id: suite.id, required_name: 'fonts', pulls: false },
    ])
    .execute()
  await db.insertInto('package_conflicts').values({ package_id: runtime.id, conflicting_name: 'SUITE' }).execute()
  await db
    .insertInto('package_supersedes')
    .values({ package_id: suite.id, superseded_name: 'old-suite', uninstalls_first: true })
    .execute()

  await sql`
    insert into package_trials (package_id, computer_name, work_id, task_id, started_by, expires_at, state, finished_at)
    values (${suite.id}, 'PC-7', 1, new_uuid(), 'ada', now(), 'Failed', now())`.execute(db)

  const { code, out } = await muster('packages', 'show', 'suite')

  expect(code).toBe(0)
  for (const line of [
    /Last trial +Failed on PC-7, /,
    /Requires +fonts \(no package has this name\)/,
    /Requires +runtime \(is pulled in\)/,
    /Supersedes +old-suite \(uninstalled first\)/,
    /Conflicts with +runtime/,
    /Only for +architecture x64 or arm64/,
    /Only for +at least 8192 MB of memory/,
  ])
    expect(out).toMatch(line)
  expect((await muster('packages', 'show', 'runtime')).out).toMatch(/Required by +Suite 3\.0/)
})
