import { expect, test } from 'vitest'
import { button, click, contentOf, dialog, fill, row } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { FakeResource } from '../world/fake-resource.ts'
import { example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, within } from '../world/open-page.tsx'

test('of two people who set a value of a computer, the second sees it before anything is done', async () => {
  const search = '/api/computer/{id}/variables/search'
  const path = '/api/computer/{id}/variables/{varId}'
  type Found = AnswerOf<`POST ${typeof search}`>['items'][number]
  const service = fakeService()
  const own = new FakeResource(example(`GET ${path}`, { value: null }), 'VariableNotFound').serve(service, path)
  service.on(`POST ${search}`, () => {
    const known = example(`POST ${search}`).items[0] as Found
    const inherited = { value: 'proxy.berlin', source: 'group', sourceGroupPath: 'Configuration/Berlin' } as const
    const mine = { value: own.value?.value ?? null, source: 'computer', sourceGroupPath: null } as const
    return listOf([
      { ...known, varId: 3, dottedName: 'ProxyServer', isSecret: false, ...(mine.value ? mine : inherited) },
    ])
  })
  await openPage('/computers/17/variables')
  await row(/ProxyServer.*proxy\.berlin.*Berlin/)

  await click(button(document.body, 'Set value: ProxyServer'))
  const panel = await dialog('Set ProxyServer')
  await fill(within(panel).getByLabelText('Value of ProxyServer'), 'proxy.mine')
  await within(panel).findByText(/from “proxy\.berlin” to “proxy\.mine”/)
  own.change({ value: 'proxy.theirs' })
  await click(button(panel, 'Save'))
  await within(panel).findByText(/Someone else has changed this since you looked\./)
  await within(panel).findByText(/from “proxy\.theirs” to “proxy\.mine”/)
  const untouched = own.value?.value
  await click(button(panel, 'Save'))

  await row(/ProxyServer.*proxy\.mine.*This computer/)
  expect([untouched, own.value?.value]).toEqual(['proxy.theirs', 'proxy.mine'])
})

test('of two people who edit a group, the second sees what changed and loses nothing typed', async () => {
  const path = '/api/group/{id}'
  type Group = AnswerOf<`GET ${typeof path}`>
  const service = fakeService()
  const value = example(`GET ${path}`, { id: 'g1', name: 'Shared', description: null })
  const group = new FakeResource<Group>(value, 'GroupNotFound').serve(service, path)
  service
    .onAny(
      `PATCH ${path}`,
      group.update(({ body }, before) => ({ ...before, ...(body as Partial<Group>) })),
    )
    .on('GET /api/fleet/groups/{id}', () =>
      example('GET /api/fleet/groups/{id}', {
        ...{ id: 'g1', name: group.value?.name ?? '', kind: 'Ordinary' },
        description: group.value?.description ?? null,
      }),
    )
  await openPage('/groups/g1')
  await click(await screen.findByRole('button', { name: 'More actions' }))
  await click(await screen.findByRole('menuitem', { name: 'Rename or describe' }))
  const panel = await dialog(/Shared/)
  await fill(within(panel).getByLabelText(/^Name/), 'Shared desks')
  await within(panel).findByText(/The group will be called Shared desks\./)
  group.change({ description: 'Second floor' })

  await click(button(panel, 'Save'))

  await within(panel).findByText('Description: nothing → Second floor')
  await within(panel).findByText(/Nothing was done\. Check it and confirm again\./)
  expect(contentOf(within(panel).getByLabelText(/^Name/))).toBe('Shared desks')
  expect(contentOf(within(panel).getByLabelText('Description'))).toBe('Second floor')
  expect(group.value?.name).toBe('Shared')
  await click(button(panel, 'Save'))
  await screen.findByRole('heading', { name: 'Shared desks' })
  expect(group.value).toMatchObject({ name: 'Shared desks', description: 'Second floor' })
})
