import type { Api, Json } from '../../simulator/demo/api.ts'

type Patches = { items: ({ patchId: number } & Json)[] }

/** Somebody selects computers and patches in the console, and looks at what would become of them. */
export async function reviewPackages(api: Api, computerIds: readonly number[], packageId: string): Promise<void> {
  for (const action of ['software-install', 'software-uninstall', 'software-uninstall/cancellation'])
    await api.post(`/api/fleet/computers/${action}?dryRun=true`, { computerIds, packageId })
  await api.post('/api/fleet/computers/deletion?dryRun=true', { computerIds })
}

export async function reviewPatches(api: Api, pmGroupId: number): Promise<void> {
  const { items } = await api.get<Patches>('/api/fleet/patches?top=200')
  const patchIds = items.map(({ patchId }) => patchId)
  const { newApprovals } = await api.post('/api/fleet/patches/approval?dryRun=true', { patchIds, pmGroupId })
  await api.post('/api/fleet/patches/revocation?dryRun=true', { approvals: newApprovals })
  const policies = await api.get<{ items: { id: number; rules: Json[] }[] }>('/api/patch-policies')
  for (const { id, rules } of policies.items) {
    await api.post('/api/patch-policies/rehearsal', { rules, days: 180 })
    const stopped = await api.get<Patches>(`/api/patch-policies/${id}/progress?state=Stopped`)
    for (const { patchId } of stopped.items) await api.get(`/api/patch-policies/${id}/progress/${patchId}/rollbacks`)
  }
}
