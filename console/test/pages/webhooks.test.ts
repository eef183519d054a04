import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, dialog, fill, gone, press, row } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { FakeResource } from '../world/fake-resource.ts'
import { example, listOf, problem } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const path = '/api/webhooks/{id}'

type Webhook = AnswerOf<`GET ${typeof path}`>
type Delivery = AnswerOf<`GET ${typeof path}/deliveries`>['items'][number]

const known = {
  ...{ id: 'w1', name: 'Failures to chat', url: 'https://chat.example.org/hooks/muster', computerId: null },
  ...{ isPaused: false, pauseReason: null, failures: 0, failingSinceUtc: null, nextAttemptAtUtc: null },
}

/** A webhook with a delivery that failed and one that arrived. */
function givenWebhook(changes: Partial<Webhook> = {}) {
  const webhook = new FakeResource<Webhook>(
    example(`GET ${path}`, { ...known, types: ['muster.deployment.failed'], ...changes }),
    'WebhookNotFound',
  )
  const delivery = example(`GET ${path}/deliveries`).items[0] as Delivery
  const service = fakeService()
    .onAny(`GET ${path}`, webhook.read)
    .onAny(
      `PATCH ${path}`,
      webhook.update(({ body }, before) => ({ ...before, ...(body as Partial<Webhook>) })),
    )
    .onAny(
      `DELETE ${path}`,
      webhook.update(() => undefined),
    )
    .on('GET /api/webhooks', () => listOf(webhook.value ? [webhook.value] : []))
    .on(
      `GET ${path}/deliveries`,
      listOf([
        { ...delivery, id: 2, position: '43', attempt: 2, status: 204, error: null },
        { ...delivery, id: 1, position: '43', attempt: 1, status: 503, error: 'The receiver answered 503.' },
      ]),
    )
  return { service, webhook }
}

async function chooseAction(name: string): Promise<void> {
  await click(await screen.findByRole('button', { name: 'More actions' }))
  await click(await screen.findByRole('menuitem', { name }))
}

test('a webhook is created, and its secret is shown once', async () => {
  const { service } = givenWebhook()
  const created = { ...example('POST /api/webhooks'), ...known, secret: 'whsec_the-secret' }
  service.on('POST /api/webhooks', ({ body }) =>
    body.url.startsWith('https:')
      ? { ...created, name: body.name }
      : problem(400, 'WebhookAddressRefused', 'Only http and https.'),
  )
  const { address } = await openPage('/admin/webhooks')
  await row(/Failures to chat.*muster\.deployment\.failed.*Active/)

  await click(button(document.body, 'Create webhook'))
  const panel = await dialog('Create webhook')
  await fill(within(panel).getByLabelText(/^Name/), 'Issues to tickets')
  await fill(within(panel).getByLabelText(/^Address/), 'ftp://tickets.example.org')
  await within(panel).findByText('Only http and https.')
  await fill(within(panel).getByLabelText(/^Address/), 'https://tickets.example.org/hook')
  const types = within(panel).getByLabelText('Types of events', { selector: 'input' })
  await fill(types, 'muster.issue.*')
  await press('Enter', types)
  await within(panel).findByText(/Posts every event from now on that Issues to tickets selects/)
  await expectAccessible(panel)
  await click(button(panel, 'Create webhook'))
  const shown = await dialog('Store this secret now')
  expect(within(shown).getByLabelText<HTMLInputElement>('Signing secret').value).toBe('whsec_the-secret')
  await click(within(shown).getByLabelText('I have stored the secret'))
  await click(button(shown, 'Continue'))

  await waitFor(() => expect(address()).toBe('/admin/webhooks/w1'))
  expect(document.body.textContent).not.toContain('whsec_the-secret')
  const url = 'https://tickets.example.org/hook'
  const body = { name: 'Issues to tickets', url, types: ['muster.issue.*'], computerId: null }
  expect(service.bodies('POST /api/webhooks')).toEqual([body])
})

