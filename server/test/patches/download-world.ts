import { randomBytes } from 'node:crypto'
import { readdir, readlink } from 'node:fs/promises'
import { generate } from 'selfsigned'
import { incomingFolderOf } from '../../src/features/packages/content/content-folder.ts'
import { approvePatch } from '../../src/features/patch-management/api/approval/approve-patch.ts'
import { getPatchCatalogImport } from '../../src/features/patches/api/get-patch-catalog-import.ts'
import { importPatchCatalog } from '../../src/features/patches/api/import-patch-catalog.ts'
import { listPatchFiles } from '../../src/features/patches/api/list-patch-files.ts'
import { listPatchProducts } from '../../src/features/patches/api/list-patch-products.ts'
import { listPatches } from '../../src/features/patches/api/list-patches.ts'
import { parseDownloadHost } from '../../src/platform/downloads/download-hosts.ts'
import { openAgentWorld, sha256Of } from '../channels/agent/agent-world.ts'
import { until } from '../database/embedded-postgres/muster.ts'
import { withImports } from '../packages/package-world.ts'
import { openVendorServer } from './vendor-server.ts'

type CatalogFile = { url: string; sha256: string }

/** The service with agents, a job runner and a vendor from which it may download patches. */
export async function openDownloadWorld() {
  const vendor = await openVendorServer()
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  })
  const secureVendor = await openVendorServer({ cert, key })
  const patchHosts = [
    parseDownloadHost('private', vendor.host, true),
    parseDownloadHost('private', secureVendor.host, true),
    // A host that is meant to be public, and is not.
    parseDownloadHost('public', 'localhost:9', false),
  ]
  const configuration = { mode: 'development' as const, patchHosts, maxPatchFileMegabytes: 1 }
  const world = await withImports(await openAgentWorld(configuration))
  const { as, folder, store } = world
  const reader = as('pm.read')

  /** Imports one document and waits for the end of the import. */
  async function importDocument(document: object) {
    const folderPath = await folder(`catalogs/${randomBytes(6).toString('hex')}`, { 'a.json': document })
    const { body } = await as('pm.write').call(importPatchCatalog, { body: { folderPath } })
    const status = await until(async () => {
      const read = await reader.call(getPatchCatalogImport, { params: { trackingId: body.trackingId } })
      return read.body.finishedAtUtc ? read.body : undefined
    }, 20_000)
    if (status.refused > 0) throw new Error(JSON.stringify(status.faults))
  }

  async function findPatch(bulletinId: string) {
    const { body } = await reader.call(listPatches, { query: { bulletinId } })
    const [patch] = body.items
    if (!patch) throw new Error('The patch was not imported.')
    const products = await reader.call(listPatchProducts, { params: { patchId: patch.patchId } })
    const [product] = products.body.items
    return { ...patch, productId: product?.productId ?? 0, productName: product?.productName ?? '' }
  }

  async function listFiles(patchId: number) {
    return (await reader.call(listPatchFiles, { params: { patchId } })).body.items
  }

  return {
    ...world,
    vendor,
    secureVendor: { ...secureVendor, certificate: cert },

    /** A file that the vendor serves. */
    servedFile: (name: string, content = `content of ${name}`) => ({
      url: vendor.serve(`/${name}`, content),
      sha256: sha256Of(content),
      content,
    }),

    importDocument,
    findPatch,
    listFiles,

    /** A patch of a new catalog with these files. */
    async patchWith(...named: CatalogFile[]) {
      const files = named.map(({ url, sha256 }) => ({ url, sha256 }))
      const key = `KB${randomBytes(6).toString('hex')}`
      await importDocument({
        format: 'muster-patch-catalog/1',
        name: key,
        version: '1',
        releasedUtc: '2026-03-12T00:00:00Z',
        patches: [{ key, qNumber: key, bulletinId: key, products: [{ name: `Product of ${key}` }], files }],
      })
      return { key, ...(await findPatch(key)) }
    },

    approve: ({ patchId, productId }: { patchId: number; productId: number }) =>
      as('pm.approve').call(approvePatch, { params: { patchId }, query: { productId } }),

    /** Waits until the only file of the patch has one of the statuses, and returns it. */
    fileWith: (patchId: number, ...statuses: string[]) =>
      until(async () => (await listFiles(patchId)).find(({ status }) => statuses.includes(status)), 20_000),

    /** Incomplete files in the store, and files of the store that this process has open. */
    async listLeftovers() {
      const incomplete = await readdir(incomingFolderOf(store)).catch(() => [])
      const descriptors = await readdir('/proc/self/fd')
      const paths = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
      return [...incomplete, ...paths.filter((path) => path.startsWith(store))]
    },
  }
}
