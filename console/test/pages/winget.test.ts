import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, dialog, fill, isDisabled } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

type Conversion = AnswerOf<'POST /api/winget/conversion'>
type Upload = AnswerOf<'GET /api/package-uploads'>['items'][number]

const line = (property: string, value: unknown) =>
  ({ property, value, confidence: 'certain', reason: 'Stated', isImplied: false }) as const

const made = (changes: object = {}): Conversion['packages'][number] => ({
  ...{ architecture: 'x64', installerType: 'exe', scope: 'machine', locale: null, downloadFault: null },
  ...{ url: 'https://vendor.example.org/a.exe', sha256: 'ab'.repeat(32), fileName: 'a.exe' },
  ...{ manifest: {} as Conversion['packages'][number]['manifest'], requirements: [], warnings: [] },
  lines: [
    line('name', 'Example.Viewer'),
    line('version', '7'),
    line('operatingSystems', ['Windows']),
    line('commands.install.argv', ['a.exe', '/S']),
    line('kind', 'software'),
  ],
  ...changes,
})

const manifest = {
  ...{ name: 'Example.Viewer', version: '7', kind: 'software', operatingSystems: ['Windows'] },
  commands: { install: { argv: ['a.exe', '/S'] } },
}

function service(conversion: Partial<Conversion>, uploads: Upload[] = []) {
  const answer = { identifier: 'Example.Viewer', version: '7', packages: [made()], rest: [], ...conversion }
  return fakeService()
    .on('GET /api/package-uploads', () => listOf(uploads))
    .on('GET /api/winget/packages', () => ({
      ...{ hasMirror: true, isComplete: true },
      items: [{ identifier: 'Example.Viewer', latestVersion: '7', versionCount: 2 }],
    }))
    .on('GET /api/winget/packages/{identifier}', () => ({ ...answer, versions: ['7', '6'] }))
    .onAny('POST /api/winget/conversion', () => answer)
    .onAny('POST /api/packages/from-url', () => ({ trackingId: 'j1' }))
    .onAny('POST /api/package-uploads/{id}/package', () => ({ trackingId: 'j2' }))
}

async function dropManifest() {
  const page = await openPage('/packages')
  const input = await screen.findByLabelText('Choose files', { selector: 'input' })
  const file = new File(['PackageIdentifier: Example.Viewer'], 'Example.Viewer.installer.yaml')
  Object.defineProperty(input, 'files', { value: [file] })
  input.dispatchEvent(new Event('change', { bubbles: true }))
  const panel = await dialog('Add a package of a winget manifest')
  return { ...page, panel }
}

test('a package is found in the mirror and created with the file that the service downloads', async () => {
  const fake = service({})
  const { address } = await openPage('/packages')
  await click(await screen.findByRole('button', { name: 'From winget' }))
  const panel = await dialog('Add a package of a winget manifest')

  await fill(within(panel).getByLabelText('Package identifier'), 'viewer')
  await click(await within(panel).findByRole('button', { name: 'Example.Viewer 7' }))
  await within(panel).findByText(/downloads the installer from vendor\.example\.org/)
  await fill(within(panel).getByLabelText('Version', { selector: 'input[spellcheck]' }), '7.1')
  await within(panel).findByText(/Makes the package Example\.Viewer/)
  await expectAccessible(document.body)
  await click(button(panel, 'Create package'))

  await waitFor(() => expect(address()).toBe('/packages?job=j1'))
  expect(fake.bodies('POST /api/packages/from-url')).toEqual([
    {
      ...{ url: 'https://vendor.example.org/a.exe', sha256: 'ab'.repeat(32), fileName: 'a.exe', overwrite: false },
      manifest: { ...manifest, version: '7.1' },
    },
  ])
})

test('a dropped manifest is converted, and its file is found among the uploads by its hash', async () => {
  const upload = example('GET /api/package-uploads').items[0] as Upload
  const own = {
    ...upload,
    id: 'u1',
    fileName: 'download (1).exe',
    state: 'Ready',
    isOwn: true,
    sha256: 'ab'.repeat(32),
  }
  const fake = service({ packages: [made({ downloadFault: 'Not listed.' })] }, [own as Upload])
  const { panel, address } = await dropManifest()

  await within(panel).findByText(/The uploaded file download \(1\)\.exe/)
  await within(panel).findByText(/Makes the package Example\.Viewer/)
  await click(button(panel, 'Create package'))

  await waitFor(() => expect(address()).toBe('/packages?job=j2'))
  expect(fake.bodies('POST /api/winget/conversion')).toEqual([
    { files: [{ name: 'Example.Viewer.installer.yaml', content: 'PackageIdentifier: Example.Viewer' }] },
  ])
  expect(fake.bodies('POST /api/package-uploads/{id}/package')).toEqual([
    { fileName: 'a.exe', manifest, overwrite: false },
  ])
})

test('without the file, the page says which one is missing', async () => {
  service({ packages: [made({ downloadFault: 'vendor.example.org is not listed.' })] })
  const { panel } = await dropManifest()

  await within(panel).findByText(/Upload the file a\.exe first/)
  within(panel).getByText('vendor.example.org is not listed.')
  expect(isDisabled(button(panel, 'Create package'))).toBe(true)
})

const needsPerson = (reason: string) =>
  [
    { architecture: 'x64', installerType: 'msix', locale: null, reason, text: 'Stated by the service.' },
  ] as Conversion['rest']

test('a manifest that needs a person shows the reasons', async () => {
  service({ packages: [], rest: needsPerson('installerType') })
  const { panel } = await dropManifest()

  await within(panel).findByText('x64 msix: Installers of this type are not converted.')
  expect(isDisabled(button(panel, 'Create package'))).toBe(true)
})

test('reasons that need a person are shown in German, and those of a later service as it states them', async () => {
  service({ packages: [], rest: [...needsPerson('installerType'), ...needsPerson('ofLaterService')] })
  await openPage('/packages', { language: 'de' })
  await click(await screen.findByRole('button', { name: 'Aus winget' }))
  const panel = await dialog('Paket aus einem winget-Manifest hinzufügen')
  await fill(within(panel).getByLabelText('Paketkennung'), 'viewer')
  await click(await within(panel).findByRole('button', { name: /^Example\.Viewer/ }))

  await within(panel).findByText('x64 msix: Installationsprogramme dieser Art werden nicht übernommen.')
  within(panel).getByText('x64 msix: Stated by the service.')
})
