import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The seconds that the files of each folder took together in a run of all tests on the reference: two cores, nothing else. */
export type Budgets = Record<string, number>
export type FolderTime = { name: string; seconds: number }
export type ExceededBudget = FolderTime & { allowed: number }

const file = join(import.meta.dirname, 'test-budgets.json')

/**
 * Folders vary by half from run to run, and more from one kind of machine to another: in one run of CI, the folders with
 * browsers and with Wine took more than twice as long as the median of the folders. Short ones vary by seconds.
 */
const tolerance = 3
const minAllowedSeconds = 30

export const readBudgets = (): Budgets => JSON.parse(readFileSync(file, 'utf8'))

export function writeBudgets(times: readonly FolderTime[]): void {
  const sorted = times.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const budgets = Object.fromEntries(sorted.map(({ name, seconds }) => [name, Math.ceil(seconds)]))
  writeFileSync(file, `${JSON.stringify(budgets, undefined, 2)}\n`)
}

/**
 * The folders that took longer than they may. A run of some folders only has no result. A machine that is slower or busier than
 * the reference slows most folders down, and a costly test only its own: so the median of all folders is the speed of the machine.
 */
export function findExceededBudgets(
  times: readonly FolderTime[],
  budgets: Budgets,
): { slowdown: number; exceeded: ExceededBudget[] } | undefined {
  const seconds = new Map(times.map((time) => [time.name, time.seconds]))
  const names = Object.keys(budgets)
  if (names.length === 0 || names.some((name) => !seconds.has(name))) return undefined
  const slowdown = Math.max(1, medianOf(names.map((name) => (seconds.get(name) ?? 0) / (budgets[name] ?? 1))))
  const exceeded = times.flatMap((time) => {
    const allowed = Math.max(minAllowedSeconds, (budgets[time.name] ?? 0) * tolerance) * slowdown
    return time.seconds > allowed ? [{ ...time, allowed }] : []
  })
  return { slowdown, exceeded }
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 1
}
