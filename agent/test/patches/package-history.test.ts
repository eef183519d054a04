import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findLastChange, parseAptHistory, parseDpkgLog } from '../../src/platform/linux/patches/apt-history.ts'
import { readRotatedLogs, sortRotated } from '../../src/platform/linux/patches/package-logs.ts'
import {
  findZyppVersionBefore,
  parseDnfChange,
  parseDnfTransactions,
} from '../../src/platform/linux/patches/rpm-history.ts'

describe('dpkg.log', () => {
  const log = [
    '2026-11-01 10:00:00 startup archives unpack',
    '2026-11-01 10:00:00 install libssl3:amd64 <none> 3.0.14-1~deb12u1',
    '2026-11-01 10:00:01 status half-installed libssl3:amd64 3.0.14-1~deb12u1',
    '2026-11-05 10:00:00 upgrade libssl3:amd64 3.0.14-1~deb12u1 3.0.15-1~deb12u1',
    '2026-11-05 10:00:00 upgrade libssl3:i386 3.0.14-1~deb12u1 3.0.15-1~deb12u1',
    '2026-11-09 10:00:00 upgrade tzdata:all 2026a-1 2026b-0+deb12u1',
    '2026-11-10 10:00:00 upgrade old-style 1:1.0 1:1.1',
    '2026-11-11 10:00:00 configure libssl3:amd64 3.0.15-1~deb12u1 <none>',
    '2026-11-12 10:00:00 remove gone:amd64 1.0 <none>',
    '2026-11-12 10:00:00 upgrade evil:amd64 $(touch /x) 2.0',
    '2026-11-12 10:00:00 upgrade -o 1.0 2.0',
    'upgrade libssl3:amd64 1.0 9.9',
    '2026-11-13 10:00:00 upgrade truncated:amd64 1.0',
    '\0\0\0\0\0',
  ].join('\n')

  test('names what was replaced, of each architecture, whatever else is in the file', () => {
    expect(parseDpkgLog(log)).toEqual([
      { name: 'libssl3', architecture: 'amd64', from: null, to: '3.0.14-1~deb12u1' },
      { name: 'libssl3', architecture: 'amd64', from: '3.0.14-1~deb12u1', to: '3.0.15-1~deb12u1' },
      { name: 'libssl3', architecture: 'i386', from: '3.0.14-1~deb12u1', to: '3.0.15-1~deb12u1' },
      { name: 'tzdata', architecture: 'all', from: '2026a-1', to: '2026b-0+deb12u1' },
      { name: 'old-style', architecture: undefined, from: '1:1.0', to: '1:1.1' },
    ])
    expect(parseDpkgLog('')).toEqual([])
    expect(parseDpkgLog(log.replaceAll('\n', '\r\n'))).toHaveLength(5)
  })

  test('is read within a second, however long its lines are', () => {
    const start = performance.now()

    parseDpkgLog(`2026-11-12 10:00:00 upgrade ${'a'.repeat(200_000)}:${'b'.repeat(200_000)} 1 ${'1'.repeat(200_000)}!`)
    parseAptHistory(`Upgrade: ${'a (1, 2), '.repeat(100_000)}(`)

    expect(performance.now() - start).toBeLessThan(1_000)
  })
})

describe('history.log of apt', () => {
  test('names several packages in a line, also with automatic ones and without an architecture', () => {
    const log = [
      'Start-Date: 2026-11-05  10:00:00',
      'Commandline: apt-get install Upgrade: fake:amd64 (1, 2)',
      'Install: new:amd64 (1.0, automatic), other:amd64 (2.0)',
      'Upgrade: libssl3:amd64 (3.0.14-1~deb12u1, 3.0.15-1~deb12u1), tzdata:amd64 (2026a-1, 2026b-0+deb12u1), plain (1, 2, automatic)',
      'Downgrade: hello:amd64 (1:2.0, 1:1.0)',
      'Reinstall: same:amd64 (1.0)',
      'Remove: gone:amd64 (1.0)',
      'Upgrade: broken:amd64 (1.0, 2.0',
      'End-Date: 2026-11-05  10:00:01',
    ].join('\n')

    expect(parseAptHistory(log)).toEqual([
      { name: 'new', architecture: 'amd64', from: null, to: '1.0' },
      { name: 'other', architecture: 'amd64', from: null, to: '2.0' },
      { name: 'libssl3', architecture: 'amd64', from: '3.0.14-1~deb12u1', to: '3.0.15-1~deb12u1' },
      { name: 'tzdata', architecture: 'amd64', from: '2026a-1', to: '2026b-0+deb12u1' },
      { name: 'plain', architecture: undefined, from: '1', to: '2' },
      { name: 'hello', architecture: 'amd64', from: '1:2.0', to: '1:1.0' },
    ])
  })
})

describe('the last change', () => {
  const installed = { name: 'hello', architecture: 'amd64', version: '1.1' }
  const change = (from: string | null, to: string, architecture?: string) => ({ name: 'hello', architecture, from, to })

  test('to the installed version counts, and a reinstallation is none', () => {
    const changes = [change(null, '0.9'), change('0.9', '1.1'), change('1.0', '1.1'), change('1.1', '1.1')]

    expect(findLastChange(changes, installed)).toEqual(change('1.0', '1.1'))
    expect(findLastChange([...changes, change('1.1', '1.2')], installed)).toEqual(change('1.0', '1.1'))
  })

  test('after a downgrade is the downgrade: nothing goes back two versions', () => {
    const changes = [change('0.9', '1.0'), change('1.0', '1.1'), change('1.1', '1.0')]

    expect(findLastChange(changes, { ...installed, version: '1.0' })).toEqual(change('1.1', '1.0'))
  })

  test('of another architecture, or of another package, does not count', () => {
    expect(findLastChange([change('1.0', '1.1', 'i386')], installed)).toBeUndefined()
    expect(findLastChange([{ ...change('1.0', '1.1'), name: 'hello2' }], installed)).toBeUndefined()
    // apt names the architecture of the system for a package of all architectures.
    expect(findLastChange([change('1.0', '1.1', 'amd64')], { ...installed, architecture: 'all' })).toBeDefined()
  })
})

