import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, contentOf, dialog, fill, gone, row } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { affecting, example, FakeAnswer, type FakeService, listOf } from '../world/fake-service.ts'
import { givenGroups } from '../world/given-groups.ts'
import { fakeService, openPage, screen, within } from '../world/open-page.tsx'

type Definition = AnswerOf<'GET /api/variable-definitions'>['items'][number]
type Entry = AnswerOf<'GET /api/group/{id}/variables/{varId}/collection'>['items'][number]

/** Printers, of which each has a host and a password; the port has a default. */
function givenPrinters(service: FakeService, owner: 'group' | 'computer') {
  const [known] = example('GET /api/variable-definitions').items as [Definition]
  const definition = (varId: number, designation: string, changes: Partial<Definition> = {}): Definition => ({
    ...{ ...known, varId, designation, dottedName: designation, kind: 'Scalar', isSecret: false },
    ...{ defaultValue: null, ...changes },
  })
  const value = (varId: number, designation: string, text: string | null, isSecret = false) => ({
    ...{ varId, designation, dottedName: designation, value: text, schedule: null, isSecret },
  })
  const entry: Entry = {
    collectionId: 4,
    values: [value(2, 'Host', 'printer-1'), value(3, 'Port', '9100'), value(5, 'Password', null, true)],
  }
  const path = `/api/${owner}/{id}/variables/{varId}/collection` as const
  service
    .on('GET /api/variable-definitions', listOf([known, definition(1, 'Printers', { kind: 'Collection' })]))
    .on(
      'GET /api/variable-definitions/{varId}/children',
      listOf([
        definition(2, 'Host'),
        definition(3, 'Port', { defaultValue: '9100' }),
        definition(5, 'Password', { isSecret: true }),
      ]),
    )
    .on(`GET ${path}`, listOf([entry]))
  return { path, entry }
}

test('entries of a collection are added to a group, changed and deleted, with the number of computers in view', async () => {
  const { service } = givenGroups()
  const { path, entry } = givenPrinters(service, 'group')
  for (const name of [`POST ${path}`, `PATCH ${path}/{collectionId}`]) service.onAny(name, () => affecting(5, entry))
  service.onAny(`DELETE ${path}/{collectionId}`, () => affecting(5))
  await openPage('/groups/tills/variables')
  await click(await screen.findByRole('button', { name: 'Printers' }))
  await row(/printer-1.*9100.*Secret/)

  await click(button(document.body, 'Add entry: Printers'))
  const added = await dialog('Add an entry to Printers')
  await fill(within(added).getByLabelText('Host'), 'printer-2')
  await fill(within(added).getByLabelText('Password', { selector: 'input' }), 'secret')
  await within(added).findByText('Printers changes for 5 computers. Scripts see it at their next run.')
  await expectAccessible(added)
  await click(button(added, 'Save'))
  await gone(added)
  await click(button(document.body, 'Edit entry 1 of Printers'))
  const edited = await dialog('Printers')
  expect(contentOf(within(edited).getByLabelText('Password', { selector: 'input' }))).toBe('')
  await fill(within(edited).getByLabelText('Port'), '631')
  await within(edited).findByText(/changes for 5 computers/)
  await click(button(edited, 'Save'))
  await gone(edited)
  await click(button(document.body, 'Delete entry 1 of Printers'))
  const deleted = await dialog('Delete entry 1 of Printers')
  await within(deleted).findByText(/changes for 5 computers/)
  await click(button(deleted, 'Delete'))
  await gone(deleted)

  expect(service.bodies(`POST ${path}`)).toEqual([{ values: { Host: 'printer-2', Password: 'secret' } }])
  expect(service.bodies(`PATCH ${path}/{collectionId}`)).toEqual([{ values: { Port: '631' } }])
  expect(service.bodies(`DELETE ${path}/{collectionId}`)).toHaveLength(1)
})

test('entries are set on a computer as well, by those who may', async () => {
  const service = fakeService()
  const { path, entry } = givenPrinters(service, 'computer')
  for (const name of [`POST ${path}`, `PATCH ${path}/{collectionId}`]) service.onAny(name, () => entry)
  service.onAny(`DELETE ${path}/{collectionId}`, () => new FakeAnswer(undefined))
  const { close } = await openPage('/computers/17/variables', { language: 'de' })
  await click(await screen.findByRole('button', { name: 'Printers' }))
  await row(/printer-1/)

  await click(button(document.body, 'Eintrag hinzufügen: Printers'))
  const added = await dialog('Eintrag zu Printers hinzufügen')
  for (const name of ['Host', 'Password'])
    await fill(within(added).getByLabelText(name, { selector: 'input' }), `new ${name}`)
  await within(added).findByText('Printers ändert sich hier. Skripte sehen es bei ihrem nächsten Lauf.')
  await click(button(added, 'Speichern'))
  await gone(added)
  await click(button(document.body, 'Eintrag 1 von Printers bearbeiten'))
  const edited = await dialog('Printers')
  await fill(within(edited).getByLabelText('Host'), 'printer-3')
  await within(edited).findByText(/ändert sich hier/)
  await click(button(edited, 'Speichern'))
  await gone(edited)
  await click(button(document.body, 'Eintrag 1 von Printers löschen'))
  const deleted = await dialog('Eintrag 1 von Printers löschen')
  await within(deleted).findByText(/ändert sich hier/)
  await click(button(deleted, 'Löschen'))
  await gone(deleted)
  expect(service.bodies(`POST ${path}`)).toEqual([{ values: { Host: 'new Host', Password: 'new Password' } }])
  expect(service.bodies(`PATCH ${path}/{collectionId}`)).toEqual([{ values: { Host: 'printer-3' } }])
  close()

  givenPrinters(fakeService({ roles: ['computer.read', 'package.read'] }), 'computer')
  await openPage('/computers/17/variables')
  await click(await screen.findByRole('button', { name: 'Printers' }))
  await row(/printer-1/)
  expect(screen.queryByRole('button', { name: 'Add entry: Printers' })).toBeNull()
})
