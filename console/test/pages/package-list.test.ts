import { expect, test, vi } from 'vitest'
import type { AnswerOf } from '../world/api-types.ts'
import { example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen } from '../world/open-page.tsx'

type Listed = AnswerOf<'GET /api/fleet/packages'>['items'][number]

/** A list of packages whose results were counted with the fleet, or for the answer. */
function givenPackages(countedAt: readonly (string | null)[]) {
  const [known] = example('GET /api/fleet/packages').items as [Listed]
  const deployments = { success: 1_234, failed: 56, pending: 7 }
  const packages = countedAt.map((deploymentsCountedUtc, at) => ({
    ...known,
    ...{ id: `p${at}`, name: `Package ${at}`, deployments, deploymentsCountedUtc },
  }))
  fakeService().on('GET /api/fleet/packages', listOf(packages))
}

test('the list of packages says how old its counts are if one of them was counted with the fleet', async () => {
  givenPackages([null, new Date(Date.now() - 90_000).toISOString()])
  await openPage('/packages')
  await screen.findByText('Package 1', { exact: false, selector: 'a' })

  expect((await screen.findByText(/^Results of packages with many computers:/)).textContent).toMatch(
    /As of 1 minute ago$/,
  )
})

test('the list of packages shows no age if all packages were counted for the answer', async () => {
  givenPackages([null, null])
  await openPage('/packages')
  await screen.findByText('Package 1', { exact: false, selector: 'a' })

  expect(screen.queryByText(/^Results of packages with many computers:/)).toBeNull()
})

test('a table creates no formats of its own for its cells', async () => {
  givenPackages(Array.from({ length: 40 }, () => null))
  const created = vi.spyOn(Intl, 'DateTimeFormat')

  await openPage('/packages')
  await screen.findByText('Package 39', { exact: false, selector: 'a' })

  expect(screen.getAllByText(/1,234/).length).toBeGreaterThanOrEqual(40)
  expect(created.mock.calls.length).toBeLessThan(40)
  created.mockRestore()
})
