import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDepotWorld } from '../depots/depot-world.ts'
import { givenStoredPackage, sha256Of } from './stored-packages.ts'

const { db, depot, store, withToken } = await openDepotWorld()

describe('downloads of depots', () => {
  const content = '0123456789'
  const sha256 = sha256Of(content)

  async function givenFile(files: Record<string, string> = { 'digits.txt': content }) {
    const { itself } = await depot()
    const created = await givenStoredPackage(db, store, files)
    const read = (headers: Record<string, string> = {}, hash = sha256, method: 'GET' | 'HEAD' = 'GET') =>
      itself.send({ method, url: `/depot/v1/packages/${created.id}/files/${hash}`, headers })
    return { ...created, itself, read }
  }

  test('a file is downloaded as a whole, with its hash as the ETag', async () => {
    const { read } = await givenFile()

    const answered = await read()

    expect(answered).toMatchObject({ status: 200, raw: content })
    expect(answered.headers).toMatchObject({ etag: `"${sha256}"`, 'content-length': '10', 'accept-ranges': 'bytes' })
    expect(await read({}, sha256, 'HEAD')).toMatchObject({ status: 200, raw: undefined })
  })

  test.each([
    ['bytes=3-', '3456789', 'bytes 3-9/10'],
    ['bytes=3-5', '345', 'bytes 3-5/10'],
    ['bytes=3-99', '3456789', 'bytes 3-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=-99', content, 'bytes 0-9/10'],
  ])('a file is downloaded in part with the range %s', async (range, part, contentRange) => {
    const { read } = await givenFile()

    const answered = await read({ range, 'if-range': `"${sha256}"` })

    expect(answered).toMatchObject({ status: 206, raw: part, headers: { 'content-range': contentRange } })
  })

  test.each(['bytes=5-3', 'bytes=-', 'bytes=1-2,4-5', 'lines=1-2'])(
    'a file is downloaded as a whole if the range is %s',
    async (range) => {
      const { read } = await givenFile()

      expect(await read({ range })).toMatchObject({ status: 200, raw: content })
    },
  )

  test('a file is downloaded as a whole if If-Range names another version', async () => {
    const { read } = await givenFile()

    expect(await read({ range: 'bytes=3-', 'if-range': '"other"' })).toMatchObject({ status: 200, raw: content })
  })

  test.each(['bytes=10-', 'bytes=-0'])('the range %s after the end of a file is answered with 416', async (range) => {
    const { read } = await givenFile()

    expect(await read({ range })).toMatchObject({
      status: 416,
      problem: 'RangeNotSatisfiable',
      headers: { 'content-range': 'bytes */10' },
    })
  })

  test('an empty file can be downloaded', async () => {
    const { read } = await givenFile({ empty: '' })

    expect(await read({}, sha256Of(''))).toMatchObject({
      status: 200,
      raw: undefined,
      headers: { 'content-length': '0' },
    })
  })

  test('a download is refused for a hash that is not in the package and without a credential', async () => {
    const { read, id } = await givenFile()
    const url = `/depot/v1/packages/${id}/files/${sha256}`

    expect(await read({}, sha256Of('other'))).toMatchObject({ status: 404, problem: 'PackageNotWanted' })
    expect(await read({}, 'no-hash')).toMatchObject({ status: 400, problem: 'InvalidRequest' })
    for (const credential of [undefined, 'depot-1.x'])
      expect(await withToken(credential).send({ method: 'GET', url })).toMatchObject({ status: 401 })
  })

  test('a file without a stored copy is refused if it is missing, has changed or is a symbolic link', async () => {
    const unserved = 'unserved'
    const [missing, longer, changed, linked] = [
      await givenFile({ 'file.txt': unserved }),
      await givenFile({ 'file.txt': unserved }),
      await givenFile({ 'file.txt': unserved }),
      await givenFile({ 'real.txt': unserved }),
    ]
    await db.updateTable('package_files').set({ path: 'gone.txt' }).where('package_id', '=', missing.id).execute()
    await writeFile(join(store, longer.folder, 'file.txt'), `${unserved}!`)
    await writeFile(join(store, changed.folder, 'file.txt'), unserved.toUpperCase())
    await symlink(join(store, linked.folder, 'real.txt'), join(store, linked.folder, 'link.txt'))
    await db.updateTable('package_files').set({ path: 'link.txt' }).where('package_id', '=', linked.id).execute()

    for (const { read } of [missing, longer, changed, linked])
      expect(await read({}, sha256Of(unserved))).toMatchObject({ status: 409, problem: 'FileMissing' })
  })
})
