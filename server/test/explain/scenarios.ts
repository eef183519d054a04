import type { Scenario } from '../world/scenario.ts'

export const explainScenarios: Record<string, Scenario> = {
  explainComputer: async ({ given }) => ({
    params: { id: (await given.computer()).id },
    query: { packageId: (await given.package()).id },
  }),
  listComputerPatchCompliance: async ({ given }) => {
    const computer = await given.computer()
    const product = await given.product()
    const patch = await given.patch({ products: [product], vendor_severity: 'Critical', release_date: '2026-01-13' })
    await given.patchScan(computer, [{ key: patch.key, product: product.name, status: 'Missing' }])
    return { params: { id: computer.id } }
  },
  explainGroup: async ({ given }) => ({
    params: { id: (await given.group()).id },
    query: { packageId: (await given.package()).id },
  }),
}
