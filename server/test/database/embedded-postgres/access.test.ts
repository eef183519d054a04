import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, link, lstat, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '../../../src/database/embedded-postgres/start-embedded-postgres.ts'
import { makeCheckout } from './make-checkout.ts'
import {
  type Account,
  accountOf,
  copyInitialised,
  isRoot,
  ordinaryAccount,
  postmasterPid,
  query,
  sharedFolder,
  startMuster,
  temporaryFolder,
} from './muster.ts'

const open = sharedFolder()
const accountFolder = sharedFolder({ mode: 0o711, ...(isRoot ? { account: ordinaryAccount() } : {}) })

beforeAll(async () => {
  await makeCheckout(open.path)
  await copyInitialised(join(open.path, 'data'))
  await copyInitialised(accountFolder.path, isRoot ? ordinaryAccount() : undefined)
})

type Connection = Parameters<typeof query>[0]

/** Tries to connect as another user, and returns the outcome. */
async function connectAs(account: Account, connection: Connection): Promise<string> {
  const checkout = join(open.path, 'checkout')
  const program = `
    import pg from 'pg'
    const client = new pg.Client(${JSON.stringify({ ...connection, database: 'postgres' })})
    client.connect().then(() => console.log('connected'), (error) => console.log(error.message)).finally(() => client.end())`
  const child = spawn(join(checkout, 'node'), ['--input-type=module', '-e', program], { cwd: checkout, ...account })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  await once(child, 'close')
  return output.trim()
}

/** Gives every user access to the socket, as a mistake of an administrator would. */
async function exposeSocket({ host }: Connection): Promise<void> {
  await chmod(dirname(host), 0o711)
  await chmod(host, 0o777)
  await chmod(join(host, '.s.PGSQL.5432'), 0o777)
}

async function ownersIn(folder: string): Promise<number[]> {
  const entries = await readdir(folder, { recursive: true })
  const owners = await Promise.all(['', ...entries].map(async (entry) => (await lstat(join(folder, entry))).uid))
  return [...new Set(owners)]
}

test.runIf(isRoot)('PostgreSQL of root runs as an account of its own, and only root can connect', async () => {
  const dataDirectory = join(open.path, 'data')
  const { connection } = await startMuster({ dataDirectory }).ready()
  const server = await lstat(`/proc/${await postmasterPid(dataDirectory)}`)
  const nobody = accountOf('nobody')

  const outside = await connectAs(nobody, connection)
  await exposeSocket(connection)

  expect(server.uid).toBe(accountOf('muster').uid)
  expect(outside).toContain('EACCES')
  expect(await connectAs(nobody, connection)).toMatch(/Peer authentication failed/)
  expect(await connectAs(accountOf('muster'), connection)).toMatch(/Peer authentication failed/)
  expect(await query(connection, 'select 7 as seven')).toEqual([{ seven: 7 }])
})

test.runIf(isRoot)('of an unprivileged user who runs Muster, only that user and root can connect', async () => {
  const checkout = join(open.path, 'checkout')
  const account = ordinaryAccount()
  const muster = startMuster({ dataDirectory: accountFolder.path, checkout, account })
  const { connection } = await muster.ready()
  await exposeSocket(connection)

  expect(await connectAs(accountOf('nobody'), connection)).toMatch(/Peer authentication failed/)
  expect(await connectAs(account, connection)).toBe('connected')
  expect(await query(connection, 'select 7 as seven')).toEqual([{ seven: 7 }])
})

test('nothing listens on the network, and no rule trusts a local user', async () => {
  const dataDirectory = await copyInitialised(await temporaryFolder())
  const settings = { listen_addresses: '127.0.0.1', hba_file: '/dev/null' }
  const { connection, stop } = await startEmbeddedPostgres({ dataDirectory, settings })
  onTestFinished(() => stop())

  expect(await query(connection, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  expect(await query(connection, 'select type, user_name, auth_method from pg_hba_file_rules')).toEqual([
    { type: 'local', user_name: ['muster'], auth_method: 'peer' },
  ])
  expect(await readFile(join(dataDirectory, 'postgres/cluster/pg_hba.conf'), 'utf8')).not.toMatch(/^[^#\n]*trust/m)
})

/** A database as older versions left it: it belongs to nobody and trusts every local user. */
async function oldDatabase(): Promise<{ dataDirectory: string; cluster: string }> {
  const dataDirectory = await copyInitialised(join(await temporaryFolder(), 'data'))
  const cluster = join(dataDirectory, 'postgres/cluster')
  const original = await startEmbeddedPostgres({ dataDirectory })
  await query(original.connection, 'create table kept as select 7 as seven').finally(() => original.stop())
  await writeFile(join(cluster, 'pg_hba.conf'), 'local all all trust\n')
  const { uid, gid } = accountOf('nobody')
  await promisify(execFile)('chown', ['-R', `${uid}:${gid}`, cluster])
  return { dataDirectory, cluster }
}

test.runIf(isRoot)('a database of an older version changes its owner and loses the rules that trust', async () => {
  const { dataDirectory, cluster } = await oldDatabase()

  const { connection } = await startMuster({ dataDirectory }).ready()

  expect(await query(connection, 'select seven from kept')).toEqual([{ seven: 7 }])
  expect(await ownersIn(cluster)).toEqual([accountOf('muster').uid])
  expect(await readFile(join(cluster, 'pg_hba.conf'), 'utf8').catch(() => 'removed')).toBe('removed')
  await exposeSocket(connection)
  expect(await connectAs(accountOf('nobody'), connection)).toMatch(/Peer authentication failed/)
})

test.runIf(isRoot)('the change of the owner follows no link of the previous one, and can be continued', async () => {
  const { dataDirectory, cluster } = await oldDatabase()
  const foreign = join(dataDirectory, 'file-of-root')
  await writeFile(foreign, 'secret', { mode: 0o600 })
  await symlink(dataDirectory, join(cluster, 'base/symbolic'))
  await link(foreign, join(cluster, 'global/hard'))

  const { code, message } = await startMuster({ dataDirectory }).refused()

  expect(code).toBe('data-directory-unusable')
  expect(message).toContain('global/hard')
  expect((await lstat(foreign)).uid).toBe(0)
  await rm(join(cluster, 'global/hard'))
  const { connection } = await startMuster({ dataDirectory }).ready()
  expect(await query(connection, 'select seven from kept')).toEqual([{ seven: 7 }])
  expect((await lstat(foreign)).uid).toBe(0)
  await rm(join(cluster, 'base/symbolic'))
  expect(await ownersIn(cluster)).toEqual([accountOf('muster').uid])
})
