import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openRolloutWorld } from '../../server/test/rollouts/rollout-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openRolloutWorld()
const { given, readyPackage } = world
const { muster, musterOn } = await commandsIn(world)

test('a group is created, renamed, moved and deleted by its path, and computers leave it by their names', async () => {
  await given.group({ name: 'Plant' })
  const branches = await given.group({ name: 'Branches' })
  await readyPackage({ name: 'Branch tool', version: '1' }).then((tool) => given.assignment(branches, tool, 'package'))
  for (const name of ['press-1', 'press-2', 'visitor']) await given.computer({ name })

  const rootless = await muster('groups', 'create', 'Hall')
  const planned = await muster('groups', 'create', 'Plant/Hall', '--dry-run')
  const created = await muster('groups', 'create', 'Plant/Hall', '--description', 'Presses')
  await muster('groups', 'create', 'Plant/Hall/Corner')
  await muster('group', 'Plant/Hall', 'add', 'press-1', 'press-2')
  const renamed = await muster('groups', 'rename', 'Plant/Hall', 'Hall 7')
  const moved = await muster('groups', 'move', 'Hall 7', 'Branches', '--expect', '2')
  const { out: shown } = await muster('group', 'Branches/Hall 7')
  const left = await muster('group', 'Hall 7', 'remove', 'press-1', 'visitor')

  expect(rootless).toMatchObject({ code: 2, err: expect.stringContaining('Configuration/Hall, or Assignment/Hall') })
  expect(planned.out).toBe('Configuration/Plant/Hall would be created.\n')
  expect(created.out).toBe('Configuration/Plant/Hall is created.\n')
  expect(renamed.out).toBe('Configuration/Plant/Hall is renamed to Hall 7.\n')
  expect(moved.out).toMatch(
    /^Configuration\/Plant\/Hall 7 is moved to Configuration\/Branches\/Hall 7\.\n {2}Gains \w+ Branch tool 1 from Configuration\/Branches\n$/,
  )
  expect(shown).toContain('Presses')
  expect(left.out).toBe('1 computer is removed; 1 is not in the group itself.\n')
})

test('a group with computers is deleted only by those who know their number', async () => {
  const doomed = await given.group({ name: 'Doomed' })
  await given.group({ name: 'Below', parent: doomed })
  await given.member(doomed, await given.computer({ name: 'survivor' }))
  const remove = ['groups', 'delete', 'Doomed']
  const questions: string[] = []
  const answering = (answer: string) => ({
    ask: async (question: string) => {
      questions.push(question)
      return answer
    },
  })

  const planned = await muster(...remove, '--dry-run')
  const unasked = await muster(...remove)
  const expected = await muster(...remove, '--expect', '2')
  const declined = await musterOn(answering('yes'), ...remove)
  const shown = await muster('group', 'Doomed/Below')
  const confirmed = await musterOn(answering('1'), ...remove, '-o', 'json')

  const whole = 'Configuration/Doomed with 1 group below it'
  expect(planned.out).toBe(`${whole} would be deleted. It has 1 computer.\n`)
  expect(unasked).toMatchObject({
    code: 1,
    err: `The deletion of ${whole} affects 1 computer: repeat with --expect 1.\n`,
  })
  expect(expected).toMatchObject({ code: 1, err: expect.stringContaining('(UnexpectedCount)') })
  expect(declined).toMatchObject({ code: 1, err: 'Nothing was changed.\n' })
  expect(shown.code).toBe(0)
  expect(questions).toEqual(Array(2).fill(`The deletion of ${whole} affects 1 computer. Type 1 to continue: `))
  expect(JSON.parse(confirmed.out)).toMatchObject({ path: 'Configuration/Doomed', groupsBelow: 1, computers: 1 })
  expect((await muster('group', 'Doomed')).code).toBe(2)
  expect((await muster('computer', 'survivor')).code).toBe(0)
})

test('an agent template is assigned to a group and removed from it by their names', async () => {
  const shops = await given.group({ name: 'Shops' })
  await given.member(shops, await given.computer({ name: 'shop-1' }))
  await given.agentTemplate({ name: 'Agent of shops', version: '2', settings: { contactIntervalMinutes: 30 } })

  const planned = await muster('agent-templates', 'assign', 'agent of shops', 'Shops', '--dry-run')
  const unexpected = await muster('agent-templates', 'assign', 'Agent of shops@2', 'Shops', '--expect', '5')
  const assigned = await muster('agent-templates', 'assign', 'Agent of shops@2', 'Shops')
  const again = await muster('agent-templates', 'assign', 'Agent of shops', 'Shops')
  const shown = await muster('agent-templates', 'show', 'Agent of shops')
  const effective = await muster('agent-templates', 'of', 'shop-1')
  const listed = await muster('agent-templates', 'list', '-o', 'csv')
  const removed = await muster('agent-templates', 'unassign', 'Shops')
  const absent = await muster('agent-templates', 'unassign', 'Shops')

  expect(planned.out).toBe('Agent of shops@2 would be assigned to Configuration/Shops.\n')
  expect(unexpected.err).toContain('(UnexpectedCount)')
  expect(assigned.out).toBe('Agent of shops@2 is assigned to Configuration/Shops.\n')
  expect(again.out).toBe('Agent of shops@2 is already assigned to Configuration/Shops.\n')
  expect(shown.out).toMatch(/contactIntervalMinutes +30\n(.*\n)*Groups +Configuration\/Shops\n/)
  expect(effective.out).toMatch(/contactIntervalMinutes +30\nFrom +Configuration\/Shops\n/)
  expect(listed.out).toContain('Agent of shops,2,yes,contactIntervalMinutes,')
  expect(removed.out).toBe('Agent of shops@2 is removed from Configuration/Shops.\n')
  expect(absent.err).toContain('(NoAgentTemplateAssigned)')
})

test('the members of a group are kept converged, shown and switched off by the path of the group', async () => {
  await given.group({ name: 'Tills' })

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
  await given.group({ name: 'Kiosks' })

  const { code, err } = await muster('groups', 'converge', 'Kiosks', '--max-removals', '5')

  expect(code).toBe(2)
  expect(err).toBe('Rings and limits can be given only with on.\n')
})

test('the computers with software drift are exported as CSV, with no cell that a spreadsheet would evaluate', async () => {
  const computer = await given.computer()
  const made = await given.package({ name: '=cmd(),"Editor"', version: '4.2.1' })
  await sql`
    insert into software_drifts (computer_id, package_id, kind, product_name)
    select ${computer.id}, ${made.id}, 'Removed', 'Editor' from generate_series(1, 2)`.execute(world.db)

  const { code, out } = await muster('issues', 'software-drift', '-o', 'csv')

  expect(code).toBe(0)
  const [header, line = ''] = out.trimEnd().split('\r\n')
  expect(header).toBe('computer,domain,seen,detail')
  expect(line).toContain(`,"'=cmd(),""Editor"" 4.2.1"`)
})
