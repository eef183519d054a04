import { type CatalogPatch, patchCatalog, releaseDateOf } from '../src/machines/patch-catalog.ts'
import { type Api, until } from './api.ts'
import { type Groups, groupId, pilot } from './groups.ts'
import { writeInto } from './packages.ts'

type Patch = { patchId: number; key: string; productId: number; isServicePack: boolean; releasedDaysAgo: number }

/** Imports the catalog, puts patches into PM groups, approves those that are not quite new, and assigns all to groups. */
export async function releasePatches(api: Api, store: string, startedAt: number, groups: Groups): Promise<void> {
  await importCatalog(api, store, startedAt)
  const known = await knownPatches(api)
  const plans = [
    { name: 'Windows updates', category: 'Patch', isWanted: (patch: CatalogPatch) => /^Windows/.test(patch.product) },
    { name: 'Linux updates', category: 'Patch', isWanted: ({ product }: CatalogPatch) => /Linux|Ubuntu/.test(product) },
    { name: 'macOS updates', category: 'Patch', isWanted: ({ product }: CatalogPatch) => /^macOS/.test(product) },
    { name: 'Feature packs', category: 'ServicePack', isWanted: (patch: CatalogPatch) => patch.isServicePack },
  ]
  await Promise.all(
    plans.map(async ({ name, category, isWanted }) => {
      const wanted = patchCatalog.filter((one) => isWanted(one) && one.isServicePack === (category === 'ServicePack'))
      const pmGroup = await api.post<{ id: number }>('/api/pmgroup', {
        name,
        category,
        description: 'Made for the demo',
      })
      await fill(
        api,
        pmGroup.id,
        wanted.flatMap(({ key }) => known.get(key) ?? []),
      )
      const test = { treeId: groupId(groups.assignment, pilot), isTestAssignment: true }
      await api.post(`/api/pmgroup/${pmGroup.id}/assignments`, { treeId: groupId(groups.configuration, 'Europe') })
      await api.post(`/api/pmgroup/${pmGroup.id}/assignments`, test)
    }),
  )
  await api.post('/api/pmgroup', { name: 'Browsers', category: 'Patch', description: 'Not assigned yet' })
}

async function importCatalog(api: Api, store: string, startedAt: number): Promise<void> {
  const document = {
    format: 'muster-patch-catalog/1',
    name: 'Demo',
    version: new Date(startedAt).toISOString().slice(0, 10),
    releasedUtc: new Date(startedAt).toISOString(),
    patches: patchCatalog.map((patch) => ({
      key: patch.key,
      name: patch.name,
      ...(patch.qNumber !== null && { qNumber: patch.qNumber }),
      bulletinId: patch.bulletinId,
      bulletinTitle: patch.title,
      vendorSeverity: patch.severity,
      patchType: patch.type,
      isServicePack: patch.isServicePack,
      releaseDate: releaseDateOf(patch, startedAt),
      ...(patch.cvssScore !== null && { cvssScore: patch.cvssScore, vrrScore: patch.vrrScore }),
      sizeBytes: patch.sizeBytes,
      cves: patch.cves,
      products: [{ name: patch.product, vendor: patch.vendor, linkItems: 1 }],
    })),
  }
  await writeInto(store, 'demo-patches/catalog.json', JSON.stringify(document))
  const { trackingId } = await api.post<{ trackingId: string }>('/api/patches/import', { folderPath: 'demo-patches' })
  await until(async () => {
    const { status, message } = await api.get<{ status: string; message: string | null }>(
      `/api/patches/import/${trackingId}`,
    )
    if (status === 'Failed') throw new Error(`The patches were not imported: ${message}`)
    return status === 'Success' ? true : undefined
  }, 'the import of the patches')
}

/** By the key that catalog and scans have in common. */
async function knownPatches(api: Api): Promise<Map<string, Patch[]>> {
  type Listed = { items: { patchId: number; bulletinId: string }[]; hasMore: boolean }
  const byBulletin = new Map<string, number>()
  for (let skip = 0, hasMore = true; hasMore; skip += 200) {
    const page = await api.get<Listed>(`/api/patches?skip=${skip}&top=200`)
    for (const { patchId, bulletinId } of page.items) byBulletin.set(bulletinId, patchId)
    hasMore = page.hasMore
  }
  const products = await Promise.all(
    [...Map.groupBy(patchCatalog, ({ product }) => product)].map(async ([product, [first]]) => {
      const path = `/api/patches/${byBulletin.get(first?.bulletinId ?? '')}/products`
      const { items } = await api.get<{ items: { productId: number }[] }>(path)
      return [product, items[0]?.productId ?? 0] as const
    }),
  )
  const productIds = new Map(products)
  const known = patchCatalog.map(({ key, bulletinId, product, isServicePack, releasedDaysAgo }) => {
    const [patchId, productId] = [byBulletin.get(bulletinId) ?? 0, productIds.get(product) ?? 0]
    return { patchId, key, productId, isServicePack, releasedDaysAgo }
  })
  return Map.groupBy(known, ({ key }) => key)
}

const quiteNewDays = 10

async function fill(api: Api, pmGroupId: number, patches: readonly Patch[]): Promise<void> {
  for (const [productId, ofProduct] of Map.groupBy(patches, (patch) => patch.productId))
    await api.post(`/api/pmgroup/${pmGroupId}/patches`, {
      patchIds: ofProduct.map(({ patchId }) => patchId),
      productId,
    })
  await Promise.all(
    patches
      .filter(({ releasedDaysAgo }) => releasedDaysAgo > quiteNewDays)
      .map(({ patchId, productId }) => api.post(`/api/patches/${patchId}/approval?productId=${productId}`)),
  )
}
