import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, dialog, gone, isDisabled } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { example, listOf, problem } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

// The list of approvals has the components that most pages have: a table, a pager, times, states and the button that refreshes.
const path = 'GET /api/approvals'

type Approval = AnswerOf<typeof path>['items'][number]

const approval = (changes: Partial<Approval> = {}): Approval => ({
  ...(example(path).items[0] as Approval),
  state: 'Pending',
  requestedAtUtc: '2026-11-19T08:15:30.000Z',
  ...changes,
})

const table = () => screen.findByRole('table', { name: 'Approvals' })

test('a table says that it is being read, and then has its rows, with a name for screen readers', async () => {
  const { promise, resolve } = Promise.withResolvers<AnswerOf<typeof path>>()
  fakeService().on(path, () => promise)
  await openPage('/admin/approvals')

  const loading = await screen.findByRole('table')
  expect(loading.getAttribute('aria-busy')).toBe('true')
  expect(loading.getAttribute('aria-label')).toBe('Loading')
  resolve(listOf([approval()]))

  const shown = await table()
  await waitFor(() => expect(shown.getAttribute('aria-busy')).toBe('false'))
  expect(within(shown).getAllByRole('columnheader').length).toBeGreaterThan(3)
  // The heading and the row.
  expect(within(shown).getAllByRole('row')).toHaveLength(2)
  await expectAccessible(shown)
})

test('a table that cannot be read says why, and is read again on request', async () => {
  let isBroken = true
  fakeService().on(path, () => (isBroken ? problem(403, 'Forbidden') : listOf([approval()])))
  await openPage('/admin/approvals')
  const retry = await screen.findByRole('button', { name: 'Try again' })
  expect(screen.queryByRole('table')).toBeNull()

  isBroken = false
  await click(retry)

  await table()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

test('an empty table says so in words instead of showing headings', async () => {
  fakeService().on(path, listOf<Approval>([]))
  await openPage('/admin/approvals')

  await screen.findByText('No requests')
  expect(screen.queryByRole('table')).toBeNull()
  expect(screen.queryByRole('navigation', { name: 'Previous page, Next page' })).toBeNull()
})

test('a pager announces which rows are shown, keeps its place in the address and ends at both ends', async () => {
  const totalCount = 70
  const asked: (string | null)[] = []
  fakeService().on(path, ({ query }) => {
    asked.push(query.get('skip'))
    return { ...listOf([approval()]), skip: Number(query.get('skip')), totalCount }
  })
  const { address } = await openPage('/admin/approvals')
  const pager = await screen.findByRole('navigation', { name: 'Previous page, Next page' })
  const range = await within(pager).findByText('1–50 of 70')
  expect(range.getAttribute('aria-live')).toBe('polite')
  expect(isDisabled(button(pager, 'Previous page'))).toBe(true)

  await click(button(pager, 'Next page'))

  await within(pager).findByText('51–70 of 70')
  expect(address()).toBe('/admin/approvals?skip=50')
  expect(isDisabled(button(pager, 'Next page'))).toBe(true)
  await click(button(pager, 'Previous page'))
  await within(pager).findByText('1–50 of 70')
  expect(new Set(asked)).toEqual(new Set(['0', '50']))
})

test('a time is that of the person, with the exact time in UTC for machines and on request', async () => {
  fakeService().on(path, listOf([approval()]))
  await openPage('/admin/approvals')

  const [time] = (await table()).getElementsByTagName('time')

  expect(time?.textContent).toBe('Nov 19, 2026, 9:15 AM')
  expect(time?.getAttribute('datetime')).toBe('2026-11-19T08:15:30.000Z')
  expect(time?.title).toBe('2026-11-19T08:15:30.000Z')
})

test('what is refreshed stays visible while it is read again', async () => {
  let answers: Promise<AnswerOf<typeof path>> = Promise.resolve(listOf([approval()]))
  fakeService().on(path, () => answers)
  await openPage('/admin/approvals')
  await table()
  const { promise, resolve } = Promise.withResolvers<AnswerOf<typeof path>>()
  answers = promise

  await click(button(document.body, 'Refresh'))

  expect(within(await table()).getAllByRole('row')).toHaveLength(2)
  expect(isDisabled(button(document.body, 'Refresh'))).toBe(true)
  resolve(listOf([approval(), approval({ approvalId: '01a1f2ca-9e86-78b0-ac1c-86d5ebaf0a8b' })]))
  await waitFor(async () => expect(within(await table()).getAllByRole('row')).toHaveLength(3))
})

test('when the row with the focus disappears, the focus moves to the heading of the page', async () => {
  let isWaiting = true
  fakeService()
    .on(path, () => listOf(isWaiting ? [approval()] : []))
    .on('POST /api/approvals/{id}', () => {
      isWaiting = false
      return { ...example('POST /api/approvals/{id}'), problemCode: null }
    })
  await openPage('/admin/approvals')
  const opener = await screen.findByRole('button', { name: /^Approve: / })
  opener.focus()
  await click(opener)
  const question = await dialog(/^Approve /)

  await click(button(question, 'Approve'))

  await gone(question)
  await gone(opener)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })))
})
