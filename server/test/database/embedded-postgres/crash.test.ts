import { spawn } from 'node:child_process'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  copyInitialised,
  killServer,
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

beforeAll(() => copyInitialised(initialised.path))

test('a second Muster on the same data directory is refused and does not disturb the first', async () => {
  const dataDirectory = initialised.path
  const { connection } = await startMuster({ dataDirectory }).ready()

  const { code, message } = await startMuster({ dataDirectory }).refused()

  expect(code).toBe('data-directory-in-use')
  expect(message).toContain(dataDirectory)
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('when two Musters start at once on an empty directory, exactly one of them runs', async () => {
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

test('an orphaned PostgreSQL is shut down by the next Muster without data loss', async () => {
  const dataDirectory = initialised.path
  const killed = startMuster({ dataDirectory, path: withoutSetpriv })
  await query((await killed.ready()).connection, 'create table of_orphan as select 7 as seven')
  await killed.end('SIGKILL')
  const orphan = await postmasterPid(dataDirectory)

  const next = startMuster({ dataDirectory })
  const { connection } = await next.ready()

  expect(next.phases()).toEqual(['stopped an orphaned PostgreSQL'])
  expect(await query(connection, 'select seven from of_orphan')).toEqual([{ seven: 7 }])
  expect(await serverProcesses(dataDirectory)).not.toContain(orphan)
})

test.runIf(process.platform === 'linux')(
  'a PostgreSQL that was started by hand is shut down at the start of Muster',
  async () => {
    const cluster = join(initialised.path, 'postgres/cluster')
    const { uid, gid } = await stat(cluster)
    const args = ['-D', cluster, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${cluster}`]
    const startedByHand = spawn(await usedPostgres(initialised.path), args, { uid, gid, cwd: '/', stdio: 'ignore' })
    onTestFinished(() => {
      startedByHand.kill('SIGKILL')
    })
    await until(() => stat(join(cluster, '.s.PGSQL.5432')).catch(() => undefined))

    const muster = startMuster({ dataDirectory: initialised.path })
    await muster.ready()

    expect(startedByHand.exitCode).toBe(0)
    expect(muster.phases()).toEqual(['stopped an orphaned PostgreSQL'])
  },
)

test('a crash of the whole machine needs no repair, even if another program has the pid of the server', async () => {
  const dataDirectory = initialised.path
  const pidFile = join(dataDirectory, 'postgres/cluster/postmaster.pid')
  const killed = startMuster({ dataDirectory, path: withoutSetpriv })
  await query((await killed.ready()).connection, 'create table of_crash as select 7 as seven')
  await killed.end('SIGKILL')
  await killServer(dataDirectory)
  await untilNoServer(dataDirectory)
  const other = await spawnAsServer('echo $$; exec sleep 600')
  await writeFile(pidFile, (await readFile(pidFile, 'utf8')).replace(/^\d+/, String(other)))

  const next = startMuster({ dataDirectory })
  const { connection } = await next.ready()

  expect(next.phases()).toEqual(['recovered after a crash'])
  expect(await query(connection, 'select seven from of_crash')).toEqual([{ seven: 7 }])
})

test.runIf(process.platform === 'linux')(
  'a zombie process with the pid of the server does not prevent the start',
  async () => {
    const dataDirectory = initialised.path
    const zombie = await spawnAsServer('sleep 0.2 & echo $!; exec sleep 600')
    await until(async () => ((await readFile(`/proc/${zombie}/stat`, 'utf8')).includes(') Z ') ? true : undefined))
    await writeFile(join(dataDirectory, 'postgres/cluster/postmaster.pid'), `${zombie}\n`)

    const next = startMuster({ dataDirectory })
    const { connection } = await next.ready()

    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await readFile(`/proc/${zombie}/stat`, 'utf8')).toContain(') Z ')
  },
)

test('a killed postmaster is restarted with its data, even while a query of the old one is still running', async () => {
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

test('a postmaster is restarted each time it is killed', async () => {
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

async function usedPostgres(dataDirectory: string): Promise<string> {
  const home = join(dataDirectory, 'postgres')
  const copy = (await readdir(home)).find((entry) => entry.startsWith('binaries-'))
  if (copy) return join(home, copy, 'bin/postgres')
  const entry = createRequire(import.meta.url).resolve(packageName)
  return join(dirname(dirname(entry)), 'native/bin/postgres')
}

/** Runs a script as the server user, because PostgreSQL trusts a pid of its own user. The script prints the pid to use. */
async function spawnAsServer(script: string): Promise<number> {
  const { uid, gid } = await stat(join(initialised.path, 'postgres/cluster'))
  const shell = spawn('/bin/sh', ['-c', script], { uid, gid, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => {
    shell.kill('SIGKILL')
  })
  const [line] = await shell.stdout.take(1).toArray()
  return Number.parseInt(String(line), 10)
}
