import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../server/test/database/embedded-postgres/muster.ts'
import { baseImages, readContainerBases, resolveDigest } from '../../tools/package/container-bases.ts'

const containerfile = join(import.meta.dirname, '../../tools/package/container/Containerfile')

/** A registry that wants a token, as that of Docker does. */
async function openRegistry(manifest: string): Promise<string> {
  const server = createServer(({ url, headers }, answer) => {
    const self = `http://${headers.host}`
    if (url === '/token?service=registry&scope=repository%3Alibrary%2Fdebian%3Apull')
      return void answer.end(JSON.stringify({ token: 'public' }))
    if (url !== '/v2/library/debian/manifests/trixie-slim') return void answer.writeHead(404).end()
    if (headers.authorization === 'Bearer public' && headers.accept?.includes('image.index'))
      return void answer.end(manifest)
    const challenge = `Bearer realm="${self}/token",service="registry",scope="repository:library/debian:pull"`
    answer.writeHead(401, { 'www-authenticate': challenge }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the image is made of images that build arguments name, and no tag stands in for them', async () => {
  const lines = (await readFile(containerfile, 'utf8')).split('\n')
  const bases = lines.flatMap((line) => /^FROM (\S+)/.exec(line)?.[1] ?? [])
  const copied = lines.flatMap((line) => /--from=(\S+)/.exec(line)?.[1] ?? [])

  expect(bases).toEqual(Object.keys(baseImages).map((argument) => `\${${argument}}`))
  for (const argument of Object.keys(baseImages)) expect(lines).toContain(`ARG ${argument}`)
  expect(copied).toEqual(['build'])
})

test('the layer of the dependencies contains those of every workspace', async () => {
  const lines = (await readFile(containerfile, 'utf8')).split('\n')
  const { packages } = JSON.parse(await readFile(join(import.meta.dirname, '../../package-lock.json'), 'utf8'))
  const workspaces = Object.keys(packages).filter((path) => path !== '' && !path.includes('node_modules/'))

  expect(workspaces.length).toBeGreaterThan(10)
  expect(lines.filter((line) => /^COPY \S+\/package\.json /.test(line)).sort()).toEqual(
    workspaces.map((path) => `COPY ${path}/package.json ${path}/`).sort(),
  )
})

const digest = `sha256:${'0a'.repeat(32)}`
const pinned = Object.entries(baseImages).map(([argument, image]) => `${argument}=${image}@${digest}`)

test.each([
  ['does not exist', undefined],
  ['is empty', ''],
  ['names a tag', pinned.join('\n').replace(`@${digest}`, '')],
  ['has a short digest', pinned.join('\n').replace(digest, 'sha256:0a')],
  ['lacks an image', pinned[0]],
])('a build is refused if the file of pinned images %s', async (_, content) => {
  const file = join(await temporaryFolder(), 'base-images')
  if (content !== undefined) await writeFile(file, content)

  await expect(readContainerBases(file)).rejects.toThrow('Run `npm run package -- container-bases`')
})

test('pinned images become build arguments', async () => {
  const file = join(await temporaryFolder(), 'base-images')
  await writeFile(file, `${pinned.join('\n')}\n`)

  expect(await readContainerBases(file)).toEqual(pinned)
})

test('the digest of a tag is that of the manifest in the registry, which anybody may read', async () => {
  const manifest = '{"schemaVersion":2,"manifests":[]}'
  const registry = await openRegistry(manifest)

  expect(await resolveDigest(`${registry}/library/debian:trixie-slim`, 'http')).toBe(
    `sha256:${createHash('sha256').update(manifest).digest('hex')}`,
  )
  await expect(resolveDigest(`${registry}/library/absent:1`, 'http')).rejects.toThrow('answered 404')
})
