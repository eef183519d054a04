import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, dialog, fill, gone, row } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { FakeResource } from '../world/fake-resource.ts'
import { listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, within } from '../world/open-page.tsx'

type Tag = AnswerOf<'GET /api/tags/{id}'>

const global: Tag = { id: 1, designation: 'Global', description: null, isReadOnly: true }
const europe: Tag = { id: 5, designation: 'Europe', description: 'Sites in Europe', isReadOnly: false }

test('a tag is created, renamed and deleted, and the read-only tag is left alone', async () => {
  const path = '/api/tags/{id}'
  const tag = new FakeResource(europe, 'TagNotFound')
  const service = fakeService()
    .on('GET /api/tags', () => listOf([global, ...(tag.value ? [tag.value] : [])]))
    .on('POST /api/tags', ({ body }) => ({ ...europe, id: 6, ...(body as { designation: string }) }) as Tag)
    .onAny(`GET ${path}`, tag.read)
    .onAny(
      `PATCH ${path}`,
      tag.update(({ body }, before) => ({ ...before, ...(body as Partial<Tag>) })),
    )
    .onAny(
      `DELETE ${path}`,
      tag.update(() => undefined),
    )
  await openPage('/infrastructure/tags')
  await row(/Global.*Cannot be changed/)

  await click(button(document.body, 'New tag'))
  const created = await dialog('New tag')
  await fill(within(created).getByLabelText(/^Name/), 'Asia')
  await within(created).findByText('Creates the tag Asia. Nothing has it yet.')
  await expectAccessible(created)
  await click(button(created, 'New tag'))
  await gone(created)
  await click(button(document.body, 'Edit Europe'))
  const edited = await dialog('Edit Europe')
  await fill(within(edited).getByLabelText(/^Name/), 'EMEA')
  await within(edited).findByText('The tag will be called EMEA, wherever it is used.')
  await click(button(edited, 'Save'))
  await row(/EMEA.*Sites in Europe/)
  await click(button(document.body, 'Delete EMEA'))
  const deleted = await dialog('Delete EMEA')
  await within(deleted).findByText(/removes it from all packages, depots and computers/)
  await click(button(deleted, 'Delete'))
  await gone(await row(/EMEA/))

  expect(service.bodies('POST /api/tags')).toEqual([{ designation: 'Asia', description: null }])
  expect(tag.value).toBeUndefined()
})

test('a custom field is named and put to use, in German as well', async () => {
  const path = '/api/custom-field-configuration'
  const slot = { slot: 'Custom02', designation: 'Custom02', isActive: false, position: 2 }
  const service = fakeService()
    .on(`GET ${path}`, [slot])
    .on(`PATCH ${path}/{slot}`, ({ body }) => ({ ...slot, ...(body as object) }))
  await openPage('/infrastructure/fields', { language: 'de' })
  await row(/Custom02.*Nicht in Gebrauch/)

  await click(button(document.body, 'Custom02 bearbeiten'))
  const panel = await dialog('Eigenes Feld Custom02')
  await fill(within(panel).getByLabelText(/^Name/), 'Kostenstelle')
  await click(within(panel).getByLabelText('In Gebrauch'))
  await within(panel).findByText('Alle Computer haben das Feld Kostenstelle.')
  await expectAccessible(panel)
  await click(button(panel, 'Speichern'))
  await gone(panel)

  expect(service.bodies(`PATCH ${path}/{slot}`)).toEqual([{ designation: 'Kostenstelle', isActive: true }])
})

test('whether tags decide what depots get is changed after a review, by those who may', async () => {
  const path = '/api/system/depot-topology-setting'
  const setting = new FakeResource({ isActive: false }, 'TagNotFound')
  const service = fakeService().on('GET /api/depots', listOf<never>([]))
  setting.serve(service, path)
  const { close } = await openPage('/infrastructure/depots')

  await click(await screen.findByRole('button', { name: 'Let tags decide' }))
  const panel = await dialog('Let tags decide')
  await within(panel).findByText(/each depot keeps only packages that share a tag with it/)
  await click(button(panel, 'Let tags decide'))

  await screen.findByText('Tags decide which packages a depot gets.')
  expect(setting.value).toEqual({ isActive: true })
  close()
  fakeService({ roles: ['computer.read', 'package.read'] }).on(`GET ${path}`, { isActive: true })
  await openPage('/infrastructure/depots')
  await screen.findByText('Tags decide which packages a depot gets.')
  expect(screen.queryByRole('button', { name: 'Give every depot all packages' })).toBeNull()
})
