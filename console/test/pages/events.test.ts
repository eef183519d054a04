import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, fill, row } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { example, problem } from '../world/fake-service.ts'
import { FakeEventSource } from '../world/fake-stream.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const list = 'GET /api/events'
type Event = AnswerOf<typeof list>['items'][number]

const event = (position: number, changes: Partial<Event> = {}): Event => ({
  ...(example(list).items[0] as Event),
  ...{ id: String(position), position: String(position), type: 'muster.task.created' },
  ...{ data: { computers: 1, computerId: position, computerName: `pc-${position}` }, ...changes },
})

/** A log of 50,000 events, of which the person may see three. */
function givenLog() {
  const all = [20_000, 49_999, 50_000].map((position) => event(position))
  return fakeService().on(list, ({ query }) => {
    const after = Number(query.get('after') ?? 0)
    const items = all.filter(({ position }) => Number(position) > after)
    return { items, nextAfter: '50000', hasMore: false, oldestPosition: '1', latestPosition: '50000' }
  })
}

test('the latest events are followed by those that happen, and by earlier ones on demand', async () => {
  givenLog()
  await openPage('/admin/events')
  await row(/Task created.*pc-50000.*muster\.task\.created.*50000/)
  await screen.findByText('Live')
  expect(screen.queryByRole('row', { name: /pc-20000/ })).toBeNull()
  await expectAccessible(document.body)

  await FakeEventSource.emit(event(50_001, { type: 'muster.rollout.paused', data: { name: 'Browser' } }))
  await row(/Rollout paused.*Browser.*muster\.rollout\.paused.*50001/)

  await click(button(document.body, 'Load earlier events'))
  await row(/pc-20000/)
})

test('while it is paused, new events are counted and shown afterwards', async () => {
  givenLog()
  await openPage('/admin/events')
  await row(/pc-50000/)
  await screen.findByText('Live')

  await click(button(document.body, 'Pause'))
  await FakeEventSource.emit(event(50_001))
  await screen.findByText('Paused, 1 new event')
  expect(screen.queryByRole('row', { name: /pc-50001/ })).toBeNull()
  await click(button(document.body, 'Continue'))

  await row(/pc-50001/)
})

test('the details of an event lead to its type, and to the events from there', async () => {
  const service = givenLog()
  const { address } = await openPage('/admin/events')
  await click(within(await row(/pc-50000/)).getByRole('button'))
  const drawer = await screen.findByRole('dialog', { name: 'Event 50000' })
  within(drawer).getByText(/"computerName": "pc-50000"/)
  await expectAccessible(drawer)

  await click(button(drawer, 'Events from here on'))

  await waitFor(() => expect(address()).toBe('/admin/events?after=49999'))
  await screen.findByText('Events after position 49999, oldest first.')
  await waitFor(() => expect(service.sent.at(-1)?.query.get('after')).toBe('49999'))
})

test('a position that the log no longer has is refused, and types are part of the address', async () => {
  const service = fakeService().on(list, ({ query }) =>
    query.get('after') === '5'
      ? problem(410, 'EventPositionUnavailable', 'The log begins later.')
      : { items: [], nextAfter: '0', hasMore: false, oldestPosition: '1', latestPosition: '0' },
  )
  const { address } = await openPage('/admin/events?types=muster.issue.*', { language: 'de' })
  await screen.findByText('Keine Ereignisse')
  expect(
    service.sent.filter(({ name }) => name === list).every(({ query }) => query.get('types') === 'muster.issue.*'),
  ).toBe(true)

  await fill(screen.getByLabelText('Nach Position'), '5')

  await screen.findByText('The log begins later.')
  expect(address()).toBe('/admin/events?types=muster.issue.*&after=5')
})
