import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, choose, click, dialog, fill } from '../world/acts.ts'
import { FakeResource } from '../world/fake-resource.ts'
import { example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

test('the compliance shows what is beyond the SLA, by severity and age, and leads to the same as CSV', async () => {
  const compliance = '/api/fleet/patch-compliance'
  const known = example(`GET ${compliance}`)
  const [group] = known.items as [(typeof known.items)[number]]
  const counts = { computers: 6, scanned: 4, compliant: 1, withinSla: 3, overdueComputers: 1, overduePatches: 1_234 }
  const service = fakeService().on(`GET ${compliance}`, {
    ...known,
    ...listOf([{ ...group, path: 'Configuration/Bonn', ...counts }]),
  })
  const { address } = await openPage('/patches/compliance')

  const row = await screen.findByRole('row', { name: /Bonn/ })
  within(row).getByText('1,234')
  within(row).getByTitle('75% of the scanned computers lack no patch beyond its SLA')
  await choose(screen.getByRole('combobox', { name: 'Severity' }), 'Critical')
  await choose(screen.getByRole('combobox', { name: 'State' }), 'With overdue patches')

  expect(address()).toBe('/patches/compliance?severity=Critical&state=overdue')
  await waitFor(() => expect(service.sent.at(-1)?.name).toBe(`GET ${compliance}`))
  const last = service.sent.filter(({ name }) => name === `GET ${compliance}`).at(-1)
  expect([last?.query.get('severity'), last?.query.get('overdue')]).toEqual(['Critical', 'true'])
  expect(screen.getByRole('link', { name: 'Download CSV' }).getAttribute('href')).toBe(
    '/api/fleet/patch-compliance/csv?severity=Critical&overdue=true',
  )
  await expectAccessible(document.body)
})

test('the SLA is changed by those who approve patches, unless somebody has changed it meanwhile', async () => {
  const path = '/api/patch-sla'
  const usual = { critical: 7, important: 14, moderate: 30, low: 90, unrated: null }
  const sla = new FakeResource(example(`GET ${path}`, usual), 'PreconditionFailed')
  const service = fakeService()
    .onAny(`GET ${path}`, sla.read)
    .onAny(
      `PUT ${path}`,
      sla.update(({ body }) => body as typeof usual),
    )
  await openPage('/patches/compliance')

  await click(await screen.findByRole('button', { name: 'Change SLA' }))
  const panel = await dialog('Change SLA')
  await fill(within(panel).getByLabelText('Critical, days'), '3')
  await fill(within(panel).getByLabelText('Low, days'), '')
  await within(panel).findByText(/^The compliance of computers follows at once/)
  await expectAccessible(panel)
  sla.change({ important: 10 })
  await click(button(panel, 'Save'))
  await within(panel).findByText('Important, days: 14 → 10')
  await click(button(panel, 'Save'))

  await waitFor(() => expect(sla.value).toEqual({ ...usual, critical: 3, important: 10, low: null }))
  expect(service.bodies(`PUT ${path}`).at(-1)).toEqual({ ...usual, critical: 3, important: 10, low: null })
})

test('those who only read patches do not change the SLA', async () => {
  fakeService({ roles: ['pm.read'] })
  await openPage('/patches/compliance')

  await screen.findByRole('heading', { name: 'SLA' })
  expect(screen.queryByRole('button', { name: 'Change SLA' })).toBeNull()
})

test('the patches of a computer say which are overdue, for how long, and why they are still missing', async () => {
  const path = '/api/computer/{id}/patch-compliance'
  const known = example(`GET ${path}`)
  const [patch] = known.items as [(typeof known.items)[number]]
  const overdue = {
    ...patch,
    ...{ patchName: 'openssl 3.0.16', severity: 'Critical' as const, dueOn: '2026-11-08', daysOverdue: 11 },
    message: 'It waits. The maintenance window begins on Saturday.',
  }
  const service = fakeService().on(`GET ${path}`, {
    ...known,
    ...listOf([overdue]),
    ...{ state: 'Overdue', overduePatches: 3 },
  } as never)
  await openPage('/computers/17/patches')

  const table = await screen.findByRole('table', { name: 'Why it is not within the SLA' })
  const row = within(table).getByRole('row', { name: /openssl 3\.0\.16/ })
  within(row).getByText('11')
  within(row).getByText(overdue.message)
  await screen.findByText('3 patches beyond the SLA')

  const asked = service.sent.filter(({ name }) => name === `GET ${path}`)
  expect(asked.map(({ query }) => query.get('overdue'))).toContain('true')
})
