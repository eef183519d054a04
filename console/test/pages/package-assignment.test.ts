import { expect, test } from 'vitest'
import { button, choose, click, dialog, press } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { affecting, example, listOf } from '../world/fake-service.ts'
import { givenGroups } from '../world/given-groups.ts'
import { openPage, screen, waitFor, within } from '../world/open-page.tsx'

test('a package is assigned to a group that is named by its path, and its deployment follows on the page of the group', async () => {
  const assign = 'POST /api/group/{id}/packages'
  const page = 'GET /api/fleet/packages/{id}'
  const known = example(page)
  const [assigned] = known.groups as [(typeof known.groups)[number]]
  const group = example('GET /api/fleet/groups').items[0] as AnswerOf<'GET /api/fleet/groups'>['items'][number]
  const { service } = givenGroups()
  service
    .on(page, {
      ...known,
      package: { ...known.package, id: 'p1', name: 'Editor', version: '2.0', type: 'Software', operational: true },
      groups: [{ ...assigned, id: 'berlin', path: 'Configuration/Berlin' }],
    })
    .on('GET /api/fleet/groups', listOf([{ ...group, id: 'tills', path: 'Configuration/Berlin/Tills' }]))
    .onAny(assign, () => affecting(5, example(assign)))
    .on('POST /api/rollouts', affecting(5, example('POST /api/rollouts')))
  const { address } = await openPage('/packages/p1')

  await click(await screen.findByRole('button', { name: 'Deploy to…' }))
  const offered = await screen.findByRole('menuitem', { name: 'Configuration/Berlin' })
  expect(offered.getAttribute('href')).toBe('/groups/berlin?deploy=p1')
  await press('Escape', offered)
  await click(button(document.body, 'Assign to group…'))
  const panel = await dialog('Assign Editor to a group')
  await choose(within(panel).getByRole('combobox', { name: /^Group/ }), 'Configuration/Berlin/Tills')
  await within(panel).findByText(/^Assigns Editor 2.0 to Configuration\/Berlin\/Tills with 5 computers\./)
  await click(button(panel, 'Assign'))

  const deployment = await dialog('Deploy to Tills')
  expect((within(deployment).getByRole('radio', { name: /^In rings/ }) as HTMLInputElement).checked).toBe(true)
  await waitFor(() =>
    expect(service.sent.findLast(({ name }) => name === 'POST /api/rollouts')?.body).toMatchObject({
      groupId: 'tills',
      packageId: 'p1',
    }),
  )
  expect(address()).toBe('/groups/tills?deploy=p1')
})
