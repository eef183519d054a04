import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfiguration } from '../../src/platform/configuration.ts'
import { temporaryFolder, until } from '../database/embedded-postgres/muster.ts'
import { startServiceProcess } from '../world/service-process.ts'

test('systemd learns when the service is ready and when it stops, and its watchdog gets pings meanwhile', async () => {
  const folder = await temporaryFolder()
  const received = join(folder, 'received')
  // Writes into a file what systemd-notify sends to a socket.
  await writeFile(join(folder, 'systemd-notify'), '#!/bin/sh\necho "$1" >> "$NOTIFY_SOCKET"\n')
  await chmod(join(folder, 'systemd-notify'), 0o755)
  const service = await startServiceProcess({
    env: { PATH: `${folder}:${process.env.PATH}`, NOTIFY_SOCKET: received, WATCHDOG_USEC: '300000' },
  })
  const messages = async () => (await readFile(received, 'utf8').catch(() => '')).split('\n')
  await until(async () =>
    (await messages()).lastIndexOf('WATCHDOG=1') > (await messages()).indexOf('READY=1') ? true : undefined,
  )

  await service.kill('SIGTERM')

  const stopped = await until(async () => ((await messages()).includes('STOPPING=1') ? messages() : undefined))
  expect(stopped.filter((message) => message !== 'WATCHDOG=1' && message !== '')).toEqual([
    `STATUS=Listening on ${service.address}`,
    'READY=1',
    'STOPPING=1',
  ])
})

test('secrets that systemd passes as credentials are settings, unless the environment has them', async () => {
  const credentials = await temporaryFolder()
  await writeFile(join(credentials, 'MUSTER_DATABASE_URL'), 'postgres://muster:secret@db.example.org/muster\n')
  await writeFile(join(credentials, 'MUSTER_BOOTSTRAP_CLIENT_SECRET'), 'the secret of the file\n')
  await writeFile(join(credentials, 'MUSTER_KEY_FILE'), Buffer.alloc(32, 'key').toString('hex'))

  const { databaseUrl, bootstrap, keyFile } = readConfiguration({
    CREDENTIALS_DIRECTORY: credentials,
    MUSTER_BOOTSTRAP_CLIENT_SECRET: 'the secret of the environment',
  })

  expect(databaseUrl).toBe('postgres://muster:secret@db.example.org/muster')
  expect(bootstrap.clientSecret).toBe('the secret of the environment')
  expect(keyFile?.id).toMatch(/^[0-9a-f]{16}$/)
})
