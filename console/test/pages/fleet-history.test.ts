import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { choose, click, row } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor } from '../world/open-page.tsx'

const list = 'GET /api/fleet/distribution-events'

type Event = AnswerOf<typeof list>['items'][number]

const event = (changes: Partial<Event>): Event => ({ ...(example(list).items[0] as Event), ...changes })

test('the history of all computers is filtered by what was done, and read further back', async () => {
  const service = fakeService().on(list, ({ query }) => ({
    items: query.has('beforeId')
      ? [event({ id: 1, hostname: 'pc-old', packageName: 'Editor', result: 'Failed' })]
      : [
          event({
            id: 9,
            computerId: 17,
            hostname: 'pc-new',
            packageName: 'Browser',
            version: '2.0',
            result: 'Success',
          }),
        ],
    nextBeforeId: query.has('beforeId') ? null : 9,
    searchedUntilUtc: '2026-03-14T09:26:53.000Z',
  }))
  const { address } = await openPage('/history')

  await row(/pc-new.*Browser 2\.0.*Install.*Success/)
  await expectAccessible(document.body)
  expect(screen.getByRole('link', { name: 'pc-new' }).getAttribute('href')).toBe(
    '/computers/17/history?view=deployments',
  )
  await click(screen.getByRole('button', { name: 'Load more' }))
  await row(/pc-old.*Editor.*Failed/)

  await choose(screen.getByRole('combobox', { name: 'Result' }), 'Failed')

  await waitFor(() => expect(address()).toBe('/history?result=Failed'))
  await waitFor(() => expect(service.sent.at(-1)?.query.getAll('result')).toEqual(['Failed']))
})

test('a search without matches goes on by itself, and says how far it got', async () => {
  let page = 100
  const service = fakeService().on(list, () => {
    page -= 1
    return { items: [], nextBeforeId: page, searchedUntilUtc: '2026-03-14T09:26:53.000Z' }
  })
  await openPage('/history?result=Cancelled')

  await screen.findByText('Load more to search further back.')
  screen.getByText(/^Searched back to/)
  expect(service.sent.filter(({ name }) => name === list)).toHaveLength(5)
})

test('computers and packages are chosen by name', async () => {
  const computer = example('GET /api/fleet/computers').items[0]
  const service = fakeService()
    .on('GET /api/fleet/computers', () => listOf([{ ...(computer as object), id: 17, hostname: 'pc-17' }]) as never)
    .on('GET /api/computer/{id}', { ...example('GET /api/computer/{id}'), id: 17, hostname: 'pc-17' })
  const { address } = await openPage('/history', { language: 'de' })

  await choose(await screen.findByRole('combobox', { name: 'Computer' }), 'pc-17')

  await waitFor(() => expect(address()).toBe('/history?computer=17'))
  await waitFor(() =>
    expect(
      service.sent
        .filter(({ name }) => name === list)
        .at(-1)
        ?.query.get('computerId'),
    ).toBe('17'),
  )
})
