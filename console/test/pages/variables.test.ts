import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { click, row } from '../world/acts.ts'
import { example, listOf, problem } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor } from '../world/open-page.tsx'

const list = 'GET /api/fleet/variables'
const path = '/api/variable-definitions/{varId}'

test('the list of variables says how much each of them is used, and leads to it', async () => {
  const variable = example(list).items[0] as object
  const uses = { computers: 1_000, groups: 1, configurations: 0, packages: 2 }
  fakeService().on(
    list,
    () =>
      listOf([
        { ...variable, varId: 7, dottedName: 'Printing.Server', kind: 'Scalar', defaultValue: 'print01', uses },
        { ...variable, varId: 8, dottedName: 'Printing.Password', kind: 'Scalar', isSecret: true, defaultValue: null },
      ]) as never,
  )
  const { address } = await openPage('/infrastructure/variables')

  await row(/Printing\.Server.*Value.*print01.*2 packages, 1 group, 1,000 or more computers/)
  await row(/Printing\.Password.*Secret/)
  await expectAccessible(document.body)
  await click(screen.getByRole('link', { name: 'Printing.Server' }))

  await waitFor(() => expect(address()).toBe('/variables/7'))
})

test('the page of a variable lists the packages, groups, configurations and computers that use it', async () => {
  fakeService()
    .on(`GET ${path}`, { ...example(`GET ${path}`), varId: 7, dottedName: 'Printing.Server', kind: 'Scalar' })
    .on(`GET ${path}/packages`, () => {
      const one = example(`GET ${path}/packages`).items[0] as object
      return listOf([
        { ...one, id: 'p1', name: 'Office', version: '3.1', kind: 'AgentTemplate', use: 'Default', value: 'print02' },
        { ...one, id: 'p1', name: 'Office', version: '3.1', kind: 'AgentTemplate', use: 'Command', value: null },
      ]) as never
    })
    .on(`GET ${path}/groups`, () => {
      const one = example(`GET ${path}/groups`).items[0] as object
      return listOf([{ ...one, id: 'g1', path: 'Configuration/Berlin', value: 'print-ber', forced: true }]) as never
    })
    .on(`GET ${path}/computers`, () => listOf([]))
  await openPage('/variables/7')

  await row(/Office 3\.1.*Agent template.*Gives it a value.*print02/)
  await row(/Office 3\.1.*Used in its commands/)
  await row(/Configuration\/Berlin.*print-ber.*Forced/)
  await screen.findByText('No computer has a value of its own')
  expect(screen.getByRole('link', { name: 'Configuration/Berlin' }).getAttribute('href')).toBe('/groups/g1/variables')
  await expectAccessible(document.body)
})

test('the page of a variable that does not exist says so', async () => {
  fakeService().on(`GET ${path}`, () => problem(404, 'VariableNotFound'))
  await openPage('/variables/7', { language: 'de' })

  await screen.findByText('Seite nicht gefunden')
})
