import { expect, test } from 'vitest'
import { openStateWorld, type State } from './state-world.ts'

const { exportState, planOf, apply } = await openStateWorld()

const findGroup = async (path: string) => (await exportState()).groups?.find((group) => group.path === path)

const [path, pilots] = ['Assignment/Converged', 'Assignment/Pilots']
const convergence = {
  state: 'On' as const,
  rings: [{ group: pilots, name: 'Pilots' }, { percent: 20 }, {}],
  expectedComputers: 50,
  maxRemovals: 5,
  windows: [{ days: ['Sat' as const], start: '22:00', durationMinutes: 240 }],
}
const groupsWith = (changed: object): State => ({ groups: [{ path: pilots }, { path, convergence, ...changed }] })

test('the convergence of a group is created with the groups of its rings, exported, changed and removed', async () => {
  const applied = await apply(groupsWith({}))
  expect(applied.body.remaining).toBe(0)

  const exported = await findGroup(path)
  expect(exported?.convergence).toMatchObject({
    state: 'On',
    rings: [{ group: pilots, name: 'Pilots', windows: convergence.windows }, { percent: 20, name: '2' }, { name: '3' }],
    expectedComputers: 50,
    expectedPercent: null,
    maxRemovals: 5,
    maxRepairsPerDay: 3,
  })
  expect((await planOf(groupsWith({}))).changes).toEqual([])
  expect((await planOf(groupsWith(exported ?? {}))).changes).toEqual([])

  const off = groupsWith({ convergence: { state: 'Off' } })
  expect((await planOf(off)).changes).toMatchObject([
    { section: 'groupConvergence', action: 'change', operations: ['setGroupConvergence'] },
  ])
  await apply(off)
  expect((await findGroup(path))?.convergence).toEqual({ state: 'Off' })

  const others = (await exportState()).groups?.filter((group) => group.path !== path) ?? []
  await apply({ groups: [...others, { path }] }, { prune: true })
  expect(await findGroup(path)).toEqual({ path })
})
