import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { button, click, contentOf, dialog, fill } from '../world/acts.ts'
import { FakeAnswer } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const source = join(import.meta.dirname, '../../src')
const types = readFileSync(join(import.meta.dirname, '../../../client/src/types.ts'), 'utf8')

const sources = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }))

const reviewPattern = /<(ReviewPanel|EditReview|DeleteReview|PauseReview|TagsReview)\b/

/** Files whose fields are part of a reviewed panel: those with a panel, and those that are named after fields. */
const forms = sources.filter(
  ({ file, text }) => file.endsWith('.tsx') && (reviewPattern.test(text) || /-fields\.tsx$/.test(file)),
)

const refused = (...errors: { in: string; name: string; reason: string }[]) =>
  new FakeAnswer(
    { code: 'ValidationError', status: 400, title: 'Bad Request', detail: 'body is refused', errors },
    { status: 400 },
  )

test('what the service refuses stands at the field that it is about, and goes when the value changes', async () => {
  const path = 'POST /api/packages/import'
  const service = fakeService()
  const reason = 'does not exist in the package store'
  service.onAny(path, ({ body }) =>
    (body as { folderPath: string }).folderPath === 'nope'
      ? refused({ in: 'body', name: 'folderPath', reason })
      : new FakeAnswer({ trackingId: 'j1' }),
  )
  await openPage('/packages')
  await click(await screen.findByRole('button', { name: 'Import package' }))
  const panel = await dialog('Import package')
  const folder = within(panel).getByLabelText(/^Folder in the package store/)

  await fill(folder, 'nope')

  const shown = await within(panel).findByText('Does not exist in the package store.')
  expect(folder.getAttribute('aria-invalid')).toBe('true')
  expect(folder.getAttribute('aria-describedby')?.split(' ')).toContain(shown.id)
  expect(within(panel).getByRole('alert').textContent).toContain('What is wrong stands at the field.')
  expect(within(panel).getByText('Details').closest('details')?.open).toBe(false)
  expect(contentOf(folder)).toBe('nope')
  await fill(folder, 'apps/viewer')
  await within(panel).findByText(/Copies and checks apps\/viewer/)
  expect(within(panel).queryByText('Does not exist in the package store.')).toBeNull()
  expect(folder.getAttribute('aria-invalid')).not.toBe('true')
})

test('what is wrong with a part that has no field of its own is shown openly', async () => {
  const service = fakeService()
  service.onAny('POST /api/packages/import', () =>
    refused({ in: 'query', name: 'overwrite', reason: 'is not for this folder' }),
  )
  await openPage('/packages')
  await click(await screen.findByRole('button', { name: 'Import package' }))
  const panel = await dialog('Import package')
  await fill(within(panel).getByLabelText(/^Folder in the package store/), 'nope')

  const shown = await within(panel).findByText('overwrite: is not for this folder')
  expect(shown.closest('details')?.open).toBe(true)
})

test('who confirms what the service refuses is taken to the field', async () => {
  const service = fakeService()
  service.onAny('POST /api/webhooks', ({ query }) =>
    query.has('dryRun')
      ? new FakeAnswer({ name: 'Chat' })
      : refused({ in: 'body', name: 'url', reason: 'must be reachable.' }),
  )
  await openPage('/admin/webhooks')
  await click(await screen.findByRole('button', { name: 'Create webhook' }))
  const panel = await dialog('Create webhook')
  await fill(within(panel).getByLabelText(/^Name/), 'Chat')
  const address = within(panel).getByLabelText(/^Address/)
  await fill(address, 'https://chat.example.org')
  await waitFor(() => expect(button(panel, 'Create webhook')).toHaveProperty('disabled', false))

  await click(button(panel, 'Create webhook'))

  await within(panel).findByText('Must be reachable.')
  await waitFor(() => expect(document.activeElement).toBe(address))
})

