import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { buildBootScript } from '../../server/src/channels/pxe/boot-script.ts'
import { buildInstallScript } from '../../server/src/features/agent-installation/install-script.ts'
import { enrolmentCommands } from '../../server/src/features/enrolment/enrolment-commands.ts'
import { findPublicOrigin } from '../../server/src/platform/http/public-origin.ts'
import { modelRuns } from '../../server/test/world/model-runs.ts'
import { forHostileValues, mixedValues, storableValues } from './hostile-values.ts'

const sha256 = 'a'.repeat(64)
const agent = { folder: 'agent', version: '1', files: [{ path: 'muster-agent-linux-x64.tar.gz', size: 1, sha256 }] }

/** A script as iPXE reads it: lines of words between spaces. It replaces settings before. */
function wordsOf(script: string): string[][] {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the only setting in a script of Muster.
  expect(script.replace('${platform}', '')).not.toMatch(/\$\{/)
  return script
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '))
}

function bootScript({ name, edition, file }: { name: string; edition: string; file: string }): string {
  return buildBootScript({
    ...{ server: 'https://muster.example.org', token: 'token', computer: { id: 7, name } },
    boot: { kernel: file, initrd: file, architecture: 'x64' },
    os: { file, index: 1, edition },
  } as Parameters<typeof buildBootScript>[0])
}

test('a value in an iPXE script is one word, which the installer decodes to the value', async () => {
  const shape = wordsOf(bootScript({ name: 'plain', edition: 'plain', file: 'plain' })).map(({ length }) => length)
  await forHostileValues((value) => {
    const words = wordsOf(bootScript({ name: value, edition: value, file: value }))

    expect(words.map(({ length }) => length)).toEqual(shape)
    const parameters = new Map(words.flat().map((word) => [word.split('=')[0], word.slice(word.indexOf('=') + 1)]))
    expect(decodeURIComponent(parameters.get('muster.name') ?? '')).toBe(value)
    expect(decodeURIComponent(parameters.get('muster.edition') ?? '')).toBe(value)
    for (const word of words.flat()) expect(word).toMatch(/^[!-~]*$/)
  }, storableValues)
})

/** The address that a request shows, with a header that anybody may send; undefined if it is refused. */
function originFor(host: string): string | undefined {
  const request = { host, protocol: 'https', headers: { host }, raw: { socket: {} } } as unknown as FastifyRequest
  return findPublicOrigin({ publicUrl: undefined, bootUrl: undefined, trustedProxies: [] }, request)
}

/** The commands, with a mark in place of the address. */
function commandsFor(origin: string): string[] {
  const served = { hasLinuxPackage: true, windowsInstaller: { sha256 } }
  return Object.values(enrolmentCommands(origin, 'token', served)).map((command) =>
    command.replaceAll(origin, 'ORIGIN'),
  )
}

test('no host of a request becomes a part of the install script or of a command for administrators, except as an address', async () => {
  await forHostileValues((value) => {
    for (const host of [value, `muster.example.org${value}`]) {
      const origin = originFor(host)
      if (origin === undefined) continue
      expect(origin).toMatch(/^https:\/\/[\w.:[\]-]+$/)
      expect(buildInstallScript({ origin, agent, trustedKeys: [] })).toContain(`\norigin='${origin}'\n`)
      expect(commandsFor(origin)).toEqual(commandsFor('https://plain.example.org'))
    }
  }, storableValues)
})

test('the install script assigns addresses that a request can have as they are', () => {
  const hosts = fc.string({ unit: fc.constantFrom(...'abc019.-:[]_'), minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(fc.oneof(hosts, mixedValues), (host) => {
      const origin = originFor(host)
      if (origin === undefined) return
      const script = buildInstallScript({ origin, agent, trustedKeys: [] }).replace(
        '\nmain "$@"\n',
        '\nprintf %s "$origin"\n',
      )

      expect(spawnSync('sh', ['-c', script], { encoding: 'utf8' })).toMatchObject({ stdout: origin, stderr: '' })
    }),
    { numRuns: modelRuns(20) },
  )
})
