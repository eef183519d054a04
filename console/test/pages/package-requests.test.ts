import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, choose, click, dialog, fill, isDisabled, row } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, within } from '../world/open-page.tsx'

const requests = '/api/package-requests'
type Request = AnswerOf<`GET ${typeof requests}`>['items'][number]

const asked = (requestId: string, wish: string): Request => ({
  ...(example(`GET ${requests}`).items[0] as Request),
  ...{ requestId, wish, reason: 'For forms', hostname: 'PC-7', userName: 'mia', state: 'Pending' },
  ...{ packageId: null, packageName: null, packageVersion: null, decidedAtUtc: null, decidedBy: null, answer: '' },
})

/** Package requests, which a decision changes. */
function givenRequests(...given: Request[]) {
  return givenRequestsFor({}, ...given)
}

function givenRequestsFor(session: Parameters<typeof fakeService>[0], ...given: Request[]) {
  let list = given
  const sent: unknown[] = []
  const decide = (id: string | undefined, own: Partial<Request>, body: unknown) => {
    sent.push(body)
    list = list.map((one) => (one.requestId === id ? { ...one, ...own } : one))
    return list.find(({ requestId }) => requestId === id) as Request
  }
  fakeService(session)
    .on(`GET ${requests}`, ({ query }) => listOf(list.filter(({ state }) => (query.get('state') ?? state) === state)))
    .on(`POST ${requests}/{id}/approval`, ({ params, body }) => decide(params[0], { state: 'Approved' }, body))
    .on(`POST ${requests}/{id}/refusal`, ({ params, body }) => decide(params[0], { state: 'Declined' }, body))
  return {
    sent,
    set(...now: Request[]) {
      list = now
    },
  }
}

test('a package request is approved with a package, and another one is declined with a reason', async () => {
  const { sent } = givenRequests(asked('a', 'A PDF editor'), asked('b', 'A game'))
  const [offered] = example('GET /api/fleet/packages').items
  await openPage('/package-requests')

  await row(/A PDF editor.*For forms.*PC-7.*mia.*Waiting/)
  await click(button(document.body, 'Approve: A PDF editor, PC-7'))
  const approval = await dialog('Approve the request?')
  await expectAccessible(approval)
  expect(isDisabled(button(approval, 'Approve'))).toBe(true)
  await choose(within(approval).getByRole('combobox', { name: /Package/ }), new RegExp(offered?.name ?? ''))
  await click(button(approval, 'Approve'))
  await row(/A PDF editor.*Approved/)
  await click(button(document.body, 'Decline: A game, PC-7'))
  const refusal = await dialog('Decline the request?')
  await fill(within(refusal).getByRole('textbox', { name: /Reason/ }), 'Not at work.')
  await click(button(refusal, 'Decline'))
  await row(/A game.*Declined/)

  expect(sent).toEqual([{ packageId: offered?.id, answer: '' }, { answer: 'Not at work.' }])
})

test('a person who may only read decides nothing', async () => {
  givenRequestsFor({ roles: ['computer.read'] }, asked('a', 'A PDF editor'))
  await openPage('/package-requests')

  await row(/A PDF editor/)

  expect(screen.queryByRole('button', { name: /Approve|Decline/ })).toBeNull()
})
