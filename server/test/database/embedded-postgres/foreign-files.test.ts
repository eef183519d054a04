import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { findRunningPostgres } from '../../../src/database/embedded-postgres/find-running-postgres.ts'
import { startEmbeddedPostgres } from '../../../src/database/embedded-postgres/start-embedded-postgres.ts'
import { copyInitialised, query, serverProcesses, sharedFolder, temporaryFolder } from './muster.ts'

const shared = sharedFolder()

beforeAll(() => copyInitialised(shared.path))

/** The path of something in a data directory whose server has run and was stopped. */
async function pathInStopped(path: string): Promise<string> {
  expect(await serverProcesses(shared.path)).toEqual([])
  return join(shared.path, 'postgres', path)
}

/** Starts in this process, which no refusal ends, and expects one sentence for the operator. */
async function refusal(dataDirectory = shared.path): Promise<string> {
  const refused = await startEmbeddedPostgres({ dataDirectory }).then(({ stop }) => stop(), Object)
  expect(refused).toMatchObject({ name: 'EmbeddedPostgresError', code: 'data-directory-unusable' })
  expect(await serverProcesses(dataDirectory)).toEqual([])
  return refused.message
}

async function expectStart(): Promise<void> {
  const { connection, stop } = await startEmbeddedPostgres({ dataDirectory: shared.path })
  const rows = await query(connection, 'select 1 as one').finally(() => stop())
  expect(rows).toEqual([{ one: 1 }])
}

test.each(['cluster/postmaster.pid', 'lock', 'postgres.log'])(
  'a folder in place of the file %s is refused with its path, and is not deleted',
  async (name) => {
    const path = await pathInStopped(name)
    await rm(path, { force: true })
    await mkdir(path)
    await writeFile(join(path, 'kept'), '')

    const message = await refusal()

    expect(message).toContain(`${path} is a folder, but must be a file.`)
    expect(message).toContain('move it away and start again')
    expect(await readdir(path)).toEqual(['kept'])
    await rm(path, { recursive: true })
    await expectStart()
  },
)

test.each(['garbage', '', '1\n/\n0\n5432\n/\n', '-1\n', '\0\0\0\0', '99999999999999999999'])(
  'a pid file of PostgreSQL with the content %j does not prevent the start, and no other process is ended for it',
  async (content) => {
    await writeFile(await pathInStopped('cluster/postmaster.pid'), content)

    await expectStart()

    expect(process.kill(1, 0)).toBe(true)
  },
)

test('a lock file with other content is refused with its path, and keeps its content', async () => {
  const path = await pathInStopped('lock')
  await writeFile(path, 'x'.repeat(4096))

  const message = await refusal()

  expect(message).toContain(`${path} is not the lock file of Muster.`)
  expect(await readFile(path, 'utf8')).toBe('x'.repeat(4096))
  await rm(path)
  await expectStart()
})

test.each(['a file', 'a folder with a file', 'a link to a folder of somebody else'])(
  'in place of the socket folder, %s is refused, and nothing is deleted',
  async (kind) => {
    const path = await pathInStopped('socket')
    const elsewhere = await temporaryFolder()
    await writeFile(join(elsewhere, 'kept'), 'of somebody else')
    if (kind === 'a file') await writeFile(path, 'kept')
    else if (kind === 'a folder with a file') await mkdir(path).then(() => writeFile(join(path, 'kept'), ''))
    else await symlink(elsewhere, path)

    const message = await refusal()

    expect(message).toContain(path)
    expect(await stat(kind === 'a file' ? path : join(path, 'kept'))).toBeDefined()
    expect(await readdir(elsewhere)).toEqual(['kept'])
    await rm(path, { recursive: true })
    await expectStart()
  },
)

test.each(['garbage', ''])('a database whose PG_VERSION contains %j is refused and not replaced', async (content) => {
  const path = await pathInStopped('cluster/PG_VERSION')
  const version = await readFile(path, 'utf8')
  await writeFile(path, content)

  const message = await refusal()

  expect(message).toContain('is damaged: the file PG_VERSION contains no version. Restore the folder')
  expect((await readdir(join(shared.path, 'postgres'))).filter((entry) => entry.startsWith('initdb-'))).toEqual([])
  await writeFile(path, version)
  await expectStart()
})

test('a file in place of the folder of the database is refused', async () => {
  const dataDirectory = await temporaryFolder()
  await writeFile(join(dataDirectory, 'postgres'), '')

  expect(await refusal(dataDirectory)).toContain(`${join(dataDirectory, 'postgres')} is not a folder.`)
})

test('a command names a pid file that is a folder, and ignores one with garbage', async () => {
  const path = await pathInStopped('cluster/postmaster.pid')
  await writeFile(path, '1\n/\n0\n5432\nexample.org\n')
  const ignored = await findRunningPostgres(shared.path)
  await rm(path)
  await mkdir(path)

  await expect(findRunningPostgres(shared.path)).rejects.toThrow(`${path} is a folder`)

  await rm(path, { recursive: true })
  expect(ignored).toBeUndefined()
})
