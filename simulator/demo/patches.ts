import { createHash } from 'node:crypto'
import { type CatalogPatch, patchCatalog, releaseDateOf } from '../src/machines/patch-catalog.ts'
import { type Api, until } from './api.ts'
import { type Groups, groupId, pilot } from './groups.ts'
import { writeStoreFile } from './packages.ts'

type Patch = { patchId: number; key: string; productId: number; isServicePack: boolean; releasedDaysAgo: number }

/** Imports the catalog, adds its patches to PM groups, approves older patches, and assigns the PM groups to groups. */
export async function releasePatches(api: Api, store: string, startedAt: number, groups: Groups): Promise<void> {
  await importCatalog(api, store, startedAt)
  const known = await listPatchesByKey(api)
  const plans = [
    { name: 'Windows updates', category: 'Patch', isIncluded: ({ vendor }: CatalogPatch) => vendor === 'Microsoft' },
    {
      name: 'Linux updates',
      category: 'Patch',
      isIncluded: ({ product }: CatalogPatch) => /Linux|Ubuntu/.test(product),
    },
    { name: 'macOS updates', category: 'Patch', isIncluded: ({ product }: CatalogPatch) => /^macOS/.test(product) },
    { name: 'Feature packs', category: 'ServicePack', isIncluded: (patch: CatalogPatch) => patch.isServicePack },
  ]
  await Promise.all(
    plans.map(async ({ name, category, isIncluded }) => {
      const patches = patchCatalog.filter(
        (one) => isIncluded(one) && one.isServicePack === (category === 'ServicePack'),
      )
      const pmGroup = await api.post<{ id: number }>('/api/pmgroup', {
        name,
        category,
        description: 'Part of the demo',
      })
      await fillPmGroup(
        api,
        pmGroup.id,
        patches.flatMap(({ key }) => known.get(key) ?? []),
      )
      const test = { treeId: groupId(groups.assignment, pilot), isTestAssignment: true }
      await api.post(`/api/pmgroup/${pmGroup.id}/assignments`, { treeId: groupId(groups.configuration, 'Europe') })
      await api.post(`/api/pmgroup/${pmGroup.id}/assignments`, test)
    }),
  )
  await api.post('/api/pmgroup', { name: 'Browsers', category: 'Patch', description: 'Not assigned yet' })
  await createPolicies(api, groups, known)
  await api.put('/api/patch-sla', { critical: 7, important: 14, moderate: 30, low: 90, unrated: 180 })
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
      ...(isExploited(patch) && { exploited: true }),
      ...published(patch, startedAt),
      products: [{ name: patch.product, vendor: patch.vendor, linkItems: 1 }],
    })),
  }
  await writeStoreFile(store, 'demo-patches/catalog.json', JSON.stringify(document))
  const { trackingId } = await api.post<{ trackingId: string }>('/api/patches/import', { folderPath: 'demo-patches' })
  await until(async () => {
    const { status, message } = await api.get<{ status: string; message: string | null }>(
      `/api/patches/import/${trackingId}`,
    )
    if (status === 'Failed') throw new Error(`The import of the patches failed: ${message}`)
    return status === 'Success' ? true : undefined
  }, 'the import of the patches')
}

/** What vendors publish beside the patch itself. */
function published(patch: CatalogPatch, startedAt: number) {
  const releaseDate = releaseDateOf(patch, startedAt)
  return {
    vendorInformationPage: `https://advisories.example.org/${patch.bulletinId}`,
    updateDate: releaseDate,
    bulletinReviseDate: releaseDate,
    uninstallable: !patch.isServicePack,
    // The demo lists no hosts, so nothing is downloaded.
    ...(patch.qNumber && {
      files: [{ url: `https://downloads.example.org/${patch.qNumber}.msu`, sha256: hashOf(patch) }],
    }),
    ...(patch.isServicePack && { servicePack: 'SP1' }),
  }
}

/** The latest patch of the browser. */
const isExploited = ({ vendor, severity, releasedDaysAgo }: CatalogPatch) =>
  vendor === 'Google LLC' && severity === 'Critical' && releasedDaysAgo < 7

