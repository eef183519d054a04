import { spawn } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '../../../src/database/embedded-postgres/start-embedded-postgres.ts'
import {
  packageName,
  postmasterPid,
  query,
  serverProcesses,
  sharedFolder,
  startMuster,
  temporaryFolder,
  until,
  untilNoServer,
} from './muster.ts'

const withoutSetpriv = '/nonexistent'
const initialised = sharedFolder()

beforeAll(async () => {
  const postgres = await startEmbeddedPostgres({ dataDirectory: initialised.path })
  await postgres.stop()
})

test('a second Muster on the same data directory is refused by name and does not disturb the first', async () => {
  const dataDirectory = initialised.path
  const { connection } = await startMuster({ dataDirectory }).ready()

  const { code, message } = await startMuster({ dataDirectory }).refused()

  expect(code).toBe('data-directory-in-use')
  expect(message).toContain(dataDirectory)
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('of two Musters that start at once on an empty directory exactly one runs', async () => {
  const dataDirectory = await temporaryFolder()

  const both = [startMuster({ dataDirectory }), startMuster({ dataDirectory })]
  const outcomes = await Promise.all(
    both.map((muster) => Promise.any([muster.ready().then(() => 'ready'), muster.refused().then(({ code }) => code)])),
  )

  expect(outcomes.sort()).toEqual(['data-directory-in-use', 'ready'])
})

test.runIf(process.platform === 'linux')('PostgreSQL shuts down when Muster is killed', async () => {
  const dataDirectory = initialised.path
  const muster = startMuster({ dataDirectory })
  await muster.ready()

  await muster.end('SIGKILL')
  await untilNoServer(dataDirectory)
  const next = startMuster({ dataDirectory })
  await next.ready()

  expect(next.phases()).toEqual([])
})

test('a PostgreSQL that outlived its Muster is shut down by the next one, without loss', async () => {
  const dataDirectory = initialised.path
  const killed = startMuster({ dataDirectory, path: withoutSetpriv })
  await query((await killed.ready()).connection, 'create table of_orphan as select 7 as seven')
  await killed.end('SIGKILL')
  const orphan = await postmasterPid(dataDirectory)

  const next = startMuster({ dataDirectory })
  const { connection } = await next.ready()

  expect(next.phases()).toEqual(['stop a PostgreSQL left over'])
  expect(await query(connection, 'select seven from of_orphan')).toEqual([{ seven: 7 }])
  expect(await serverProcesses(dataDirectory)).not.toContain(orphan)
})

test.runIf(process.platform === 'linux')('a PostgreSQL that was started by hand is shut down as well', async () => {
  const cluster = join(initialised.path, 'postgres/cluster')
  const { uid, gid } = await stat(cluster)
  const args = ['-D', cluster, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${cluster}`]
  const byHand = spawn(installedPostgres(), args, { uid, gid, cwd: '/', stdio: 'ignore' })
  onTestFinished(() => {
    byHand.kill('SIGKILL')
  })
  await until(() => stat(join(cluster, '.s.PGSQL.5432')).catch(() => undefined))

  const muster = startMuster({ dataDirectory: initialised.path })
  await muster.ready()

  expect(byHand.exitCode).toBe(0)
  expect(muster.phases()).toEqual(['stop a PostgreSQL left over'])
})

test('a crash of the whole machine needs no repair, even when another program has the pid of the server', async () => {
  const dataDirectory = initialised.path
  const pidFile = join(dataDirectory, 'postgres/cluster/postmaster.pid')
  const killed = startMuster({ dataDirectory, path: withoutSetpriv })
  await query((await killed.ready()).connection, 'create table of_crash as select 7 as seven')
  await killed.end('SIGKILL')
  for (const pid of await serverProcesses(dataDirectory)) process.kill(pid, 'SIGKILL')
  await untilNoServer(dataDirectory)
  const other = await spawnAsServer('echo $$; exec sleep 600')
  await writeFile(pidFile, (await readFile(pidFile, 'utf8')).replace(/^\d+/, String(other)))

  const next = startMuster({ dataDirectory })
  const { connection } = await next.ready()

  expect(next.phases()).toEqual(['recover after a crash'])
  expect(await query(connection, 'select seven from of_crash')).toEqual([{ seven: 7 }])
})

test.runIf(process.platform === 'linux')('a zombie with the pid of the server does not stop the start', async () => {
  const dataDirectory = initialised.path
  const zombie = await spawnAsServer('sleep 0.2 & echo $!; exec sleep 600')
  await until(async () => ((await readFile(`/proc/${zombie}/stat`, 'utf8')).includes(') Z ') ? true : undefined))
  await writeFile(join(dataDirectory, 'postgres/cluster/postmaster.pid'), `${zombie}\n`)

  const next = startMuster({ dataDirectory })
  const { connection } = await next.ready()

  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await readFile(`/proc/${zombie}/stat`, 'utf8')).toContain(') Z ')
})

test('a killed postmaster comes back with the data, even while a query of the old one still computes', async () => {
  const dataDirectory = initialised.path
  const muster = startMuster({ dataDirectory })
  const { connection } = await muster.ready()
  await query(connection, 'create table of_postmaster as select 7 as seven')
  const busy = new Client(connection)
  busy.on('error', () => undefined)
  await busy.connect()
  const computing = busy.query('select count(*) from generate_series(1, 1e12::bigint)').catch(() => 'lost')
  const old = await postmasterPid(dataDirectory)

  process.kill(old, 'SIGKILL')
  const rows = await until(() => query(connection, 'select seven from of_postmaster').catch(() => undefined))

  expect(rows).toEqual([{ seven: 7 }])
  expect(await computing).toBe('lost')
  expect(await postmasterPid(dataDirectory)).not.toBe(old)
  expect(await muster.warned()).toContain('SIGKILL')
})

test('a postmaster that is killed again and again is started again and again', async () => {
  const dataDirectory = initialised.path
  const muster = startMuster({ dataDirectory })
  const { connection } = await muster.ready()

  for (let round = 0; round < 3; round += 1) {
    process.kill(await postmasterPid(dataDirectory), 'SIGKILL')
    await until(() => query(connection, 'select 1').catch(() => undefined))
  }
  await muster.end('SIGTERM')

  expect(muster.messages.filter(({ kind }) => kind === 'warning')).toHaveLength(3)
  expect(await serverProcesses(dataDirectory)).toEqual([])
})

function installedPostgres(): string {
  const entry = createRequire(import.meta.url).resolve(packageName)
  return join(dirname(dirname(entry)), 'native/bin/postgres')
}

/** PostgreSQL believes a pid that belongs to its own user. The script prints the one to use. */
async function spawnAsServer(script: string): Promise<number> {
  const { uid, gid } = await stat(join(initialised.path, 'postgres/cluster'))
  const shell = spawn('/bin/sh', ['-c', script], { uid, gid, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => {
    shell.kill('SIGKILL')
  })
  const [line] = await shell.stdout.take(1).toArray()
  return Number.parseInt(String(line), 10)
}
