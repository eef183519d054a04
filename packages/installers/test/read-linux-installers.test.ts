import { mkdir, writeFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { readInstaller } from '../src/index.ts'
import { openSampleFolder, requireTools } from './samples/folder.ts'
import { makeAppImage, makeDeb, makeRpm } from './samples/linux.ts'
import { makeZip } from './samples/zip.ts'

const folder = await openSampleFolder()
beforeAll(requireTools)

describe('packages of Debian', () => {
  test.each(['gzip', 'xz', 'zstd', 'none'] as const)('one with the compression %s is read', async (compression) => {
    expect(await readInstaller(await makeDeb(folder, compression))).toMatchObject({
      format: 'deb',
      name: 'sample-tool',
      version: '1:2.3.4-5',
      architecture: 'amd64',
      maintainer: 'Example Corporation <packages@example.org>',
      description: 'Tool of the tests\nIt does nothing.\n\nReally.',
      dependencies: ['dpkg (>= 1.17)', 'libc6 (>= 2.36)', 'adduser | sysusers'],
      scripts: [{ name: 'postinst', text: '#!/bin/sh\n', isComplete: true }],
    })
  })
})

describe('RPM packages', () => {
  test('name, version, release, dependencies and scripts are read', async () => {
    expect(await readInstaller(await makeRpm(folder))).toMatchObject({
      format: 'rpm',
      name: 'sample-tool',
      version: '2.3.4',
      release: '5.el9',
      epoch: 1,
      architecture: 'noarch',
      vendor: 'Example Corporation',
      summary: 'Tool of the tests',
      description: 'It does nothing.',
      dependencies: expect.arrayContaining(['coreutils >= 8.0', 'bash']),
      scripts: [
        { name: '%post', text: '#!/bin/sh\ntrue', isComplete: true },
        { name: '%postun', text: '#!/sbin/ldconfig', isComplete: true },
        { name: '%triggers', text: '#!/bin/sh\necho bash', isComplete: true },
      ],
      isSource: false,
    })
  })
})

describe('AppImages', () => {
  test.each(['gzip', 'xz', 'zstd'] as const)(
    'the desktop entry of one with the compression %s is read',
    async (compression) => {
      expect(await readInstaller(await makeAppImage(folder, compression))).toMatchObject({
        format: 'appimage',
        type: 2,
        architecture: process.arch,
        name: 'Sample Viewer',
        version: '4.5.6',
        comment: 'Shows samples',
      })
    },
  )

  test('another program for Linux is no installer', async () => {
    await expect(readInstaller('/bin/true')).rejects.toMatchObject({ code: 'unsupported' })
  })
})

describe('archives', () => {
  beforeAll(async () => {
    await mkdir(folder.path('tool-1.2/bin'), { recursive: true })
    await writeFile(folder.path(`tool-1.2/bin/${'long'.repeat(50)}`), 'content')
    await writeFile(folder.path('tool-1.2/setup.exe'), 'MZ')
  })

  test.each([
    ['tool.tar', undefined],
    ['tool.tar.gz', 'gzip'],
    ['tool.tar.xz', 'xz'],
    ['tool.tar.zst', 'zstd'],
  ])('the names in %s are listed', async (file, compression) => {
    for (const format of ['gnu', 'pax', 'ustar']) {
      await folder
        .run('tar', '--auto-compress', `--format=${format}`, '-cf', file, 'tool-1.2')
        .catch((error: Error) => {
          // This format has no long names, and the others are listed all the same.
          if (format !== 'ustar') throw error
        })
      expect(await readInstaller(folder.path(file))).toMatchObject({
        format: 'tar',
        ...(compression !== undefined && { compression }),
        isComplete: true,
        topLevel: ['tool-1.2'],
        installers: ['tool-1.2/setup.exe'],
      })
    }
  })

  test('the names in a ZIP archive are listed, and archives in it stay closed', async () => {
    const inner = makeZip([{ name: 'inner/setup.msi', content: 'x' }])
    const content = makeZip([
      { name: 'app/install.sh', content: '#!/bin/sh' },
      { name: '../../etc/passwd', content: 'x' },
      { name: 'inner.zip', content: inner },
    ])

    expect(await readInstaller(await folder.write('app.zip', content))).toMatchObject({
      format: 'zip',
      entryCount: 3,
      isComplete: true,
      topLevel: ['app', '..', 'inner.zip'],
      installers: ['app/install.sh'],
    })
  })

  test('a compressed file that is no archive is not one', async () => {
    await folder.write('text', 'some text')
    await folder.run('gzip', '--force', 'text')

    await expect(readInstaller(folder.path('text.gz'))).rejects.toMatchObject({ code: 'unknownFormat' })
  })
})

describe('scripts', () => {
  test.each([
    ['install', '#!/bin/sh\ntrue\n', { interpreter: 'sh' }],
    ['install.py', '#!/usr/bin/env -S python3 -u\n', { interpreter: 'python3' }],
    ['install.ps1', 'Write-Output 1\n', { interpreter: 'powershell' }],
    ['setup.cmd', '@echo off\r\n', { interpreter: 'cmd' }],
    [
      'driver.run',
      '#!/bin/sh\n# This script was generated using Makeself 2.4.5\nlabel="Driver 12.3"\n',
      { interpreter: 'sh', generator: 'makeself', label: 'Driver 12.3' },
    ],
  ])('%s is read', async (name, content, expected) => {
    expect(await readInstaller(await folder.write(name, content))).toMatchObject({ format: 'script', ...expected })
  })

  test('what it does is shown from its beginning, and a long one in part', async () => {
    const short = await folder.write('short.sh', '#!/bin/sh\r\n\tPrüfung\n')
    const long = await folder.write('long.sh', `#!/bin/sh\n${'x'.repeat(20_000)}`)

    expect(await readInstaller(short)).toMatchObject({
      scripts: [{ name: 'short.sh', text: '#!/bin/sh\n\tPrüfung\n', isComplete: true }],
    })
    expect(await readInstaller(long)).toMatchObject({ scripts: [{ isComplete: false }] })
  })

  test('a text without a known name is no script', async () => {
    await expect(readInstaller(await folder.write('notes.txt', 'text'))).rejects.toMatchObject({
      code: 'unknownFormat',
    })
  })
})