test('the page of a webhook shows its deliveries, and sends a test event', async () => {
  const { service } = givenWebhook({ isPaused: true, pauseReason: 'The receiver answered 410.', principalId: 1 })
  const sendTest = `POST ${path}/test` as const
  service.on(sendTest, { status: 204, error: null, durationMs: 38 })
  await openPage('/admin/webhooks/w1')
  await screen.findByText('The receiver answered 410.')
  screen.getByText('The visitor', { selector: 'dd, dd *' })
  await row(/43.*1.*Failed.*The receiver answered 503\./)
  await row(/43.*2.*Delivered \(204\)/)

  await click(button(document.body, 'Send test event'))
  await screen.findByText('The receiver answered 204 after 38 ms.')
  service.on(sendTest, { status: null, error: 'The name cannot be resolved.', durationMs: 12 })
  await click(button(document.body, 'Send test event'))

  await screen.findByText('The test event was not accepted: The name cannot be resolved.')
})

test('a webhook is edited, paused and continued; what others change meanwhile is shown', async () => {
  const { service, webhook } = givenWebhook()
  await openPage('/admin/webhooks/w1')

  await chooseAction('Edit')
  const panel = await dialog('Edit Failures to chat')
  await fill(within(panel).getByLabelText(/^Name/), 'Failures')
  await within(panel).findByText('The change applies to the next event.')
  webhook.change({ url: 'https://chat.example.org/new' })
  await click(button(panel, 'Save'))
  await within(panel).findByText(/^Someone else has changed this since you looked\./)
  await within(panel).findByText(/Address: .* → https:\/\/chat\.example\.org\/new/)
  await waitFor(() => click(button(panel, 'Save')))
  await gone(panel)
  await click(await screen.findByRole('button', { name: 'Pause' }))
  const pause = await dialog('Pause Failures')
  await within(pause).findByText(/Nothing is sent until it continues/)
  await click(button(pause, 'Pause'))
  await click(await screen.findByRole('button', { name: 'Continue' }))
  const resume = await dialog('Continue Failures')
  await within(resume).findByText(/Delivers at once what happened in the meantime/)
  await click(button(resume, 'Continue'))
  await screen.findByRole('button', { name: 'Pause' })

  expect(service.bodies(`PATCH ${path}`).slice(-2)).toEqual([{ isPaused: true }, { isPaused: false }])
  expect(webhook.value).toMatchObject({ name: 'Failures', url: 'https://chat.example.org/new', isPaused: false })
})

test('a webhook gets a new secret, delivers again from a position, and is deleted, in German as well', async () => {
  const { service, webhook } = givenWebhook()
  service.on(`POST ${path}/secret`, { secret: 'whsec_new' }).on(`POST ${path}/replay`, () => webhook.value as Webhook)
  const { address } = await openPage('/admin/webhooks/w1', { language: 'de' })
  const choose = async (name: string) => {
    await click(await screen.findByRole('button', { name: 'Weitere Aktionen' }))
    await click(await screen.findByRole('menuitem', { name }))
  }

  await choose('Neues Geheimnis')
  const rotate = await dialog('Neues Geheimnis für Failures to chat')
  await within(rotate).findByText(/Einen Tag lang/)
  await click(button(rotate, 'Neues Geheimnis'))
  const shown = await dialog('Geheimnis jetzt speichern')
  await click(within(shown).getByLabelText('Ich habe das Geheimnis gespeichert'))
  await click(button(shown, 'Weiter'))
  await gone(shown)
  await choose('Erneut senden')
  const replay = await dialog('Ereignisse erneut an Failures to chat senden')
  await fill(within(replay).getByLabelText(/^Nach der Position/), '42')
  await within(replay).findByText(/Sendet jedes Ereignis nach Position 42 erneut/)
  await click(button(replay, 'Erneut senden'))
  await gone(replay)
  await choose('Löschen')
  const remove = await dialog('Failures to chat löschen')
  await within(remove).findByText(/wird nichts mehr gesendet/)
  await click(button(remove, 'Löschen'))

  await waitFor(() => expect(address()).toBe('/admin/webhooks'))
  await screen.findByText('Noch keine Webhooks')
  expect(service.bodies(`POST ${path}/replay`)).toEqual([{ after: '42' }])
})
