import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, contentOf, dialog, fill, gone, press, row } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { FakeResource } from '../world/fake-resource.ts'
import { example, listOf, problem } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const path = '/api/reports/{id}'

type Report = AnswerOf<`GET ${typeof path}`>
type Run = AnswerOf<`GET ${typeof path}/runs`>['items'][number]

const schedule = { frequency: 'Weekly', time: '06:30', timeZone: 'Europe/Berlin', weekday: 'Monday' } as const

function givenReport(changes: Partial<Report> = {}) {
  const report = new FakeResource<Report>(
    example(`GET ${path}`, {
      ...{ id: 'r1', name: 'Software of Berlin', kind: 'Software', format: 'Csv', schedule, webhookId: null },
      ...{ groupId: null, groupPath: null, isPaused: false, pauseReason: null, recipients: [] },
      ...changes,
    }),
    'ReportNotFound',
  )
  const run = example(`GET ${path}/runs`).items[0] as Run
  const shown = { ...run, reportId: 'r1', isRequested: false, error: null, attempts: 1, hasFile: true }
  const service = fakeService()
    .onAny(`GET ${path}`, report.read)
    .onAny(
      `PATCH ${path}`,
      report.update(({ body }, before) => ({ ...before, ...(body as Partial<Report>) })),
    )
    .on('GET /api/reports', () => listOf(report.value ? [report.value] : []))
    .on(
      `GET ${path}/runs`,
      listOf([
        { ...shown, id: 'n2', state: 'Waiting', attempts: 2, error: 'No mail server is set.', hasFile: false },
        { ...shown, id: 'n1', state: 'Succeeded', rows: 120, totalRows: 200, mailedAtUtc: run.dueAtUtc },
      ]),
    )
  return { service, report, run: shown }
}

test('a report is created with its schedule and recipients', async () => {
  const { service } = givenReport()
  service.on('POST /api/reports', ({ body }) =>
    (body.recipients ?? []).includes('it@elsewhere.example')
      ? problem(400, 'RecipientRefused', 'Not there.')
      : { ...example('POST /api/reports'), id: 'r1', name: body.name },
  )
  const { address } = await openPage('/reports')
  await row(/Software of Berlin.*Installed software \(CSV\).*All computers.*Monday at 06:30.*Active/)

  await click(button(document.body, 'Create report'))
  const panel = await dialog('Create report')
  await fill(within(panel).getByLabelText(/^Name/), 'Issues')
  await fill(within(panel).getByLabelText(/^Time zone/), 'Europe/Berlin')
  const recipients = within(panel).getByLabelText('Mail to', { selector: 'input' })
  await fill(recipients, 'it@example.org')
  await press('Enter', recipients)
  await within(panel).findByText(/Issues is made with your roles/)
  await expectAccessible(panel)
  await click(button(panel, 'Create report'))

  await waitFor(() => expect(address()).toBe('/reports/r1'))
  expect(service.bodies('POST /api/reports')).toEqual([
    {
      ...{ name: 'Issues', kind: 'Issues', format: 'Pdf', groupId: null, webhookId: null },
      ...{ recipients: ['it@example.org'], schedule },
    },
  ])
})

test('the page of a report shows its last runs with their documents, and runs it now', async () => {
  const { service, run } = givenReport({ principalId: 1 })
  service.on(`POST ${path}/runs`, run)
  await openPage('/reports/r1')

  const waiting = await row(/Schedule.*In progress.*2 attempts.*No mail server is set\./)
  expect(within(waiting).queryByRole('link')).toBeNull()
  const made = await row(/Succeeded.*120 of 200.*Mailed/)
  expect(made).toBeDefined()
})

test('a report of another principal is paused and deleted, and no more', async () => {
  const { service } = givenReport({ principalId: 4711, webhookId: 'w1' })
  const [known] = example('GET /api/admin/local-principals')
  service
    .on('GET /api/admin/local-principals', known ? [{ ...known, id: 4711, description: 'Night reports' }] : [])
    .on('GET /api/webhooks/{id}', example('GET /api/webhooks/{id}', { id: 'w1', name: 'Failures to chat' }))
  await openPage('/reports/r1')
  const link = await screen.findByRole('link', { name: 'Night reports' })
  expect(link.getAttribute('href')).toBe('/admin/principals/local/4711')
  await screen.findByRole('link', { name: 'Failures to chat' })

  await click(await screen.findByRole('button', { name: 'Pause' }))
  const panel = await dialog('Pause Software of Berlin')
  await within(panel).findByText('The report is not made until it continues.')
  expect(screen.queryByRole('button', { name: 'Run now' })).toBeNull()
  await click(button(panel, 'Pause'))
  await gone(panel)
  expect(service.bodies(`PATCH ${path}`)).toEqual([{ isPaused: true }])
})

