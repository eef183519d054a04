import { lstat, mkdir, readdir, readlink, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { makeCheckout } from './make-checkout.ts'
import {
  isRoot,
  ordinaryAccount,
  packageName,
  postmasterPid,
  query,
  sharedFolder,
  startMuster,
  temporaryFolder,
} from './muster.ts'

const linux = process.platform === 'linux'
const account = ordinaryAccount()
const open = sharedFolder()
const closed = sharedFolder({ mode: 0o700 })
const ofAccount = sharedFolder({ mode: 0o700, ...(isRoot ? { account } : {}) })

beforeAll(async () => {
  await makeCheckout(open.path)
  await makeCheckout(closed.path)
})

test.runIf(linux)('library links that the install script did not make are made in the package', async () => {
  const folder = await temporaryFolder()
  const { checkout, native } = await makeCheckout(folder)

  const muster = startMuster({ dataDirectory: join(folder, 'data'), checkout })
  await muster.ready()

  expect(muster.phases()).not.toContain('copy the binaries')
  expect(await readlink(join(native, 'lib/libpq.so.5'))).toMatch(/^libpq\.so\.5\./)
})

test.runIf(isRoot)('root can keep the checkout and the data in folders that are closed to everyone else', async () => {
  const checkout = join(closed.path, 'checkout')
  const dataDirectory = join(closed.path, 'data')

  const first = startMuster({ dataDirectory, checkout })
  await query((await first.ready()).connection, 'create table kept as select 7 as seven')
  const server = await stat(`/proc/${await postmasterPid(dataDirectory)}`)
  await first.end('SIGTERM')
  const second = startMuster({ dataDirectory, checkout })
  const { connection } = await second.ready()

  expect(first.phases()).toContain('copy the binaries')
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

test.runIf(isRoot)('a copy of the binaries that was interrupted is made anew', async () => {
  const checkout = join(closed.path, 'checkout')
  const dataDirectory = join(closed.path, 'data')
  const first = startMuster({ dataDirectory, checkout })
  await first.ready()
  await first.end('SIGTERM')
  const home = await readlink(join(dataDirectory, 'postgres'))
  const [copy = ''] = (await readdir(home)).filter((entry) => entry.startsWith('binaries-'))
  await rm(join(home, copy), { recursive: true })
  await mkdir(join(home, 'binaries-unfinished/bin'), { recursive: true })

  await startMuster({ dataDirectory, checkout }).ready()

  expect((await readdir(home)).filter((entry) => entry.startsWith('binaries-'))).toEqual([copy])
})

test.runIf(isRoot)('a data directory whose database was taken away is refused instead of begun anew', async () => {
  const dataDirectory = join(closed.path, 'data')
  const first = startMuster({ dataDirectory })
  await first.ready()
  await first.end('SIGTERM')
  await rm(await readlink(join(dataDirectory, 'postgres')), { recursive: true })

  const { code, message } = await startMuster({ dataDirectory }).refused()

  expect(code).toBe('data-directory-unusable')
  expect(message).toContain('remove the link')
})

test.runIf(isRoot)('an ordinary user runs PostgreSQL as itself, from a package it cannot write to', async () => {
  const checkout = join(open.path, 'checkout')
  const dataDirectory = ofAccount.path

  const muster = startMuster({ dataDirectory, checkout, account })
  await muster.ready()
  const server = await stat(`/proc/${await postmasterPid(dataDirectory)}`)

  expect(server.uid).toBe(account.uid)
  expect(muster.phases()).toContain('copy the binaries')
  expect(await readdir(join(checkout, 'node_modules', packageName, 'native/lib'))).not.toContain('libpq.so.5')
})

test.runIf(isRoot)('root may start once on the directory of a user, who can start again afterwards', async () => {
  const checkout = join(open.path, 'checkout')
  const dataDirectory = ofAccount.path
  const first = startMuster({ dataDirectory, checkout, account })
  await query((await first.ready()).connection, 'create table kept as select 7 as seven')
  await first.end('SIGTERM')

  const asRoot = startMuster({ dataDirectory })
  await asRoot.ready()
  const server = await stat(`/proc/${await postmasterPid(dataDirectory)}`)
  await asRoot.end('SIGTERM')
  const again = startMuster({ dataDirectory, checkout, account })
  const { connection } = await again.ready()

  expect(server.uid).toBe(account.uid)
  expect(await query(connection, 'select seven from kept')).toEqual([{ seven: 7 }])
})

test.runIf(isRoot)('an ordinary user is refused on the data directory of root', async () => {
  const checkout = join(open.path, 'checkout')
  const dataDirectory = await temporaryFolder()
  const first = startMuster({ dataDirectory })
  await first.ready()
  await first.end('SIGTERM')

  const { code, message } = await startMuster({
    dataDirectory,
    checkout,
    account,
  }).refused()

  expect(code).toBe('data-directory-unusable')
  expect(message).toContain('belong to another user')
})

test.runIf(isRoot && linux)('PostgreSQL of an ordinary user shuts down when Muster is killed', async () => {
  const checkout = join(open.path, 'checkout')
  const dataDirectory = ofAccount.path
  const muster = startMuster({ dataDirectory, checkout, account })
  await muster.ready()

  await muster.end('SIGKILL')
  const next = startMuster({ dataDirectory, checkout, account })
  await next.ready()

  expect(next.phases()).not.toContain('recover after a crash')
})