/** Policies decide where no PM group does: about applications everywhere, and about systems in America. */
async function createPolicies(api: Api, groups: Groups, known: ReadonlyMap<string, readonly Patch[]>): Promise<void> {
  const policies = [
    {
      name: 'Applications',
      description: 'What all computers get without anybody',
      group: '',
      rings: [
        { name: 'Pilot', groupId: groupId(groups.assignment, pilot) },
        { name: 'Early', percent: 25, afterDays: 1, gate: { minInstalledPercent: 70, minComputers: 3 } },
        { name: 'Everybody', afterDays: 3, gate: { maxFailedPercent: 10 } },
      ],
      rules: [
        { name: 'Exploited after a day', action: 'Approve', afterDays: 1, exploited: true },
        { name: 'Documents by hand', action: 'Review', vendors: ['Adobe*'] },
        { name: 'Browsers after a week', action: 'Approve', afterDays: 7, products: ['*Chrome*'] },
      ],
    },
    {
      name: 'Systems in America',
      priority: 50,
      group: 'America',
      restart: {
        windows: [
          { days: ['Tue', 'Thu'], start: '22:00', durationMinutes: 300 },
          { days: ['Sat'], start: '18:00', durationMinutes: 720 },
        ],
        timeZone: 'America/New_York',
        timeoutMinutes: 15,
        userDeadline: {
          afterHours: 4,
          latestUtc: null,
          maxPostponements: 2,
          quietHours: null,
          closePrograms: [],
          noticeMinutes: 15,
        },
      },
      rules: [
        { name: 'No feature packs', action: 'Decline', types: ['SoftwareDistribution'] },
        {
          name: 'Severe after two weeks',
          action: 'Approve',
          afterDays: 14,
          severities: ['Critical'],
          minCvssScore: 7,
          minVrrScore: 1,
        },
        { name: 'Old updates by hand', action: 'Review', titles: ['*update*'], minAgeDays: 90 },
        {
          name: 'Reported by computers',
          action: 'Approve',
          afterDays: 30,
          maxAgeDays: 365,
          unconfirmed: true,
          severities: ['Low'],
        },
      ],
    },
  ]
  for (const { group, ...policy } of policies) {
    const { id } = await api.post<{ id: number }>('/api/patch-policies', policy)
    const path = `/api/patch-policies/${id}/assignments`
    await api.post(path, { groupId: groupId(groups.configuration, group) })
    if (policy.rings) await pausePatches(api, id, known)
  }
}

/** The vendor has withdrawn one patch of the browser, which computers cannot roll back on Windows, and reports a problem with another. */
async function pausePatches(api: Api, policyId: number, known: ReadonlyMap<string, readonly Patch[]>): Promise<void> {
  const ofBrowser = patchCatalog.filter(({ vendor, releasedDaysAgo }) => vendor === 'Google LLC' && releasedDaysAgo > 7)
  const [withdrawn, faulty] = ofBrowser.flatMap(({ key }) => known.get(key)?.map(({ patchId }) => patchId) ?? [])
  const of = (patchId: number | undefined) => `/api/patch-policies/${policyId}/progress/${patchId}`
  await api.post(`${of(withdrawn)}/stop`, { reason: 'The vendor has withdrawn it', rollBack: true })
  await api.post(`${of(faulty)}/pause`, { reason: 'The vendor reports a problem' })
}

const hashOf = ({ key }: CatalogPatch) => createHash('sha256').update(key).digest('hex')

/** Lists the imported patches by the key that the catalog and scans share. */
async function listPatchesByKey(api: Api): Promise<Map<string, Patch[]>> {
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

/** Patches that are not older than this are not approved. */
const unapprovedDays = 10

async function fillPmGroup(api: Api, pmGroupId: number, patches: readonly Patch[]): Promise<void> {
  for (const [productId, ofProduct] of Map.groupBy(patches, (patch) => patch.productId))
    await api.post(`/api/pmgroup/${pmGroupId}/patches`, {
      patchIds: ofProduct.map(({ patchId }) => patchId),
      productId,
    })
  await Promise.all(
    patches
      .filter(({ releasedDaysAgo }) => releasedDaysAgo > unapprovedDays)
      .map(({ patchId, productId }) => api.post(`/api/patches/${patchId}/approval?productId=${productId}`)),
  )
}
