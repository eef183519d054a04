import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { installationCommands, ownAgentCommands } from '../../src/installation/commands.ts'
import { thisInstallation } from '../../src/installation/files.ts'
import { temporaryFolder } from '../database/embedded-postgres/muster.ts'

const clone = { kind: 'Clone', folder: '/srv/muster' } as const
const usual = { dataDirectory: '/srv/muster/data', packageStore: '/srv/muster/data/packages', databaseUrl: undefined }
const enrolment = { origin: 'http://127.0.0.1:5057', token: 'enrol-x', isInsecure: false }

test('a clone with its usual folders has commands of npm that work from any folder', () => {
  expect(installationCommands(clone, usual)).toEqual({
    copyExample: 'cp -r /srv/muster/examples/packages/greeting /srv/muster/data/packages/',
    useProviders: 'MUSTER_OIDC_PROVIDERS_FILE="$PWD/providers.json" npm --prefix /srv/muster start',
    backUp: 'npm --prefix /srv/muster run backup -- "$PWD/muster.backup"',
  })
  expect(ownAgentCommands(clone, usual, enrolment)).toEqual({
    enrol:
      'MUSTER_AGENT_TOKEN=enrol-x npm --prefix /srv/muster run agent -- enrol --server http://127.0.0.1:5057 --state /srv/muster/data/agent',
    run: 'MUSTER_EXAMPLE_ROOT=/srv/muster/data/example npm --prefix /srv/muster run agent -- run --state /srv/muster/data/agent',
  })
})

test('commands of a clone name a data folder, a package store and a database of their own, but no password', () => {
  const settings = {
    dataDirectory: '/data',
    packageStore: '/store',
    databaseUrl: 'postgres://muster:hunter2@db.example.org/muster',
  }

  const { backUp, copyExample } = installationCommands(clone, settings)

  expect(copyExample).toBe('cp -r /srv/muster/examples/packages/greeting /store/')
  expect(backUp).toBe(
    'MUSTER_DATA_DIR=/data MUSTER_PACKAGE_STORE=/store MUSTER_DATABASE_URL=postgres://… npm --prefix /srv/muster run backup -- "$PWD/muster.backup"',
  )
})

test('a package and a container have the commands of muster-server, and no agent beside them', () => {
  const settings = {
    dataDirectory: '/var/lib/muster',
    packageStore: '/var/lib/muster/packages',
    databaseUrl: undefined,
  }
  const folder = '/usr/lib/muster'

  const ofPackage = installationCommands({ kind: 'Package', folder }, settings)
  const ofContainer = installationCommands({ kind: 'Container', folder }, settings)

  expect(ofPackage).toEqual({
    copyExample: 'cp -r /usr/lib/muster/examples/packages/greeting /var/lib/muster/packages/',
    useProviders:
      'install -m 600 providers.json /etc/muster/credentials/OIDC_PROVIDERS_FILE && systemctl restart muster',
    backUp: 'muster-server backup /var/lib/muster/muster.backup',
  })
  expect(ofContainer).toEqual({ ...ofPackage, useProviders: undefined })
  expect(ownAgentCommands({ kind: 'Package', folder }, settings, enrolment)).toBeUndefined()
})

test('a folder whose name has a meaning for the shell is a folder for it', async () => {
  const folder = await temporaryFolder()
  const hostile = join(folder, `it's $(touch ${folder}/owned) "here"`)
  await mkdir(join(hostile, 'examples/packages/greeting'), { recursive: true })
  await mkdir(join(hostile, 'data/packages'), { recursive: true })
  await writeFile(join(hostile, 'examples/packages/greeting/greeting.txt'), 'Hello')
  const dataDirectory = join(hostile, 'data')
  const settings = { dataDirectory, packageStore: join(dataDirectory, 'packages'), databaseUrl: undefined }

  const { copyExample } = installationCommands({ kind: 'Clone', folder: hostile }, settings)
  await promisify(execFile)('sh', ['-c', copyExample])

  expect(await readFile(join(dataDirectory, 'packages/greeting/greeting.txt'), 'utf8')).toBe('Hello')
  expect(await readdir(folder)).toHaveLength(1)
})

test('a clone recognises itself', () => {
  expect(thisInstallation).toEqual({ kind: 'Clone', folder: join(import.meta.dirname, '../../..') })
})
