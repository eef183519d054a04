import { createHash, randomBytes } from 'node:crypto'
import { open, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { issueBootToken } from '../../src/channels/pxe/boot-token.ts'
import { createDepotCredential } from '../../src/features/depots/api/create-depot-credential.ts'
import { ensureBootGrant } from '../../src/features/os-deployment/boot-grants.ts'
import { setReadyToInstall } from '../../src/features/packages/api/set-ready-to-install.ts'
import { openFusionWorld } from '../channels/fusion/fusion-world.ts'
import { workingAgent } from '../channels/fusion/working-agent.ts'
import { insertInstallation } from '../os-deployment/pending-installation.ts'
import { manifestOf, withImports } from './package-world.ts'

const world = await withImports(await openFusionWorld())
const { agent, app, as, db, folder, given, imported, store, work } = world
const address = await app.http.listen({ host: '127.0.0.1', port: 0 })

const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')
const content = randomBytes(2_500_000)
const otherContent = randomBytes(content.length)
const sha256 = hashOf(content)

/** Downloads the file once and returns what arrived. */
type Download = () => Promise<Buffer>

async function importReady(name: string, manifest: object) {
  const file = `${name}.bin`
  await folder(name, { 'muster-package.json': manifestOf({ name, ...manifest }), [file]: content })
  const { packageId } = await imported(name)
  const id = packageId ?? ''
  await as('package.write').call(setReadyToInstall, { params: { id }, body: { operational: true } })
  return { id, path: join(store, name, file), file }
}

async function fetchBytes(path: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const answer = await fetch(`${address}${path}`, { headers })
  expect([200, 206]).toContain(answer.status)
  return Buffer.from(await answer.arrayBuffer())
}

/** Fetches the file in two parts, as after an interruption. */
async function fetchInParts(path: string, headers: Record<string, string>): Promise<Buffer> {
  const half = content.length / 2
  const first = await fetchBytes(path, { ...headers, range: `bytes=0-${half - 1}` })
  const rest = await fetchBytes(path, { ...headers, range: `bytes=${half}-`, 'if-range': `"${sha256}"` })
  return Buffer.concat([first, rest])
}

const { id: packageId, path: packagePath } = await importReady('rewritten', {})

const downloads: Record<string, { path: string; download: Download }> = {
  'the agent channel': { path: packagePath, download: await ofAgent() },
  'the depot channel': { path: packagePath, download: await ofDepot() },
  'the channel of other agents': { path: packagePath, download: await ofFusionAgent() },
  PXE: await ofFirmware(),
}

async function ofAgent(): Promise<Download> {
  const computer = await agent()
  const workId = await work(computer, { id: packageId })
  await computer.contact()
  return () =>
    fetchBytes(`/agent/v1/work/${workId}/files/${sha256}`, { authorization: `Bearer ${computer.credential}` })
}

async function ofDepot(): Promise<Download> {
  const { id } = await given.computer({ role: 'DepotServer' })
  const { body } = await as('admin.manage').call(createDepotCredential, { params: { clientId: id } })
  return () =>
    fetchInParts(`/depot/v1/packages/${packageId}/files/${sha256}`, { authorization: `Bearer ${body.credential}` })
}

async function ofFusionAgent(): Promise<Download> {
  const computer = await workingAgent(world, 'rewritten')
  await work(computer, { id: packageId })
  const files = Object.values((await computer.jobs()).associatedFiles)
  const file = files.find(({ multiparts }) => multiparts.length > 1)
  return async () => {
    const parts: Buffer[] = []
    for (const part of file?.multiparts ?? []) {
      const path = `${new URL(file?.mirrors[0] ?? '').pathname}${part[0]}/${part.slice(0, 2)}/${part}`
      parts.push(gunzipSync(await fetchBytes(path)))
    }
    return Buffer.concat(parts)
  }
}

async function ofFirmware(): Promise<{ path: string; download: Download }> {
  const { id, path, file } = await importReady('rewritten image', {
    kind: 'pxeBootImage',
    commands: undefined,
    boot: { kernel: 'rewritten image.bin', architecture: 'x64' },
  })
  const image = await db
    .selectFrom('pxe_boot_images')
    .select('id')
    .where('package_id', '=', id)
    .executeTakeFirstOrThrow()
  const { id: clientId } = await given.computer()
  await insertInstallation(world, { id: clientId })
  const { id: grantId } = (await ensureBootGrant(db, clientId, '127.0.0.1')) ?? { id: '' }
  const token = await issueBootToken(app.services.keys, { clientId, grantId, imageId: image.id, skuId: null })
  return { path, download: () => fetchBytes(`/boot/files/${token}/boot/${encodeURIComponent(file)}`) }
}

/** Writes other content of the same size into the same file. */
async function rewriteInPlace(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(otherContent).finally(() => file.close())
}

async function rewriteByRename(path: string): Promise<void> {
  await writeFile(`${path}.new`, otherContent)
  await rename(`${path}.new`, path)
}

/** Rewrites the file again and again until it is stopped. */
function keepRewriting(path: string, rewrite: (path: string) => Promise<void>) {
  let isStopped = false
  let rewrites = 0
  const loop = (async () => {
    for (; !isStopped; rewrites++) await rewrite(path)
  })()
  return {
    rewrites: () => rewrites,
    async stop() {
      isStopped = true
      await loop
    },
  }
}

const rewrites = { 'in place': rewriteInPlace, 'by rename': rewriteByRename }

test.each(Object.keys(downloads).flatMap((channel) => Object.keys(rewrites).map((way) => [channel, way] as const)))(
  'every download over %s has the requested hash while the file is rewritten %s',
  async (channel, way) => {
    const { path, download } = downloads[channel] as (typeof downloads)[string]
    const running = keepRewriting(path, rewrites[way as keyof typeof rewrites])

    const hashes: string[] = []
    try {
      while (hashes.length < 4 || running.rewrites() < 2) hashes.push(hashOf(await download()))
    } finally {
      await running.stop()
    }

    expect(new Set(hashes)).toEqual(new Set([sha256]))
  },
)
