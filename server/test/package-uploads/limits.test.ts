import { expect, test } from 'vitest'
import { createPackageUpload } from '../../src/features/package-uploads/api/create-package-upload.ts'
import { openUploadWorld } from './upload-world.ts'

const uploads = { maxFileBytes: 1_000, maxPrincipalBytes: 1_500, maxTotalBytes: 4_000, hours: 48 }
const { app, begun, packager, send } = await openUploadWorld({ uploads })

const announce = async ({ caller }: Awaited<ReturnType<typeof packager>>, size: number) =>
  caller.call(createPackageUpload, { body: { fileName: 'setup.bin', size } })

test('a file above the limit is refused before anything is sent', async () => {
  const refused = await announce(await packager(), 1_001)

  expect(refused).toMatchObject({ status: 413, problem: 'UploadTooLarge', raw: { maxBytes: 1_000 } })
})

test('what a principal has announced counts against its quota, whether it has arrived or not, until it is deleted', async () => {
  const ada = await packager()
  const id = await begun(ada.caller, 1_000)

  const refused = await announce(ada, 600)
  await ada.caller.send({ method: 'DELETE', url: `/api/package-uploads/${id}` })

  expect(refused).toMatchObject({
    status: 409,
    problem: 'UploadQuotaExceeded',
    raw: { quota: 'MUSTER_UPLOAD_QUOTA', usedBytes: 1_000 },
  })
  expect((await announce(ada, 600)).status).toBe(201)
})

test('principals that announce files at the same time do not exceed the quota of all together', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => packager()))

  const answers = await Promise.all(people.map((one) => announce(one, 1_000)))

  // 600 bytes are announced above.
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  for (const refused of answers.filter(({ status }) => status !== 201))
    expect(refused).toMatchObject({ problem: 'UploadQuotaExceeded', raw: { quota: 'MUSTER_UPLOAD_TOTAL' } })
})

test('without enough room on the disk, a file is neither announced nor continued', async () => {
  const { configuration } = app.services
  const bob = await packager()
  const id = await begun(bob.caller, 4)
  const before = configuration.minFreeDiskMegabytes
  configuration.minFreeDiskMegabytes = 1e12

  const [announced, continued] = [await announce(bob, 10), await send(bob.caller, id, 0, 'abcd')]
  configuration.minFreeDiskMegabytes = before

  for (const refused of [announced, continued]) expect(refused).toMatchObject({ status: 507, problem: 'StoreFull' })
  expect((await send(bob.caller, id, 0, 'abcd')).status).toBe(204)
})