test('of two people who edit a report, the second sees what changed and loses nothing typed', async () => {
  const { service, report } = givenReport({ principalId: 1, recipients: ['it@example.org'] })
  service.on('GET /api/webhooks', listOf([example('GET /api/webhooks/{id}', { id: 'w1', name: 'Failures to chat' })]))
  await openPage('/reports/r1')
  await click(await screen.findByRole('button', { name: 'More actions' }))
  await click(await screen.findByRole('menuitem', { name: 'Edit' }))
  const panel = await dialog('Edit Software of Berlin')
  await fill(within(panel).getByLabelText(/^Name/), 'Software of the capital')
  await fill(within(panel).getByLabelText(/^Time(?! zone)/), '05:15')
  await within(panel).findByText('The change applies to the next run.')
  report.change({ format: 'Pdf', webhookId: 'w1', recipients: [] })

  await click(button(panel, 'Save'))

  await within(panel).findByText(/^Someone else has changed this since you looked\./)
  await within(panel).findByText('Format: CSV → PDF')
  await within(panel).findByText('Call this webhook: nothing → Failures to chat')
  await within(panel).findByText('Mail to: it@example.org → nothing')
  expect(contentOf(within(panel).getByLabelText(/^Name/))).toBe('Software of the capital')
  expect(report.value?.name).toBe('Software of Berlin')
  await waitFor(() => click(button(panel, 'Save')))
  await gone(panel)
  expect(service.bodies(`PATCH ${path}`).at(-1)).toEqual({
    name: 'Software of the capital',
    schedule: { ...schedule, time: '05:15' },
  })
  expect(report.value).toMatchObject({ name: 'Software of the capital', format: 'Pdf', webhookId: 'w1' })
})

test('who deletes a report that somebody else changes is shown the change first', async () => {
  const { service, report } = givenReport({ principalId: 1 })
  service.onAny(
    `DELETE ${path}`,
    report.update(() => undefined),
  )
  const { address } = await openPage('/reports/r1')
  await click(await screen.findByRole('button', { name: 'More actions' }))
  await click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const panel = await dialog('Delete Software of Berlin')
  await within(panel).findByText(/The report, its last runs and their documents are deleted\./)
  report.change({ name: 'Software of all sites' })

  await click(button(panel, 'Delete'))

  await within(panel).findByText('Name: Software of Berlin → Software of all sites')
  expect(report.value).toBeDefined()
  await waitFor(() => click(button(panel, 'Delete')))
  await waitFor(() => expect(address()).toBe('/reports'))
})

test('the mail server is set, and its password is not shown', async () => {
  const service = fakeService()
  service.onAny('GET /api/admin/mail-server', () => problem(404, 'MailServerNotFound', 'None.'))
  const answer = { ...example('PUT /api/admin/mail-server'), host: 'smtp.example.org' }
  service.on('PUT /api/admin/mail-server', answer)
  await openPage('/reports/mail-server')

  await screen.findByText(/No mail server is set/)
  await click(button(document.body, 'Set mail server'))
  const panel = await dialog('Set mail server')
  await fill(within(panel).getByLabelText(/^Name of the server/), 'smtp.example.org')
  await fill(within(panel).getByLabelText(/^User/), 'muster')
  await fill(within(panel).getByLabelText(/^Password/, { selector: 'input' }), 'open sesame')
  await fill(within(panel).getByLabelText(/^Sender/), 'muster@example.org')
  const domains = within(panel).getByLabelText(/^Domains of recipients/, { selector: 'input' })
  await fill(domains, 'example.org')
  await press('Enter', domains)
  await within(panel).findByText('Reports are sent through smtp.example.org from now on.')
  await expectAccessible(panel)
  await click(button(panel, 'Set mail server'))

  await waitFor(() =>
    expect(service.bodies('PUT /api/admin/mail-server')).toEqual([
      {
        ...{ host: 'smtp.example.org', port: 587, tlsMode: 'StartTls', userName: 'muster', password: 'open sesame' },
        ...{ fromAddress: 'muster@example.org', recipientDomains: ['example.org'], caCertificates: null },
      },
    ]),
  )
})

test('licences are listed, created and deleted', async () => {
  const service = fakeService()
  const licence = { ...example('GET /api/licences/{id}'), id: 'l1', name: 'Drawing', productPattern: 'Draw*', owned: 3 }
  service
    .on('GET /api/licences', listOf([licence]))
    .on('POST /api/licences', ({ body }) => ({ ...licence, ...body }))
    .on('DELETE /api/licences/{id}', undefined)
  await openPage('/reports/licences')
  const listed = await row(/Drawing.*Draw\*.*3/)

  await click(button(document.body, 'Create licence'))
  const panel = await dialog('Create licence')
  await fill(within(panel).getByLabelText(/^Name(?! of)/), 'Archiver')
  await fill(within(panel).getByLabelText(/^Name of the software/), 'Arch*')
  await fill(within(panel).getByLabelText(/^Computers that may have it/), '10')
  await within(panel).findByText('Reports count Archiver from now on.')
  await click(button(panel, 'Create licence'))
  await gone(panel)
  await click(button(listed, 'Delete Drawing'))
  const question = await dialog('Delete Drawing')
  await within(question).findByText('Reports do not count it any more.')
  await expectAccessible(question)

  expect(service.bodies('POST /api/licences')).toEqual([{ name: 'Archiver', productPattern: 'Arch*', owned: 10 }])
})
