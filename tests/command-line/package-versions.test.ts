import { expect, test } from 'vitest'
import { openLineWorld } from '../../server/test/package-lines/line-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openLineWorld()
const { assignedTo, doWork, groupWith, installed, tickAll, versions } = world
const { muster } = await commandsIn(world)

test('versions are listed, upgraded and rolled back by their names', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const { group, agents } = await groupWith(old, 2)
  const name = `${current.name}@2.0`

  const released = await muster('packages', 'release', name)
  const listed = await muster('packages', 'versions', current.name)
  const tried = await muster('packages', 'upgrade', name, '--dry-run')
  expect(await assignedTo(group)).toEqual([old.id])
  const upgraded = await muster('packages', 'upgrade', name, '--rings', '1', '100%', '--expect', '2')
  await tickAll()
  await doWork(agents)
  const back = await muster('packages', 'roll-back', name)
  for (let round = 0; round < 2; round++) {
    await tickAll()
    await doWork(agents)
  }

  expect(released.out).toContain('1 group has an older version. Bring this one to them: muster packages upgrade')
  expect(listed.out).toMatch(/2\.0 .*Unused.*to 1 group/)
  expect(listed.out).toMatch(/1\.0 .*InUse/)
  expect(tried.out).toMatch(/would take the place of older versions in 1 group, with 2 computers:/)
  expect(upgraded.out).toMatch(/takes the place .*\n {2}.*: from 1\.0\n {2}Rollout ".*": 2 computers/)
  expect(back.out).toMatch(/^1 computer gets the previous version again\./)
  expect(await installed(agents)).toEqual([[old.id], [old.id]])
})

test('an upgrade that nobody can roll back is an error', async () => {
  const [only] = await versions(['1.0'])

  const { code, err } = await muster('packages', 'roll-back', only.name)

  expect(code).toBe(1)
  expect(err).toMatch(/No upgrade to .* is known that could be rolled back/)
})

test('the clean-up lists packages, and deletes them only with their number', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  await groupWith(current, 0)
  const name = `${old.name}@1.0`

  const listed = await muster('packages', 'clean-up', name)
  const wrong = await muster('packages', 'clean-up', name, '--expect', '2')
  const deleted = await muster('packages', 'clean-up', name, '--expect', '1')
  const used = await muster('packages', 'clean-up', `${current.name}@2.0`)

  expect(listed.out).toMatch(/1\.0 .*Superseded/)
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('1 package can be deleted, and not 2') })
  expect(deleted.out).toMatch(/^1 package was deleted/)
  expect(used.err).toContain('No unused package is named')
})

test('a package joins the line of another one', async () => {
  const [old] = await versions(['1.0'])
  const renamed = await world.readyPackage({ version: '2.0', operating_systems: ['Linux'] })

  const joined = await muster('packages', 'line', renamed.name, old.name)

  expect(joined.out).toContain(`  ${old.name}@1.0`)
})
