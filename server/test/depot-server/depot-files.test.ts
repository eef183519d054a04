import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDepotWorld } from '../depots/depot-world.ts'
import { givenStoredPackage, sha256Of } from './stored-packages.ts'

const { db, depot, store, withToken } = await openDepotWorld()

describe('the content of a file', () => {
  const content = '0123456789'
  const sha256 = sha256Of(content)

  async function file(files: Record<string, string> = { 'digits.txt': content }) {
    const { itself } = await depot()
    const made = await givenStoredPackage(db, store, files)
    const read = (headers: Record<string, string> = {}, hash = sha256, method: 'GET' | 'HEAD' = 'GET') =>
      itself.send({ method, url: `/depot/v1/packages/${made.id}/files/${hash}`, headers })
    return { ...made, itself, read }
  }

  test('is answered as a whole, with its hash as the tag', async () => {
    const { read } = await file()

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
  ])('is answered in the part %s', async (range, part, contentRange) => {
    const { read } = await file()

    const answered = await read({ range, 'if-range': `"${sha256}"` })

    expect(answered).toMatchObject({ status: 206, raw: part, headers: { 'content-range': contentRange } })
  })

  test.each(['bytes=5-3', 'bytes=-', 'bytes=1-2,4-5', 'lines=1-2'])('is whole where the range is %s', async (range) => {
    const { read } = await file()

    expect(await read({ range })).toMatchObject({ status: 200, raw: content })
  })

  test('is whole where the part is asked for of another version', async () => {
    const { read } = await file()

    expect(await read({ range: 'bytes=3-', 'if-range': '"other"' })).toMatchObject({ status: 200, raw: content })
  })

  test.each(['bytes=10-', 'bytes=-0'])('ends before %s', async (range) => {
    const { read } = await file()

    expect(await read({ range })).toMatchObject({
      status: 416,
      problem: 'RangeNotSatisfiable',
      headers: { 'content-range': 'bytes */10' },
    })
  })

  test('may be empty', async () => {
    const { read } = await file({ empty: '' })

    expect(await read({}, sha256Of(''))).toMatchObject({
      status: 200,
      raw: undefined,
      headers: { 'content-length': '0' },
    })
  })

  test('is not answered for a hash that the package does not have, nor without a credential', async () => {
    const { read, id } = await file()
    const url = `/depot/v1/packages/${id}/files/${sha256}`

    expect(await read({}, sha256Of('other'))).toMatchObject({ status: 404, problem: 'PackageNotWanted' })
    expect(await read({}, 'no-hash')).toMatchObject({ status: 400, problem: 'InvalidRequest' })
    for (const credential of [undefined, 'depot-1.x'])
      expect(await withToken(credential).send({ method: 'GET', url })).toMatchObject({ status: 401 })
  })

  test('is not answered when the file is missing, has another size or is a link', async () => {
    const [missing, longer, linked] = [await file(), await file(), await file({ 'real.txt': content })]
    await db.updateTable('package_files').set({ path: 'gone.txt' }).where('package_id', '=', missing.id).execute()
    await writeFile(join(store, longer.folder, 'digits.txt'), `${content}!`)
    await symlink(join(store, linked.folder, 'real.txt'), join(store, linked.folder, 'link.txt'))
    await db.updateTable('package_files').set({ path: 'link.txt' }).where('package_id', '=', linked.id).execute()

    for (const { read } of [missing, longer, linked])
      expect(await read()).toMatchObject({ status: 409, problem: 'FileMissing' })
  })
})
