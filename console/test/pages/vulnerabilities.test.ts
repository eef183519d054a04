import { File as NodeFile } from 'node:buffer'
import { fireEvent } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, choose, click, dialog, fill, gone, isDisabled } from '../world/acts.ts'
import { affecting, example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const key = 'CVE-2026-12345'
const exception = {
  ...example('GET /api/vulnerability-exceptions').items[0],
  ...{ id: 1, vulnerability: key, package: 'openssl', platform: 'debian-12', packageVersion: '3.0.15-1' },
}

const service = () =>
  fakeService()
    .on('GET /api/vulnerabilities', listOf([]))
    .on('GET /api/vulnerabilities/sources', [])
    .on('GET /api/vulnerability-exceptions', listOf([exception as never]))

async function chooseFile(panel: HTMLElement, text: string): Promise<void> {
  const input = document.querySelector('input[type=file]') as HTMLInputElement
  Object.defineProperty(input, 'files', { value: [new NodeFile([text], 'vex.json')], configurable: true })
  fireEvent.change(input)
  await within(panel).findByText('vex.json')
}

async function openImport(text: string): Promise<HTMLElement> {
  await openPage('/vulnerabilities')
  await click(await screen.findByRole('button', { name: 'Import VEX…' }))
  const panel = await dialog('Import VEX')
  await chooseFile(panel, text)
  return panel
}

test('the page lists the exceptions in force with their package, and hands them over as VEX', async () => {
  service()

  await openPage('/vulnerabilities')

  const table = await screen.findByRole('table', { name: 'Exceptions' })
  within(table).getByRole('link', { name: key })
  within(table).getByText('openssl 3.0.15-1 (debian-12)')
  expect(screen.getByRole('link', { name: 'Download VEX (CycloneDX)' }).getAttribute('href')).toBe(
    '/api/vulnerability-exceptions/vex',
  )
  expect(screen.getByRole('link', { name: 'Download VEX (CSAF)' }).getAttribute('href')).toBe(
    '/api/vulnerability-exceptions/csaf',
  )
  await expectAccessible(document.body)
})

test('an import says what it did and what was refused, and stays open until that is read', async () => {
  const asked = service().on('POST /api/vulnerability-exceptions/vex', {
    ...{ created: 2, unchanged: 1, ignored: 3, refused: 1 },
    faults: [{ at: 'vulnerabilities.4', reason: 'names no package of dpkg or rpm' }],
  })
  const panel = await openImport('{"bomFormat": "CycloneDX"}')
  await waitFor(() => expect(isDisabled(button(panel, 'Import'))).toBe(false))
  await click(button(panel, 'Import'))

  await within(panel).findByText('2 new, 1 known before, 3 that are no decision for this fleet')
  within(panel).getByText('1 statement refused')
  within(panel).getByText('vulnerabilities.4: names no package of dpkg or rpm')
  expect(asked.bodies('POST /api/vulnerability-exceptions/vex')).toEqual([{ document: { bomFormat: 'CycloneDX' } }])
})

test('a file that is not JSON is refused before anything is sent', async () => {
  service()

  const panel = await openImport('<xml/>')

  await within(panel).findByText('The file is not a JSON document.')
  expect(isDisabled(button(panel, 'Import'))).toBe(true)
})

test('an exception can be for one of several affected packages', async () => {
  const details = example('GET /api/vulnerabilities/{key}')
  const [named] = details.packages as [(typeof details.packages)[number]]
  const asked = service()
    .on('GET /api/vulnerabilities/{key}', {
      ...{ ...details, key },
      packages: [named, { ...named, package: 'nss', productName: 'libnss3' }],
    })
    .onAny('POST /api/vulnerabilities/{key}/exceptions', () => exception)
  await openPage(`/vulnerabilities/${key}`)

  await click(await screen.findByRole('button', { name: 'Add exception…' }))
  const panel = await dialog(`Exception for ${key}`)
  await fill(within(panel).getByLabelText(/^Reason/), 'Not built in')
  await choose(within(panel).getByRole('combobox', { name: 'Package' }), 'nss (debian-12)')
  await expectAccessible(document.body)
  await click(button(panel, 'Add exception'))

  await gone(panel)
  expect(asked.bodies('POST /api/vulnerabilities/{key}/exceptions')).toEqual([
    { status: 'NotAffected', reason: 'Not built in', package: 'nss', platform: 'debian-12' },
  ])
})

test('a vulnerability says which patch removes it from how many computers, and opens the review of an approval', async () => {
  const details = example('GET /api/vulnerabilities/{key}')
  const nothing = { patchId: null, patchName: null, firstUtc: null, lastUtc: null }
  const asked = service()
    .on('GET /api/vulnerabilities/{key}', {
      ...details,
      remedies: [
        { ...nothing, state: 'Released', patchId: 1, patchName: 'openssl 3.0.16', computers: 80 },
        {
          ...{ state: 'Waiting', patchId: 2, patchName: 'libssl3 3.0.16', computers: 5 },
          ...{ firstUtc: '2026-11-20T00:00:00.000Z', lastUtc: '2026-11-22T00:00:00.000Z' },
        },
        { ...nothing, state: 'NeedsPerson', patchId: 3, patchName: 'openssl-dev 3.0.16', computers: 1_234 },
        { ...nothing, state: 'NoFix', computers: 2 },
      ],
    } as never)
    .onAny('POST /api/fleet/patches/approval', () =>
      affecting(4, example('POST /api/fleet/patches/approval', { patchCount: 1 })),
    )
  await openPage(`/vulnerabilities/${key}`)

  const table = await screen.findByRole('table', { name: 'How it goes away' })
  within(table).getByText(/^from .*20.* to .*22/)
  within(table).getByText('1,234')
  await expectAccessible(table)
  const buttons = within(table).getAllByRole('button', { name: /^Approve/ })
  await click(buttons[0] as HTMLElement)
  const panel = await dialog('Approve patches')
  await waitFor(() => expect(isDisabled(button(panel, 'Approve'))).toBe(false))
  await click(button(panel, 'Approve'))
  await gone(panel)

  expect(buttons.map((one) => one.getAttribute('aria-label'))).toEqual(['Approve openssl-dev 3.0.16'])
  expect(asked.bodies('POST /api/fleet/patches/approval').at(-1)).toEqual({ patchIds: [3] })
})

test('a vulnerability of a computer says how it goes away, and who only reads sees no button', async () => {
  const path = '/api/computer/{id}/vulnerabilities'
  const known = example(`GET ${path}`)
  const [finding] = known.items as [(typeof known.items)[number]]
  const remedy = { ...finding.remedy, state: 'NeedsPerson' as const, patchId: 3, patchName: 'openssl 3.0.16' }
  fakeService({ roles: ['computer.read', 'pm.read'] }).on(`GET ${path}`, {
    ...known,
    ...listOf([{ ...finding, key, remedy }]),
  })
  await openPage('/computers/17/vulnerabilities')

  const row = await screen.findByRole('row', { name: new RegExp(key) })

  within(row).getByText('Patch waits for an approval')
  within(row).getByRole('link', { name: 'openssl 3.0.16' })
  expect(within(row).queryByRole('button', { name: /^Approve/ })).toBeNull()
})
