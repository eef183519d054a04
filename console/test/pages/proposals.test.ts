import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, contentOf, dialog, fill, isDisabled } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { example, FakeAnswer, listOf, problem } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const uploads = '/api/package-uploads'
type Upload = AnswerOf<`GET ${typeof uploads}`>['items'][number]
type Proposal = AnswerOf<`GET ${typeof uploads}/{id}/proposal`>
type Line = Proposal['lines'][number]

const lineOf = (property: string, value: unknown, changes: Partial<Line> = {}): Line => ({
  ...{ property, value, confidence: 'certain', reason: 'From the control file', isImplied: false },
  ...changes,
})

const lines = [
  lineOf('name', 'tool'),
  lineOf('version', '1.0', { confidence: 'guess', reason: 'From the name of the file' }),
  lineOf('operatingSystems', ['debian', 'ubuntu'], { confidence: 'likely', reason: 'Systems with dpkg' }),
  lineOf('commands.install.argv', ['apt-get', '-y', 'install', './tool 1.deb']),
  lineOf('commands.detect.dpkg', { package: 'tool', minVersion: '1.0' }),
  lineOf('kind', 'software'),
]

/** A page with one upload for which the service makes the proposal. */
async function openProposal(changes: Partial<Proposal> = {}, fileName = 'tool.deb') {
  const upload = example(`GET ${uploads}`).items[0] as Upload
  const service = fakeService()
  service
    .on(`GET ${uploads}`, () => listOf([{ ...upload, id: 'u1', fileName, state: 'Ready', isOwn: true }]))
    .on(`GET ${uploads}/{id}/proposal`, () =>
      example(`GET ${uploads}/{id}/proposal`, { fileName, lines, requirements: [], warnings: [], ...changes }),
    )
    .onAny(`POST ${uploads}/{id}/package`, () => example(`POST ${uploads}/{id}/package`, { trackingId: 'j1' }))
  const { address } = await openPage('/packages')
  const open = async () => {
    await click(await screen.findByRole('button', { name: `Review and import ${fileName}` }))
    const panel = await dialog(`Make a package of ${fileName}`)
    await within(panel).findByLabelText('Name')
    return panel
  }
  return { service, address, open }
}

/** What assistive technology reads after the label. */
const descriptionOf = (field: HTMLElement) =>
  (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ')

test('each proposed value has its confidence and reason, and the package is created with the corrected ones', async () => {
  const { service, address, open } = await openProposal()
  const panel = await open()

  within(panel).getByText(/One value is a guess/)
  expect(descriptionOf(within(panel).getByLabelText('Version'))).toBe('Guess From the name of the file')
  const install = within(panel).getByLabelText('Install command (one argument in each line)')
  expect(contentOf(install)).toBe('apt-get\n-y\ninstall\n./tool 1.deb')
  await expectAccessible(document.body)
  await fill(within(panel).getByLabelText('Version'), '1.1')
  await fill(within(panel).getByLabelText('Detection: dpkg minVersion'), '')
  await fill(within(panel).getByLabelText('Return codes that need a restart (separated by commas)'), '3010, 1641')
  await within(panel).findByText(/makes a package of it/)
  await click(button(panel, 'Create package'))

  await waitFor(() => expect(address()).toBe('/packages?job=j1'))
  expect(service.bodies(`POST ${uploads}/{id}/package`)).toEqual([
    {
      overwrite: false,
      fileName: 'tool.deb',
      manifest: {
        name: 'tool',
        version: '1.1',
        kind: 'software',
        operatingSystems: ['debian', 'ubuntu'],
        commands: {
          install: { argv: ['apt-get', '-y', 'install', './tool 1.deb'], rebootCodes: [3010, 1641] },
          detect: { dpkg: { package: 'tool' } },
        },
      },
    },
  ])
})

test('what the service refuses is shown at its field, and nothing can be created until it is corrected', async () => {
  const { service, open } = await openProposal()
  service.onAny(`POST ${uploads}/{id}/package`, ({ body }) =>
    (body as { manifest: { version?: string } }).manifest.version === undefined
      ? problem(422, 'ManifestInvalid', 'The manifest is not valid.', [
          { in: 'body', name: 'manifest.version', reason: 'is required' },
        ])
      : example(`POST ${uploads}/{id}/package`),
  )
  const panel = await open()
  const version = within(panel).getByLabelText('Version')

  await fill(version, '')
  await waitFor(() => expect(version.getAttribute('aria-invalid')).toBe('true'))
  within(panel).getByText('is required')
  expect(isDisabled(button(panel, 'Create package'))).toBe(true)
  await fill(version, '2')

  await waitFor(() => expect(isDisabled(button(panel, 'Create package'))).toBe(false))
  expect(version.getAttribute('aria-invalid')).not.toBe('true')
})

test('what the agent does by itself, what computers need, the warnings and the scripts are shown beside the fields', async () => {
  const implied = { isImplied: true, reason: 'What the agent does with MSI files' }
  const { open } = await openProposal(
    {
      fileName: 'tool.msi',
      lines: [
        lineOf('name', 'tool'),
        lineOf('msi.file', 'tool.msi'),
        lineOf('msi.properties', { ALLUSERS: '1' }),
        lineOf('commands.install.shell', 'msiexec /i "tool.msi"', implied),
        lineOf('commands.detect.msi', { productCode: '{1}' }, implied),
      ],
      requirements: [{ kind: 'architecture', value: 'x64', confidence: 'certain', reason: 'Template' }],
      warnings: ['Computers must trust the certificate.'],
      notes: ['Signed by Example. The signature was not verified.'],
      facts: { scripts: [{ name: 'postinst', text: '#!/bin/sh\n\trm -rf /opt/tool\n', isComplete: false }] },
    },
    'tool?.msi',
  )

  const panel = await open()

  within(panel).getByText('In the package, the file is called tool.msi.')
  within(panel).getByText('Install command of the shell: msiexec /i "tool.msi"')
  within(panel).getByText('Architecture: x64')
  within(panel).getByText('Computers must trust the certificate.')
  expect(within(panel).getByRole('group', { name: 'What postinst does' }).textContent).toContain('\trm -rf /opt/tool')
  within(panel).getByText('Only the beginning is shown.')
  within(panel).getByText('Signed by Example. The signature was not verified.')
  expect(contentOf(within(panel).getByLabelText('Property of the MSI file: ALLUSERS'))).toBe('1')
  expect(within(panel).queryByLabelText(/^(Detection|Install|Return)/)).toBeNull()
})

test('while other installers are being read, the page asks again after the time that the service names', async () => {
  const { service, open } = await openProposal()
  let asked = 0
  service.onAny(`GET ${uploads}/{id}/proposal`, () => {
    const { body } = problem(503, 'InstallerReaderBusy')
    return ++asked === 1
      ? new FakeAnswer(body, { status: 503, headers: { 'retry-after': '0' } })
      : example(`GET ${uploads}/{id}/proposal`, { fileName: 'tool.deb', lines, requirements: [], warnings: [] })
  })

  await open()

  expect(asked).toBe(2)
})
