import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openRolloutWorld } from '../../server/test/rollouts/rollout-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openRolloutWorld()
const { muster } = await commandsIn(world)

test('the members of a group are kept converged, shown and switched off by the path of the group', async () => {
  await world.given.group({ name: 'Tills' })

  const on = await muster('groups', 'converge', 'Tills', 'on', '--rings', '5', '25%', '--expected-computers', '50')
  const shown = await muster('groups', 'converge', 'Tills')
  const page = await muster('group', 'Tills')
  const off = await muster('groups', 'converge', 'Tills', 'off')
  const inherited = await muster('groups', 'converge', 'Tills', 'inherit')

  expect(on.out).toMatch(/^The members of .*Tills are kept converged\.\n$/)
  expect(shown.out).toMatch(/Rings +5, 25%, the rest/)
  expect(shown.out).toMatch(/Expected computers +50 a day/)
  expect(page.out).toMatch(/Convergence +On/)
  expect(off.out).toMatch(/no longer kept converged/)
  expect(inherited.out).toMatch(/has the setting of the groups above it/)
})

test('rings and limits without a state are refused: they would be ignored', async () => {
  await world.given.group({ name: 'Kiosks' })

  const { code, err } = await muster('groups', 'converge', 'Kiosks', '--max-removals', '5')

  expect(code).toBe(2)
  expect(err).toBe('Rings and limits can be given only with on.\n')
})

test('the computers with software drift are exported as CSV, with no cell that a spreadsheet would evaluate', async () => {
  const computer = await world.given.computer()
  const made = await world.given.package({ name: '=cmd(),"Editor"', version: '4.2.1' })
  await sql`
    insert into software_drifts (computer_id, package_id, kind, product_name)
    select ${computer.id}, ${made.id}, 'Removed', 'Editor' from generate_series(1, 2)`.execute(world.db)

  const { code, out } = await muster('issues', 'software-drift', '-o', 'csv')

  expect(code).toBe(0)
  const [header, line = ''] = out.trimEnd().split('\r\n')
  expect(header).toBe('computer,domain,seen,detail')
  expect(line).toContain(`,"'=cmd(),""Editor"" 4.2.1"`)
})
