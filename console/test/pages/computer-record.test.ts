import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, choose, click, contentOf, dialog, fill, gone } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { FakeResource } from '../world/fake-resource.ts'
import { example, FakeAnswer, listOf } from '../world/fake-service.ts'
import { FakeEventSource } from '../world/fake-stream.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const record = '/api/computer/{id}'

type Computer = AnswerOf<`GET ${typeof record}`>

/** A computer with the custom field Room. */
function givenRecord(roles?: Parameters<typeof fakeService>[0]) {
  const service = fakeService(roles)
  const value = example(`GET ${record}`, { hostname: 'till-1', uuid: '00000000-0000-0000-0000-000000000000' })
  const computer = new FakeResource<Computer>({ ...value, custom: { Custom01: 'Room 12' } }, 'ComputerNotFound')
  const page = '/api/fleet/computers/{id}'
  service
    .on(`GET ${page}`, () => ({ ...example(`GET ${page}`), computer: computer.value as Computer }))
    .onAny(`GET ${record}`, computer.read)
    .onAny(
      `PATCH ${record}`,
      computer.update(({ body }, before) => {
        const { name, custom, ...changes } = body as { name?: string; custom?: object }
        return { ...before, ...changes, hostname: name ?? before.hostname, custom: { ...before.custom, ...custom } }
      }),
    )
    .on('GET /api/custom-field-configuration', [
      { slot: 'Custom01', designation: 'Room', isActive: true, position: 1 },
      { slot: 'Custom02', designation: 'Cost centre', isActive: false, position: 2 },
    ])
  return { service, computer }
}

async function chooseAction(name: string): Promise<void> {
  await click(await screen.findByRole('button', { name: 'More actions' }))
  await click(await screen.findByRole('menuitem', { name }))
}

test('a computer and its custom fields are edited: only what was typed is sent, and what others change meanwhile stays', async () => {
  const { service, computer } = givenRecord()
  await openPage('/computers/17')

  await chooseAction('Edit')
  const panel = await dialog('Edit till-1')
  const room = await within(panel).findByLabelText('Room')
  expect([contentOf(room), contentOf(within(panel).getByLabelText('UUID'))]).toEqual(['Room 12', ''])
  expect(within(panel).queryByLabelText('Cost centre')).toBeNull()
  await fill(room, 'Room 14')
  await fill(within(panel).getByLabelText('Inventory ID'), '')
  await within(panel).findByText('The record of till-1 changes. Nothing is sent to the computer.')
  await expectAccessible(panel)
  computer.change({ serialNumber: 'S-99' })
  await FakeEventSource.emit({ type: 'muster.computer.changed', data: { computerId: 17 } })
  await within(panel).findByText(/^Serial number: .* → S-99$/)
  await click(button(panel, 'Save'))
  await gone(panel)

  expect(service.bodies(`PATCH ${record}`)).toEqual([{ inventoryId: '', custom: { Custom01: 'Room 14' } }])
  expect(computer.value).toMatchObject({ serialNumber: 'S-99', custom: { Custom01: 'Room 14' } })
})

test('a computer gets tags, for which the person must be able to see tags', async () => {
  const path = '/api/computer/{id}/tags'
  const { service } = givenRecord()
  const site = { id: 5, designation: 'site:Berlin', description: null, isReadOnly: false }
  service
    .on('GET /api/tags', listOf([site]))
    .on(`GET ${path}`, [])
    .on(`PUT ${path}`, [site])
  const { close } = await openPage('/computers/17')

  await chooseAction('Edit tags')
  const panel = await dialog('Tags of till-1')
  await choose(await within(panel).findByLabelText('Tags', { selector: 'input' }), 'site:Berlin')
  await within(panel).findByText('The computer will have 1 tag.')
  await click(button(panel, 'Save'))
  await gone(panel)

  expect(service.bodies(`PUT ${path}`)).toEqual([{ tagIds: [5] }])
  close()
  givenRecord({ roles: ['computer.read', 'computer.write'] })
  await openPage('/computers/17')
  await click(await screen.findByRole('button', { name: 'More actions' }))
  await screen.findByRole('menuitem', { name: 'Edit' })
  for (const name of ['Edit tags', 'Revoke agent']) expect(screen.queryByRole('menuitem', { name })).toBeNull()
})

test('the agent of a computer is revoked after a review', async () => {
  const { service } = givenRecord()
  service.onAny('DELETE /api/computer/{id}/agent', () => new FakeAnswer(undefined))
  await openPage('/computers/17')

  await chooseAction('Revoke agent')
  const panel = await dialog('Revoke the agent of till-1')
  await within(panel).findByText(/is refused from its next request on/)
  expect(service.bodies('DELETE /api/computer/{id}/agent')).toEqual([])
  await click(button(panel, 'Revoke agent'))
  await gone(panel)

  expect(service.bodies('DELETE /api/computer/{id}/agent')).toHaveLength(1)
})

test('a computer is created once it has a name and something by which its agent is recognised', async () => {
  const service = fakeService().on('POST /api/computer', ({ body }) =>
    example('POST /api/computer', { id: 18, hostname: (body as { name: string }).name }),
  )
  const { address } = await openPage('/computers', { language: 'de' })

  await click(await screen.findByRole('button', { name: 'Computer anlegen' }))
  const panel = await dialog('Computer anlegen')
  await fill(within(panel).getByLabelText(/^Name/), 'till-2')
  await fill(within(panel).getByLabelText(/^Domäne/), 'example.org')
  await within(panel).findByText(/Geben Sie eine MAC-Adresse oder eine UUID an/)
  await fill(within(panel).getByLabelText('MAC-Adresse'), '00:1B:44:11:3A:B8')
  await within(panel).findByText(/Legt till-2 ohne Gruppe an/)
  await expectAccessible(panel)
  await click(button(panel, 'Computer anlegen'))

  await waitFor(() => expect(address()).toBe('/computers/18'))
  expect(service.bodies('POST /api/computer')).toEqual([
    { name: 'till-2', domain: 'example.org', isDomain: false, pxeSupport: true, macAddress: '00:1B:44:11:3A:B8' },
  ])
})

test('what an installer has reported is confirmed, and several addresses are a warning', async () => {
  const path = '/api/computer/{id}/os-installation'
  const { service, computer } = givenRecord()
  computer.change({ isPxeActive: true })
  const asked = { fetchedAtUtc: '2026-03-14T09:26:53.000Z', reportedAtUtc: null, reportedFrom: null, status: null }
  const reported = { ...asked, reportedAtUtc: '2026-03-14T10:26:53.000Z', status: 'Success' as const }
  const bootRequests = [
    { ...asked, address: '192.0.2.17', message: null },
    { ...reported, address: '192.0.2.18', message: 'Done.' },
  ]
  service
    .on(`GET ${path}`, () => ({ isPending: true, bootRequests }))
    .onAny(`POST ${path}/confirmation`, () => new FakeAnswer(undefined))
  await openPage('/computers/17')

  await screen.findByText(/Several addresses have asked/)
  expect(screen.queryByRole('button', { name: 'Confirm the report of 192.0.2.17' })).toBeNull()
  await click(button(document.body, 'Confirm the report of 192.0.2.18'))
  const panel = await dialog('Let this report count?')
  await within(panel).findByText(/The report of 192\.0\.2\.18 ends the installation of till-1/)
  await expectAccessible(panel)
  await click(button(panel, 'Confirm report'))
  await gone(panel)

  expect(service.bodies(`POST ${path}/confirmation`)).toEqual([{ address: '192.0.2.18' }])
})
