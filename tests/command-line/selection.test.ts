import { expect, test } from 'vitest'
import { openRolloutWorld } from '../../server/test/rollouts/rollout-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openRolloutWorld()
const { db, given, readyPackage } = world
const { muster } = await commandsIn(world)

/** A group with computers, and a package for them. */
async function office(name: string) {
  const group = await given.group({ name })
  const computers = [await given.computer({ name: `${name}-1` }), await given.computer({ name: `${name}-2` })]
  for (const computer of computers) await given.member(group, computer)
  return { group, computers, names: [`${name}-1`, `${name}-2`] as const }
}

const workOf = ({ id }: { id: number }) =>
  db.selectFrom('work').select(['kind', 'timeout_minutes']).where('computer_id', '=', id).orderBy('id').execute()

test('a package is installed on named computers, and uninstalled with the other computers of their groups in view', async () => {
  const { computers, names, group } = await office('sales')
  const editor = await readyPackage({ name: 'Sales editor', version: '2' })

  const planned = await muster('selection', 'install', 'sales editor', ...names, '--dry-run')
  const installed = await muster('selection', 'install', 'sales editor', ...names)
  await given.assignment(group, editor, 'package')
  for (const { id } of computers)
    await db
      .insertInto('deployments')
      .values({ computer_id: id, package_id: editor.id, result: 'Success', installation_state: 'Installed' })
      .onConflict((conflict) =>
        conflict.constraint('deployments_pkey').doUpdateSet({ installation_state: 'Installed' }),
      )
      .execute()
  await db.deleteFrom('work').execute()
  const refused = await muster('selection', 'uninstall', 'sales editor', 'sales-1')
  const uninstalled = await muster('selection', 'uninstall', 'sales editor', 'sales-1', '--expect', '2')

  expect(planned.out).toContain('Sales editor@2 would be installed on 2 computers.')
  expect(planned.out).toContain('2 computers as new members of Assignment')
  expect(installed.out).toContain('Sales editor@2 is installed on 2 computers.')
  expect(installed.out).toMatch(/\nTask [\w-]+\n$/)
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('repeat with --expect 2')])
  expect(uninstalled.out).toContain('Sales editor@2 is uninstalled from 1 computer.')
  expect(uninstalled.out).toContain('1 of 2 computers; the others follow')
  expect(await workOf(computers[0] as { id: number })).toMatchObject([{ kind: 'Uninstall' }])
})

test('a restart of computers that options select states their number, and gives users time', async () => {
  const { computers, group } = await office('desk')

  const refused = await muster('selection', 'restart', '--group', group.name)
  const restarted = await muster('selection', 'restart', '--group', group.name, '--expect', '2')

  expect([refused.code, refused.err]).toEqual([1, 'The restart affects 2 computers: repeat with --expect 2.\n'])
  expect(restarted.out).toContain('2 computers restart; users have 15 minutes.')
  for (const computer of computers)
    expect(await workOf(computer)).toMatchObject([{ kind: 'Power', timeout_minutes: 15 }])
})

test('computers are deleted only if their number is stated, even if each is named', async () => {
  const { names } = await office('old')

  const planned = await muster('selection', 'delete', ...names, '--dry-run')
  const refused = await muster('selection', 'delete', ...names)
  const deleted = await muster('selection', 'delete', ...names, '--expect', '2')

  expect(planned.out).toBe('2 computers would be deleted.\n  old-1\n  old-2\n')
  expect(refused.code).toBe(1)
  expect(deleted.out).toContain('2 computers are deleted.')
  expect((await muster('selection', 'rescan', ...names)).err).toContain('No computer is named "old-1"')
})

test('nothing is selected by mistake: neither without names and options, nor with both', async () => {
  const { names, group } = await office('all')

  const without = await muster('selection', 'deploy')
  const both = await muster('selection', 'deploy', names[0], '--group', group.name)

  expect([without.code, without.err]).toEqual([2, 'Name computers, or select them with options such as --group.\n'])
  expect(both.code).toBe(2)
})
