import { execFile } from 'node:child_process'
import { cp, lstat, mkdir, readdir, readlink, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../../../src/database/embedded-postgres/start-embedded-postgres.ts'
import { makeCheckout } from './make-checkout.ts'
import {
  copyInitialised,
  isRoot,
  ordinaryAccount,
  packageName,
  postmasterPid,
  query,
  sharedFolder,
  startMuster,
  temporaryFolder,
} from './muster.ts'

const missingLink = join('node_modules', packageName, 'native/lib/libpq.so.5')
const linux = process.platform === 'linux'
const account = ordinaryAccount()
const open = sharedFolder()
const closed = sharedFolder({ mode: 0o700 })
const accountFolder = sharedFolder({ mode: 0o700, ...(isRoot ? { account } : {}) })

beforeAll(async () => {
  await makeCheckout(open.path)
  await promisify(execFile)('cp', ['-a', '--reflink=auto', join(open.path, 'checkout'), closed.path])
  await copyInitialised(join(open.path, 'data'))
})

let hasRunInClosed = false

/** The home of the database in the folder that nobody else can enter, after a first start there or in an earlier test. */
async function homeInClosed(): Promise<string> {
  const dataDirectory = join(closed.path, 'data')
  if (!hasRunInClosed) {
    const first = startMuster({ dataDirectory, checkout: join(closed.path, 'checkout') })
    await first.ready()
    await first.end('SIGTERM')
  }
  hasRunInClosed = true
  return await readlink(join(dataDirectory, 'postgres'))
}

test.runIf(linux)('library links that the install script did not create are created in the package', async () => {
  const checkout = join(open.path, 'checkout')
  const link = join(checkout, missingLink)
  await rm(link, { force: true })

  const muster = startMuster({ dataDirectory: join(open.path, 'data'), checkout })
  await muster.ready()

  expect(muster.phases()).not.toContain('copied the binaries')
  expect(await readlink(link)).toMatch(/^libpq\.so\.5\./)
})

test.runIf(isRoot)('root can use a checkout and a data directory that nobody else can enter', async () => {
  const checkout = join(closed.path, 'checkout')
  const dataDirectory = join(closed.path, 'data')

  const first = startMuster({ dataDirectory, checkout })
  await query((await first.ready()).connection, 'create table kept as select 7 as seven')
  const server = await stat(`/proc/${await postmasterPid(dataDirectory)}`)
  await first.end('SIGTERM')
  hasRunInClosed = true
  const second = startMuster({ dataDirectory, checkout })
  const { connection } = await second.ready()

  expect(first.phases()).toContain('copied the binaries')
  expect(await first.warned()).toContain(dataDirectory)
  expect(server.uid).not.toBe(0)
  expect(second.phases()).toEqual([])
  expect(await query(connection, 'select seven from kept')).toEqual([{ seven: 7 }])
  const home = await readlink(join(dataDirectory, 'postgres'))
  for (const name of await readdir(home)) {
    const entry = await lstat(join(home, name))
    expect([name, entry.uid]).toEqual([name, ['cluster', 'socket'].includes(name) ? server.uid : 0])
    expect([name, entry.mode & 0o022]).toEqual([name, 0])
  }
})

test.runIf(isRoot)('an interrupted copy of the binaries is repeated', async () => {
  const checkout = join(closed.path, 'checkout')
  const dataDirectory = join(closed.path, 'data')
  const home = await homeInClosed()
  const [copy = ''] = (await readdir(home)).filter((entry) => entry.startsWith('binaries-'))
  await rm(join(home, copy), { recursive: true })
  await mkdir(join(home, 'binaries-unfinished/bin'), { recursive: true })

  await startMuster({ dataDirectory, checkout }).ready()

  expect((await readdir(home)).filter((entry) => entry.startsWith('binaries-'))).toEqual([copy])
})

test.runIf(isRoot)('a data directory whose database was removed is refused instead of initialised again', async () => {
  const dataDirectory = join(closed.path, 'data')
  await rm(await homeInClosed(), { recursive: true })

  const starting = startEmbeddedPostgres({ dataDirectory })

  await expect(starting).rejects.toMatchObject({
    code: 'data-directory-unusable',
    message: expect.stringContaining('remove the link'),
  })
})

test.runIf(isRoot)('a database that root has copied starts like the original', async () => {
  const folder = await temporaryFolder()
  const original = await startEmbeddedPostgres({ dataDirectory: await copyInitialised(join(folder, 'original')) })
  await query(original.connection, 'create table kept as select 7 as seven')
  await original.stop()
  await cp(join(folder, 'original'), join(folder, 'copy'), { recursive: true })

  const { connection, stop } = await startEmbeddedPostgres({ dataDirectory: join(folder, 'copy') })

  expect(await query(connection, 'select seven from kept').finally(() => stop())).toEqual([{ seven: 7 }])
})

test.runIf(isRoot)(
  'an unprivileged user runs PostgreSQL as itself, from a package that it cannot write to',
  async () => {
    const checkout = join(open.path, 'checkout')
    const dataDirectory = accountFolder.path
    await rm(join(checkout, missingLink), { force: true })

    const muster = startMuster({ dataDirectory, checkout, account })
    await muster.ready()
    const server = await stat(`/proc/${await postmasterPid(dataDirectory)}`)

    expect(server.uid).toBe(account.uid)
    expect(muster.phases()).toContain('copied the binaries')
  },
)

test.runIf(isRoot)('a database of another user is refused, both for an unprivileged user and for root', async () => {
  const checkout = join(open.path, 'checkout')
  const ofAccount = await copyInitialised(await temporaryFolder(), account)

  const ordinary = await startMuster({ dataDirectory: join(open.path, 'data'), checkout, account }).refused()
  const root = startEmbeddedPostgres({ dataDirectory: ofAccount })

  expect(ordinary.code).toBe('data-directory-unusable')
  expect(ordinary.message).toContain('belongs to another user (uid 0)')
  await expect(root).rejects.toThrow(`belongs to another user (uid ${account.uid})`)
})

test.runIf(isRoot && linux)('PostgreSQL of an unprivileged user shuts down when Muster is killed', async () => {
  const checkout = join(open.path, 'checkout')
  const dataDirectory = accountFolder.path
  const muster = startMuster({ dataDirectory, checkout, account })
  await muster.ready()

  await muster.end('SIGKILL')
  const next = startMuster({ dataDirectory, checkout, account })
  await next.ready()

  expect(next.phases()).not.toContain('recovered after a crash')
})
