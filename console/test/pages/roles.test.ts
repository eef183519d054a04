import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { click } from '../world/acts.ts'
import { example } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor } from '../world/open-page.tsx'

const absent = (...names: (string | RegExp)[]) => {
  for (const name of names) expect(screen.queryAllByRole('button', { name })).toEqual([])
}

test('who may only read computers is offered no action that needs another role', async () => {
  fakeService({ roles: ['admin.manage', 'computer.read'] })
  await openPage('/computers/17/variables')
  await click(await screen.findByRole('button', { name: 'More actions' }))

  const items = await screen.findAllByRole('menuitem')
  expect(items.map(({ textContent }) => textContent)).toEqual(['Re-enrol agent', 'Revoke agent'])
  absent(/^Deploy/, /^Restart/, /^Rescan/, /Set value/)
})

test('who may only read packages is offered no change', async () => {
  const path = '/api/fleet/packages/{id}'
  fakeService({ roles: ['package.read', 'admin.manage'] }).on(
    `GET ${path}`,
    example(`GET ${path}`, { failureCauses: null }),
  )
  await openPage('/packages/7')

  await screen.findByText('Computers are shown to those with the role computer.read.')
  absent('Release', 'Withdraw', 'Deploy', 'Actions')
})

test('the infrastructure has only the tabs that the roles of the user allow', async () => {
  fakeService({ roles: ['admin.manage', 'package.read'] })
  await openPage('/infrastructure')

  await waitFor(() =>
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Images', 'Tags', 'Variables']),
  )
})

test('the overview says what people without the role computer.read can do', async () => {
  const service = fakeService({ roles: ['package.read'] })
  await openPage('/')

  await screen.findByText(/needs the role computer\.read/)
  await expectAccessible(screen.getByRole('main'))
  const links = [...document.querySelectorAll('main a')].map(({ textContent }) => textContent)
  expect(links).toContain('Packages')
  expect(links).not.toContain('Computers')
  const ofFleet = service.sent.filter(({ path }) => path.startsWith('/api/fleet'))
  expect(new Set(ofFleet.map(({ path }) => path))).toEqual(new Set(['/api/fleet/decisions']))
})

test('the page about the service says which role its figures need', async () => {
  fakeService({ roles: ['admin.manage'] })
  await openPage('/admin/about')

  await screen.findByText(/requires the role computer\.read/)
})

test('who may only read the audit trail sees it without the names of principals and operations, which others manage', async () => {
  const service = fakeService({ roles: ['audit.read'] })
  await openPage('/admin/audit')

  await screen.findByRole('link', { name: 'Audit trail' })
  expect(screen.getByLabelText('Target')).toBeDefined()
  expect(screen.queryByLabelText('Principal')).toBeNull()
  expect(service.sent.filter(({ name }) => /principals|role-operations/.test(name))).toEqual([])
})