/** Fields without a name, each with the reason. */
const choices = 'Its values are from a list that the service itself has returned.'
const nameless: Record<string, string> = {
  'pages/patch-group/add-patch.tsx': choices,
  'pages/package/trial/trial-panel.tsx': choices,
  'pages/groups/panels/assign-object-panel.tsx': choices,
  'pages/groups/panels/convergence-panel.tsx': 'Whether the group is converged is a choice of three.',
  'pages/groups/panels/ring-fields.tsx': 'Which kind a ring has is a choice, and its value has a name.',
  'pages/groups/panels/rollout-plan-fields.tsx': 'How long a ring is watched is a choice of the page.',
  'pages/patch-policies/ring-fields.tsx': 'Which kind a ring has is a choice, and its value has a name.',
  'pages/patches/approve-panel.tsx': choices,
  'pages/reports/mail-server-tab.tsx': 'The test mail is sent from the page, which shows the problem below the field.',
}

test('every field of a panel has the name that the API has for its value', () => {
  const field = /<(TextInput|NumberInput|Textarea|PasswordInput|TagsInput|Select|MultiSelect|NativeSelect)\b/g
  const without = forms.filter(({ text }) =>
    [...text.matchAll(field)].some(
      ({ index }) => !/<NamedField[^>]*>\s*(\{[^{}]*\?\s*\(\s*)?$/.test(text.slice(0, index)),
    ),
  )

  expect(without.map(({ file }) => file).sort()).toEqual(Object.keys(nameless).sort())
})

test('the names of fields are names of the API', () => {
  const names = sources.flatMap(({ text }) =>
    [...text.matchAll(/<NamedField[^>]* name="([\w.]+)"/g)].map(([, name]) => name),
  )
  const unknown = names.filter(
    (name = '') => !name.split('.').every((part) => new RegExp(`\\b${part}\\??:`).test(types)),
  )

  expect(names.length).toBeGreaterThan(60)
  expect(unknown).toEqual([])
})

/** Changes for which the console sends no version, each with the reason. */
const wholly = 'It is set as a whole, whatever it was before.'
const named = 'The address names what is removed, so nothing else can be.'
const versionless: Record<string, string> = {
  'pages/approvals/decision-dialogs.tsx DELETE /api/approvals/{id}': 'A request for an approval cannot be changed.',
  'pages/computers/views-panel.tsx DELETE /api/views/{id}': 'Only who owns a view deletes it.',
  'pages/computers/views-panel.tsx PATCH /api/views/{id}': 'Only who owns a view changes it.',
  'pages/groups/panels/remove-assignment-panel.tsx DELETE /api/group/{id}/agent-template/{packageId}': named,
  'pages/groups/panels/remove-assignment-panel.tsx DELETE /api/group/{id}/os-image-sku/{skuId}': named,
  'pages/groups/panels/remove-assignment-panel.tsx DELETE /api/group/{id}/pxe-bootimage/{pxeId}': named,
  'pages/reports/mail-server-tab.tsx DELETE /api/admin/mail-server': wholly,
  'pages/safety/freeze-form.tsx PUT /api/freeze':
    'Who stops the hand-out must not be stopped by the change of another.',
  'pages/safety/quota-form.tsx PUT /api/blast-radius': wholly,
}

test('what has a version is changed and deleted only in the version that the person has seen', () => {
  const operations = [...types.matchAll(/^ {4}(\w+): \{\n {8}parameters: \{([\s\S]*?)^ {8}\};/gm)]
  const versioned = new Set(
    operations.filter(([, , parameters]) => parameters?.includes('"If-Match"')).map(([, id]) => id),
  )
  const paths = new Map<string, string>()
  for (const [, path, members] of types.matchAll(/^ {4}"(\/api\/[^"]*)": \{\n([\s\S]*?)^ {4}\};/gm))
    for (const [, method, id] of (members ?? '').matchAll(/^ {8}(put|patch|delete): operations\["(\w+)"\]/gm))
      paths.set(`${method?.toUpperCase()} ${path}`, id ?? '')
  const calls = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/api\.(PUT|PATCH|DELETE)\('([^']+)'/g)]
      .filter(([, method, path]) => versioned.has(paths.get(`${method} ${path}`)))
      .map(([, method, path]) => ({ name: `${file} ${method} ${path}`, text })),
  )
  const blind = calls.filter(({ text }) => !/\betag\b|\bversion=\{|\btags=\{/.test(text))

  expect(calls.length).toBeGreaterThan(25)
  expect([...new Set(blind.map(({ name }) => name))].sort()).toEqual(Object.keys(versionless).sort())
})
