import { File as NodeFile } from 'node:buffer'
import { fireEvent } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, dialog, fill } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { example, FakeAnswer, listOf, problem } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const uploads = '/api/package-uploads'
type Upload = AnswerOf<`GET ${typeof uploads}`>['items'][number]

const uploadOf = (changes: Partial<Upload>): Upload => ({
  ...(example(`GET ${uploads}`).items[0] as Upload),
  ...{ state: 'Ready', isOwn: true, importFault: null, importTrackingId: null },
  ...changes,
})

/** A service that stores what is sent. The content of files has to be valid JSON, as all bodies of the fake service. */
function givenUploads(...given: Upload[]) {
  let list = given
  const service = fakeService()
  const offsets: string[] = []
  const refusal: { answer?: FakeAnswer } = {}
  const update = (id: string | undefined, changes: Partial<Upload>) => {
    list = list.map((one) => (one.id === id ? { ...one, ...changes } : one))
  }
  const positionOf = (id: string | undefined) => {
    const { received = 0, size = 0 } = list.find((one) => one.id === id) ?? {}
    return { 'upload-offset': String(received), 'upload-length': String(size) }
  }
  service
    .on(`GET ${uploads}`, () => listOf(list))
    .on(
      `GET ${uploads}/{id}`,
      ({ params }) => list.find(({ id }) => id === params[0]) ?? problem(404, 'UploadNotFound'),
    )
    .onAny(`HEAD ${uploads}/{id}`, ({ params }) => new FakeAnswer(undefined, { headers: positionOf(params[0]) }))
    .onAny(`POST ${uploads}`, ({ headers }) => {
      if (refusal.answer) return refusal.answer
      const metadata = new Map(
        (headers.get('upload-metadata') ?? '').split(',').map((pair) => pair.split(' ') as [string, string]),
      )
      const fileName = atob(metadata.get('filename') ?? '')
      const id = `u${list.length + 1}`
      const size = Number(headers.get('upload-length'))
      const fingerprint = atob(metadata.get('fingerprint') ?? '')
      list = [...list, uploadOf({ id, fileName, size, received: 0, fingerprint, state: 'Receiving', sha256: null })]
      return new FakeAnswer(example(`POST ${uploads}`), { status: 201, headers: { location: `${uploads}/${id}` } })
    })
    .onAny(`PATCH ${uploads}/{id}`, ({ params, headers, body }) => {
      offsets.push(headers.get('upload-offset') ?? '')
      const received = Number(headers.get('upload-offset')) + JSON.stringify(body).length
      update(params[0], { received, state: 'Ready' })
      return new FakeAnswer(undefined, { headers: positionOf(params[0]) })
    })
    .onAny(`DELETE ${uploads}/{id}`, ({ params }) => {
      list = list.filter(({ id }) => id !== params[0])
    })
  return { service, offsets, refusal }
}

/** Of Node, because its requests send no other. */
const fileOf = (name: string, content: string) => new NodeFile([content], name, { lastModified: 1 }) as unknown as File

async function chooseFiles(...files: File[]) {
  const input = await waitFor(() => document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement)
  Object.defineProperty(input, 'files', { value: files, configurable: true })
  fireEvent.change(input)
}

const list = () => screen.findByRole('list', { name: 'Uploads' })

test('files that are chosen are sent, and a file that is not a known installer becomes a package with its manifest', async () => {
  const { service } = givenUploads()
  service.onAny(`POST ${uploads}/{id}/package`, () => example(`POST ${uploads}/{id}/package`, { trackingId: 'j1' }))
  const { address } = await openPage('/packages')

  await chooseFiles(fileOf('setup.msi', '123456'), fileOf('empty.msi', ''), fileOf('tool.zip', '12345678'))

  await within(await list()).findByRole('button', { name: 'Import tool.zip' })
  await screen.findByText('empty.msi is empty.')
  await expectAccessible(document.body)
  service.on(`GET ${uploads}/{id}/proposal`, () => problem(422, 'InstallerFormatUnknown'))
  await click(await screen.findByRole('button', { name: 'Review and import setup.msi' }))
  const reading = await dialog('Make a package of setup.msi')
  await click(await within(reading).findByRole('button', { name: 'Write the manifest yourself' }))
  const panel = await dialog('Make a package of setup.msi')
  const field = within(panel).getByLabelText(/^Manifest/)
  await fill(field, '{"name": ')
  await within(panel).findByText(/^Not an object in JSON/)
  await fill(field, '{"name": "tool"}')
  await within(panel).findByText(/makes a package of it/)
  await click(button(panel, 'Import'))
  await waitFor(() => expect(address()).toBe('/packages?job=j1'))
  expect(service.bodies(`POST ${uploads}/{id}/package`)).toEqual([{ overwrite: false, manifest: { name: 'tool' } }])
})

test('a file of which a part has arrived continues there when it is chosen again', async () => {
  const half = { fileName: 'large.zip', size: 8, received: 3, sha256: null, fingerprint: 'large.zip-8-1' }
  const { offsets } = givenUploads(uploadOf({ id: 'u1', ...half, state: 'Receiving' }))
  await openPage('/packages')
  await within(await list()).findByText(/choose the same file again/)

  await chooseFiles(fileOf('large.zip', '12345678'))

  await screen.findByRole('button', { name: 'Import large.zip' })
  expect(offsets).toEqual(['3'])
})

test('a refused file shows why, and can be sent again', async () => {
  const { refusal } = givenUploads()
  refusal.answer = problem(507, 'StoreFull', 'The disk of the package store has too little room for the file.')
  await openPage('/packages')

  await chooseFiles(fileOf('big.msi', '123456'))
  await within(await list()).findByText(/too little room/)
  delete refusal.answer
  await click(await screen.findByRole('button', { name: 'Continue big.msi' }))

  await screen.findByRole('button', { name: 'Review and import big.msi' })
})

test('uploads of others are shown without what only their owner may do, and own ones are deleted after a question', async () => {
  givenUploads(
    uploadOf({ id: 'u1', fileName: 'theirs.msi', isOwn: false, createdBy: 'bob' }),
    uploadOf({ id: 'u2', fileName: 'mine.msi', importFault: 'The folder has no muster-package.json.' }),
  )
  await openPage('/packages')

  const shown = await list()
  await within(shown).findByText(/Uploaded by bob/)
  expect(within(shown).queryByRole('button', { name: 'Review and import theirs.msi' })).toBeNull()
  await within(shown).findByText('The folder has no muster-package.json.')
  await click(button(shown, 'Delete mine.msi'))
  await click(button(await dialog('Delete the upload?'), 'Delete'))

  await waitFor(() => expect(screen.queryByText('mine.msi')).toBeNull())
})
