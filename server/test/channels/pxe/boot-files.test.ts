import { createHash, randomUUID } from 'node:crypto'
import { realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { issueBootToken } from '../../../src/channels/pxe/boot-token.ts'
import { getComputer } from '../../../src/features/computers/api/get-computer.ts'
import { openPackageFile } from '../../../src/features/packages/content/open-package-file.ts'
import { openTemporaryFolder } from '../../world/temporary-folder.ts'
import { openBootWorld, pathsIn, tokenIn } from './boot-world.ts'

const { app, as, db, firmware, installation, store } = await openBootWorld()
const { keys } = app.services
const folderOf = async ({ packageId }: { packageId: string }) =>
  (await db.selectFrom('packages').select('folder').where('id', '=', packageId).executeTakeFirstOrThrow()).folder ?? ''
const get = (url: string, headers = {}) => firmware.send({ method: 'GET', url, headers })

test('the files of the boot image and of the operating system are served', async () => {
  const { script } = await installation()
  const files = pathsIn(await script()).filter((path) => path.startsWith('/boot/files/'))

  const contents = await Promise.all(files.map(async (path) => (await get(path)).raw))

  expect(contents).toEqual(['the kernel', 'the operating system', 'the first file system'])
})

test('ranges of files are served', async () => {
  const { script } = await installation()
  const [kernel = ''] = pathsIn(await script())

  const whole = await get(kernel)
  const part = await get(kernel, { range: 'bytes=4-', 'if-range': whole.headers.etag })
  const beyond = await get(kernel, { range: 'bytes=100-' })
  const head = await firmware.send({ method: 'HEAD', url: kernel })

  expect(part).toMatchObject({ status: 206, raw: 'kernel', headers: { 'content-range': 'bytes 4-9/10' } })
  expect(beyond.status).toBe(416)
  expect(head).toMatchObject({ status: 200, headers: { 'content-length': '10', 'accept-ranges': 'bytes' } })
})

describe('refused requests', () => {
  test('no path leads to files that are not in the packages of the script', async () => {
    const [{ script, image }, other] = [await installation(), await installation()]
    const token = tokenIn(await script())
    const [folder, foreign] = [await folderOf(image), await folderOf(other.image)]
    await writeFile(join(store, 'secret'), 'secret')
    await writeFile(join(store, folder, 'unlisted'), 'secret')
    const paths = [
      'boot/../secret',
      'boot/..%2fsecret',
      'boot/..%2F..%2F..%2Fetc%2Fpasswd',
      'boot/%2e%2e%2fsecret',
      'boot/..%5csecret',
      'boot/%252e%252e%252fsecret',
      `boot/..%2f${foreign}%2fvmlinuz`,
      `boot/.%2fvmlinuz`,
      'boot//vmlinuz',
      'boot/%2fetc%2fpasswd',
      'boot/vmlinuz%00',
      'boot/vmlinuz%00.txt',
      'languages/%00/vmlinuz',
      'boot/',
      'boot/unlisted',
      'boot/muster-package.json',
      'boot/images/install.img',
      'os/vmlinuz',
      'other/vmlinuz',
      'vmlinuz',
      '',
    ]

    for (const path of paths) {
      const refused = await get(`/boot/files/${token}/${path}`)
      expect(refused.status, path).toBe(404)
    }
  })

  test('a file without a stored copy is not served through a link, or when it is not what was imported', async () => {
    const { script, image } = await installation({ files: { vmlinuz: 'never served' } })
    const [url = ''] = pathsIn(await script())
    const path = join(store, await folderOf(image), 'vmlinuz')

    await writeFile(path, 'another length')
    const changed = await get(url)
    await rm(path)
    const missing = await get(url)
    await symlink('/etc/passwd', path)
    const linked = await get(url)

    for (const refused of [changed, missing, linked])
      expect(refused).toMatchObject({ status: 404, problem: 'BootFileNotFound' })
  })

  test('a row of the database that leads out of the package store opens no file', async () => {
    const { script, image } = await installation({ files: { vmlinuz: 'of the package' } })
    const [url = ''] = pathsIn(await script())
    const outside = await openTemporaryFolder()
    const [content, folder] = ['a secret of the server', relative(await realpath(store), await realpath(outside))]
    await writeFile(join(outside, 'vmlinuz'), content)
    const sha256 = createHash('sha256').update(content).digest()
    await db.updateTable('packages').set({ folder }).where('id', '=', image.packageId).execute()
    await db
      .updateTable('package_files')
      .set({ sha256, size: content.length })
      .where('package_id', '=', image.packageId)
      .execute()

    expect(await get(url)).toMatchObject({ status: 404, problem: 'BootFileNotFound' })
    for (const [from, path] of [
      [folder, 'vmlinuz'],
      ['.', join(folder, 'vmlinuz')],
      ['image', join('..', folder, 'vmlinuz')],
      [outside, 'vmlinuz'],
      ['image', join(outside, 'vmlinuz')],
    ] as const)
      expect(await openPackageFile(store, from, path), `${from} ${path}`).toBeUndefined()
    await rm(outside, { recursive: true })
  })

  test.each([{ is_operational: false }, { hash_state: 'Mismatch' }])(
    'the files of a package that may not be distributed are not served: %j',
    async (columns) => {
      const { script, image } = await installation()
      const [kernel = ''] = pathsIn(await script())

      await db.updateTable('packages').set(columns).where('id', '=', image.packageId).execute()

      expect(await get(kernel)).toMatchObject({ status: 404, problem: 'BootFileNotFound' })
    },
  )

  test('nothing is served or accepted with a token that has expired or was forged', async () => {
    const { script, computer, image } = await installation()
    const token = tokenIn(await script())
    const [header = '', payload = '', signature = ''] = token.split('.')
    const changed = { ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object), sub: '1', image: 1 }
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const grant = { clientId: computer.id, grantId: randomUUID(), imageId: image.id, skuId: null }
    const tokens = [
      await issueBootToken(keys, grant, new Date(Date.now() - 1_000)),
      await issueBootToken({ ...keys, deriveKey: () => Buffer.alloc(32) }, grant),
      `${header}.${encoded(changed)}.${signature}`,
      `${encoded({ alg: 'none' })}.${payload}.`,
      `${encoded({ alg: 'none' })}.${encoded(changed)}.${signature}`,
      `${header}.${payload}.${'A'.repeat(43)}`,
      token.slice(0, -2),
      'x',
    ]

    for (const one of tokens.map(encodeURIComponent)) {
      expect(await get(`/boot/files/${one}/boot/vmlinuz`), one).toMatchObject({
        status: 401,
        problem: 'BootTokenInvalid',
      })
      const report = await firmware.send({
        method: 'POST',
        url: `/boot/report/${one}`,
        payload: { status: 'Success' },
      })
      expect(report, one).toMatchObject({ status: 401, problem: 'BootTokenInvalid' })
    }
    const { body } = await as('computer.read').call(getComputer, { params: { id: computer.id } })
    expect(body.isPxeActive).toBe(true)
  })

  test('the token of a principal is refused, and the token of a script is valid for nothing else', async () => {
    const { script } = await installation()
    const token = tokenIn(await script())

    const ofPrincipal = await app.services.tokens.issue(
      (await db.selectFrom('principals').select('id').executeTakeFirstOrThrow()).id,
    )
    const elsewhere = await app.http.inject({
      url: '/api/service/whoami',
      headers: { authorization: `Bearer ${token}` },
    })

    expect((await as('admin.manage').send({ method: 'GET', url: '/boot/files/x/boot/vmlinuz' })).status).toBe(401)
    expect((await get(`/boot/files/${ofPrincipal.slice(0, 250)}/boot/vmlinuz`)).status).toBe(401)
    expect(elsewhere.statusCode).toBe(401)
  })
})

test('a token is valid for twelve hours and fits into an address', async () => {
  const { script } = await installation()
  const token = tokenIn(await script())

  const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp: number }

  expect(exp - Date.now() / 1000).toBeGreaterThan(12 * 3600 - 60)
  expect(exp - Date.now() / 1000).toBeLessThanOrEqual(12 * 3600 + 1)
  const largest = { clientId: 2 ** 31 - 1, grantId: randomUUID(), imageId: 2 ** 31 - 1, skuId: 2 ** 31 - 1 }
  expect((await issueBootToken(keys, largest)).length).toBeLessThan(255)
})
