import { expect, test } from 'vitest'
import { example } from '../world/fake-service.ts'
import { fakeService, openPage, screen, within } from '../world/open-page.tsx'

const page = '/api/fleet/packages/{id}'

test('the page of a package shows its relations, links those that exist, and the computers that it is for', async () => {
  fakeService().on(`GET ${page}`, () =>
    example(`GET ${page}`, {
      relations: {
        requires: [
          { name: 'runtime', packageId: 'p2', pulledIn: true },
          { name: 'fonts', packageId: null, pulledIn: false },
        ],
        supersedes: [{ name: 'old-viewer', packageId: 'p3', uninstallFirst: true }],
        conflicts: [{ name: 'other-viewer', packageId: 'p4' }],
        requiredBy: [{ packageId: 'p5', name: 'Suite', version: '3.0' }],
        supersededBy: [],
      },
      onlyFor: {
        osVersion: { min: '10.0.22000' },
        minMemoryMb: 8192,
        software: [{ name: 'Old Suite', absent: true }],
        variables: [{ name: 'Office.Channel', values: ['Stable', 'Beta'] }],
      },
    }),
  )
  await openPage('/packages/p1')

  const section = await screen.findByRole('region', { name: 'Relations and conditions' })
  const text = section.textContent
  for (const line of [
    'runtime (comes along)',
    'fonts (no package has this name) (only awaited; import the package again, and it comes with the package)',
    'old-viewer (uninstalled first)',
    'operating system version 10.0.22000 or later',
    'at least 8,192 MB of memory',
    'not installed: Old Suite',
    'variable Office.Channel: Stable, Beta',
  ])
    expect(text).toContain(line)
  expect(text).not.toContain('Superseded by')
  expect(within(section).getByRole('link', { name: 'Suite 3.0' }).getAttribute('href')).toBe('/packages/p5')
})
