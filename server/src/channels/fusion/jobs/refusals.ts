import type { leaseWork } from '../../../features/deployments/lease-work.ts'
import type { WorkingDevice } from './working-device.ts'

export type Order = Awaited<ReturnType<typeof leaseWork>>['work'][number]

/** Why an agent that was there before us cannot do a piece of work; undefined where it can. */
export function refusalOf(order: Order, device: WorkingDevice): string | undefined {
  if (order.kind === 'Power') return 'The agent of this computer cannot restart it. Only the agent of Muster can.'
  const { package: wanted } = order
  if (!wanted) return undefined
  if (wanted.kind === 'PatchFix' || wanted.kind === 'PatchScan')
    return 'The agent of this computer knows nothing of patches. Only the agent of Muster can do this.'
  return misfit(wanted.operatingSystems, device)
}

/** Why a package cannot be given its secrets. */
export function secretsRefusal(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined
  return 'The package needs the values of secret variables, which the agent of this computer would write into its log.'
}

function misfit(operatingSystems: readonly string[], device: WorkingDevice): string | undefined {
  const { platform, os_name, os_version, operating_system } = device
  const [major] = os_version?.split('.') ?? []
  const [distribution] = os_name?.split(' ') ?? []
  const versions = [os_version, major].flatMap((version) => [os_name, distribution].map((name) => `${name} ${version}`))
  const mine = new Set(
    [platform, os_name, distribution, operating_system, ...versions].map((name) => name?.toLowerCase()),
  )
  if (operatingSystems.length === 0 || operatingSystems.some((name) => mine.has(name.toLowerCase()))) return undefined
  return `The package is for ${operatingSystems.join(', ')}; this computer runs ${operating_system ?? platform ?? 'something else'}.`
}
