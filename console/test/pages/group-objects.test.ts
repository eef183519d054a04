import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, choose, click, dialog, gone, select } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { affecting, example, listOf } from '../world/fake-service.ts'
import { type GroupPage, givenGroups } from '../world/given-groups.ts'
import { openPage, screen, waitFor, within } from '../world/open-page.tsx'

type Assignment = GroupPage['assignments'][number]

async function chooseAction(name: string): Promise<void> {
  await click(await screen.findByRole('button', { name: 'More actions' }))
  await click(await screen.findByRole('menuitem', { name }))
}

const groupId = 'tills'

/** What can be assigned: how the API lists it, how people choose it, and the request. */
const objects = [
  ['SoftwareClass', 'Software class', 'Office', 'software-classes', { classId: 7 }],
  ['VariableConfiguration', 'Variable configuration', 'Berlin', 'variable-configurations', { configId: 7 }],
  ['AgentTemplate', 'Agent template', 'Quiet 1.0', 'agent-template', { packageId: 'p7', skipIfInherited: false }],
  ['LanguagePackImport', 'Language pack', 'German 1.0', 'language-pack-imports', { packageId: 'p7' }],
  ['PxeBootImage', 'PXE boot image', 'Installer 1.0', 'pxe-bootimage', { pxeId: 7, skipIfInherited: false }],
  [
    'OsImageSku',
    'Operating system',
    'Windows 1.0: Pro',
    'os-image-sku',
    { packageId: 'p7', skuId: 7, skipIfInherited: false },
  ],
] as const

function givenObjects() {
  const { service } = givenGroups()
  const version = '1.0'
  const systems = '/api/operating-system-imports'
  const [system] = example(`GET ${systems}`).items as [AnswerOf<`GET ${typeof systems}`>['items'][number]]
  const [sku] = system.skus as [(typeof system)['skus'][number]]
  const item = <Item>(answer: { items: Item[] }, changes: Partial<Item>) =>
    listOf([{ ...(answer.items[0] as Item), ...changes }])
  const get = example
  service
    .on('GET /api/softwareclasses', item(get('GET /api/softwareclasses'), { id: 7, name: 'Office' }))
    .on('GET /api/variable-configurations', item(get('GET /api/variable-configurations'), { id: 7, name: 'Berlin' }))
    .on('GET /api/agent-templates', item(get('GET /api/agent-templates'), { id: 'p7', name: 'Quiet', version }))
    .on(
      'GET /api/language-pack-imports',
      item(get('GET /api/language-pack-imports'), { id: 'p7', name: 'German', version }),
    )
    .on('GET /api/pxe-bootimages', item(get('GET /api/pxe-bootimages'), { id: 7, name: 'Installer', version }))
    .on(
      `GET ${systems}`,
      item(get(`GET ${systems}`), {
        ...{ id: 'p7', name: 'Windows', version },
        skus: [{ ...sku, skuId: 7, edition: 'Pro', packageId: 'p7' }],
      }),
    )
  return service
}

test.each(objects)('a group is given an object of the type %s', async (_type, kind, name, part, body) => {
  const service = givenObjects()
  const path = `POST /api/group/{id}/${part}` as const
  service.onAny(path, () => affecting(5, { ...(example(path) as object), groupId, alreadyAssigned: false }))
  const { address } = await openPage('/groups/tills')

  await chooseAction('Assign something else')
  const panel = await dialog('Assign to Tills')
  await select(within(panel).getByLabelText('What'), kind)
  await choose(within(panel).getByRole('combobox', { name: 'Which one' }), name)
  await within(panel).findByText(`Assigns ${name} to Tills with its 5 computers.`)
  await click(button(panel, 'Assign'))

  await waitFor(() => expect(address()).toBe('/groups/tills/assignments'))
  expect(service.bodies(path)).toEqual([body])
  button(document.body, 'Undo')
})

test('of what a group has at most one, the review says what is replaced, and no undo is offered', async () => {
  const path = 'POST /api/group/{id}/agent-template'
  const [known] = example('GET /api/fleet/groups/{id}').assignments as [Assignment]
  const present: Assignment = { ...known, type: 'AgentTemplate', objectId: 'p1', name: 'Chatty', isInherited: false }
  givenObjects()
    .on('GET /api/fleet/groups/{id}', () =>
      example('GET /api/fleet/groups/{id}', { id: groupId, name: 'Tills', kind: 'Ordinary', assignments: [present] }),
    )
    .onAny(path, () => affecting(5, { ...example(path), alreadyAssigned: false }))
  await openPage('/groups/tills')

  await chooseAction('Assign something else')
  const panel = await dialog('Assign to Tills')
  await select(within(panel).getByLabelText('What'), 'Agent template')
  await choose(within(panel).getByRole('combobox', { name: 'Which one' }), 'Quiet 1.0')
  await within(panel).findByText('It takes the place of Chatty: a group has at most one.')
  await expectAccessible(panel)
  await click(button(panel, 'Assign'))
  await gone(panel)

  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('a group is frozen at the end of its life, and a frozen group offers only to end that', async () => {
  const path = '/api/group/{id}/kind'
  const { service } = givenGroups({ subgroups: [] })
  service
    .on(`GET ${path}`, { groupId, kind: 'Ordinary' })
    .on(`PUT ${path}`, ({ body }) => affecting(5, { groupId, ...body }))
  const { close } = await openPage('/groups/tills')

  await chooseAction('Change kind')
  const panel = await dialog('Kind of Tills')
  await click(within(panel).getByRole('radio', { name: 'End of life' }))
  await within(panel).findByText('Freezes Tills with its 5 computers. Nothing is installed or removed.')
  await expectAccessible(panel)
  await click(button(panel, 'Save'))
  await gone(panel)
  expect(service.bodies(`PUT ${path}`)).toEqual([{ kind: 'EOL' }])
  close()

  givenGroups({ kind: 'EOL' })
  await openPage('/groups/tills')
  await click(await screen.findByRole('button', { name: 'More actions' }))
  await screen.findByRole('menuitem', { name: 'Change kind' })
  expect(screen.getAllByRole('menuitem')).toHaveLength(1)
})

test('the depots of a group are chosen in the order in which computers try them', async () => {
  const path = '/api/group/{id}/depot-servers'
  const server = (clientId: number, hostname: string) =>
    ({ clientId, hostname, domain: null, role: 'DepotServer' }) as const
  const { service } = givenGroups()
  service
    .on('GET /api/system/depot-servers', listOf([server(1, 'depot-ber-01'), server(2, 'depot-bos-01')]))
    .on(`GET ${path}`, listOf([{ ...server(2, 'depot-bos-01'), priority: 1 }]))
    .onAny(`PUT ${path}`, () => affecting(5, listOf([])))
  await openPage('/groups/tills', { language: 'de' })

  await click(await screen.findByRole('button', { name: 'Weitere Aktionen' }))
  await click(await screen.findByRole('menuitem', { name: 'Depots wählen' }))
  const panel = await dialog('Depots von Tills')
  await choose(await within(panel).findByLabelText(/^Depots in der Reihenfolge/, { selector: 'input' }), 'depot-ber-01')
  await within(panel).findByText('Für 5 Computer kommen die Dateien von: depot-bos-01, depot-ber-01.')
  await click(button(panel, 'Speichern'))
  await gone(panel)

  expect(service.bodies(`PUT ${path}`)).toEqual([{ depotServers: [2, 1] }])
})
