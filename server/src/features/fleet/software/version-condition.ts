import { compareVersions } from '@muster/text'
import { type ComponentType, toVersionKey } from '../../patches/components/version-keys.ts'

/** How versions are compared: as dpkg or rpm does it, or as numbers with dots for everything else. */
export type VersionOrder = ComponentType | 'numbers'

/** All that are given must be met. */
export type VersionCondition = { below?: string; atLeast?: string; equal?: string }

const families: Record<ComponentType, RegExp> = {
  deb: /^(debian|ubuntu|raspbian|linuxmint|kali|devuan|pop|zorin|elementary|deepin)/,
  rpm: /^(rhel|fedora|centos|rocky|almalinux|ol|amzn|suse|sles|sled|opensuse|mageia)/,
}

/** The order of the versions of software on a system, by the `distribution_id` of its name; null if it is unknown. */
export function orderOfDistribution(distribution: string | null): VersionOrder {
  if (distribution === null) return 'numbers'
  return (['deb', 'rpm'] as const).find((family) => families[family].test(distribution)) ?? 'numbers'
}

export const isVersionCondition = ({ below, atLeast, equal }: VersionCondition): boolean =>
  below !== undefined || atLeast !== undefined || equal !== undefined

/** Whether a version meets the condition. Undefined if it cannot be compared. */
export function meetsCondition(
  version: string | null,
  order: VersionOrder,
  { below, atLeast, equal }: VersionCondition,
): boolean | undefined {
  if (!isVersionCondition({ below, atLeast, equal } as VersionCondition)) return true
  const compareWith = (bound: string) => compareInstalled(version ?? '', bound, order)
  const results = [
    ...(below === undefined ? [] : [negative(compareWith(below))]),
    ...(atLeast === undefined ? [] : [notNegative(compareWith(atLeast))]),
    ...(equal === undefined ? [] : [zero(compareWith(equal))]),
  ]
  if (results.includes(undefined)) return undefined
  return !results.includes(false)
}

const negative = (order: number | undefined) => (order === undefined ? undefined : order < 0)
const notNegative = (order: number | undefined) => (order === undefined ? undefined : order >= 0)
const zero = (order: number | undefined) => (order === undefined ? undefined : order === 0)

/**
 * Compares an installed version with the one that somebody asks for. What people leave out does not count: 3.0.16 is the version of
 * the software, whatever the epoch and the revision of the distribution.
 */
function compareInstalled(installed: string, bound: string, order: VersionOrder): number | undefined {
  if (order === 'numbers') return /\d/.test(installed[0] ?? '') ? compareVersions(installed, bound) : undefined
  const [left, right] = [toVersionKey(order, withPartsOf(bound, installed)), toVersionKey(order, bound)]
  if (left === undefined || right === undefined) return undefined
  return left === right ? 0 : left < right ? -1 : 1
}

function withPartsOf(bound: string, installed: string): string {
  const withEpoch = /^\d+:/.test(bound) ? installed : installed.replace(/^\d+:/, '')
  return bound.includes('-') ? withEpoch : withEpoch.replace(/-[^-]*$/, '')
}

/** Sorts versions of the same order, the newest first. Those that cannot be compared come last. */
export function compareNewestFirst(one: string | null, other: string | null, order: VersionOrder): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1
  if (order === 'numbers') return compareVersions(other, one)
  const [left, right] = [toVersionKey(order, one) ?? '', toVersionKey(order, other) ?? '']
  return left === right ? 0 : left < right ? 1 : -1
}