describe('rotated logs', () => {
  test('are sorted from the newest to the oldest, by number and by date', () => {
    const names = [
      'dpkg.log.10.gz',
      'dpkg.log.2.gz',
      'dpkg.log',
      'dpkg.log.1',
      'dpkg.log.old',
      'other.log',
      'dpkg.logs',
    ]

    expect(sortRotated('dpkg.log', names)).toEqual(['dpkg.log', 'dpkg.log.1', 'dpkg.log.2.gz', 'dpkg.log.10.gz'])
    expect(sortRotated('history', ['history-20261001.gz', 'history', 'history-20261101'])).toEqual([
      'history',
      'history-20261101',
      'history-20261001.gz',
    ])
  })

  test('are read as far as they can be read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-logs-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'dpkg.log'), 'newest')
    await writeFile(join(folder, 'dpkg.log.1'), 'newer')
    await writeFile(join(folder, 'dpkg.log.2.gz'), 'not compressed')
    await writeFile(join(folder, 'dpkg.log.3.gz'), gzipSync('oldest'))
    // It would be larger than the agent reads.
    await writeFile(join(folder, 'dpkg.log.4.gz'), gzipSync(Buffer.alloc(65 * 1024 * 1024)))

    const found = await Array.fromAsync(readRotatedLogs(join(folder, 'dpkg.log')))

    expect(found).toEqual(['newest', 'newer', 'oldest'])
    expect(await Array.fromAsync(readRotatedLogs(join(folder, 'absent/dpkg.log')))).toEqual([])
  })
})

describe('the history of dnf', () => {
  const hello = { name: 'hello', version: '0:1.1-1.el9', architecture: 'x86_64' }
  const info = (...lines: string[]) =>
    [
      'Transaction ID : 7',
      'Command Line   : upgrade hello',
      'Packages Altered:',
      ...lines.map((line) => `    ${line}`),
    ].join('\n')

  test('names the numbers of transactions', () => {
    const list = [
      'ID     | Command line             | Date and time    | Action(s)      | Altered',
      '-------------------------------------------------------------------------------',
      '     7 | upgrade hello | 3      | 2026-11-05 10:00 | Upgrade        |    2 EE',
      '     2 |                          | 2026-11-01 10:00 | I, U           |  312   ',
    ].join('\n')

    expect(parseDnfTransactions(list)).toEqual([7, 2])
    expect(parseDnfTransactions('No transactions')).toEqual([])
  })

  test('names the version before, of the architecture and with its epoch', () => {
    const lines = [
      'Upgrade  hello-1.1-1.el9.x86_64 @base',
      'Upgraded hello-0.9-1.el9.i686   @@System',
      'Upgraded hello-2:1.0-1.el9.x86_64 @@System',
      'Upgraded hello-libs-1.0-1.el9.x86_64 @@System',
    ]

    expect(parseDnfChange(info(...lines), hello)).toBe('2:1.0-1.el9')
  })

  test('says of an installation that there was none, and of another version nothing', () => {
    expect(parseDnfChange(info('Install hello-1.1-1.el9.x86_64 @base'), hello)).toBeNull()
    expect(
      parseDnfChange(info('Upgrade hello-1.2-1.el9.x86_64 @base', 'Upgraded hello-1.1-1.el9.x86_64 @@System'), hello),
    ).toBeUndefined()
    expect(parseDnfChange('', hello)).toBeUndefined()
  })

  test('says of a downgrade what it has replaced', () => {
    const lines = ['Downgrade  hello-1.1-1.el9.x86_64 @base', 'Downgraded hello-1.2-1.el9.x86_64 @@System']

    expect(parseDnfChange(info(...lines), hello)).toBe('0:1.2-1.el9')
  })
})

describe('the history of zypper', () => {
  const hello = { name: 'hello', version: '0:1.1-1', architecture: 'x86_64' }
  const line = (kind: string, edition: string, name = 'hello', architecture = 'x86_64') =>
    `2026-11-05 10:00:00|${kind}|${name}|${edition}|${architecture}|root@pc|repo|abc|`

  test('names the version before the last installation of the installed one', () => {
    const log = [
      '# 2026-11-05 10:00:00 hello-1.0-1.x86_64.rpm installed ok',
      '2026-11-05 10:00:00|command|root@pc|zypper install hello|',
      line('install', '0.9-1'),
      line('install', '1.0-1'),
      line('install', '2.0-1', 'hello-libs'),
      line('install', '3.0-1', 'hello', 'noarch'),
      line('install', '1.1-1'),
      line('remove ', '5.0-1', 'other'),
    ].join('\n')

    expect(findZyppVersionBefore(log, hello)).toBe('0:1.0-1')
  })

  test('knows no version before an installation, a removal, or what it has not recorded', () => {
    expect(findZyppVersionBefore(line('install', '1.1-1'), hello)).toBeNull()
    expect(
      findZyppVersionBefore(
        [line('install', '1.0-1'), line('remove ', '1.0-1'), line('install', '1.1-1')].join('\n'),
        hello,
      ),
    ).toBeNull()
    expect(findZyppVersionBefore(line('install', '1.0-1'), hello)).toBeUndefined()
    expect(findZyppVersionBefore('', hello)).toBeUndefined()
  })
})
