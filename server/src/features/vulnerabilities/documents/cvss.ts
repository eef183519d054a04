import type { Severity } from './vulnerability-document.ts'

type Weights = ReadonlyMap<string, number>

const weights = {
  AV: new Map([
    ['N', 0.85],
    ['A', 0.62],
    ['L', 0.55],
    ['P', 0.2],
  ]),
  AC: new Map([
    ['L', 0.77],
    ['H', 0.44],
  ]),
  UI: new Map([
    ['N', 0.85],
    ['R', 0.62],
  ]),
  C: new Map([
    ['H', 0.56],
    ['L', 0.22],
    ['N', 0],
  ]),
} as const satisfies Record<string, Weights>

const privileges: Weights = new Map([
  ['N', 0.85],
  ['L', 0.62],
  ['H', 0.27],
])
const privilegesOfOtherScope: Weights = new Map([
  ['N', 0.85],
  ['L', 0.68],
  ['H', 0.5],
])

/** The base score of a vector of CVSS 3.0 or 3.1, by the formula of its specification. Undefined for anything else. */
export function scoreOfVector(vector: string): number | undefined {
  if (!/^CVSS:3\.[01]\//.test(vector)) return undefined
  const metrics = new Map(vector.split('/').map((part) => part.split(':') as [string, string]))
  const weigh = (metric: string, table: Weights) => table.get(metrics.get(metric) ?? '')
  const isChanged = metrics.get('S') === 'C'
  const [av, ac, ui] = [weigh('AV', weights.AV), weigh('AC', weights.AC), weigh('UI', weights.UI)]
  const pr = weigh('PR', isChanged ? privilegesOfOtherScope : privileges)
  const [c, i, a] = ['C', 'I', 'A'].map((metric) => weigh(metric, weights.C))
  const isComplete = [av, ac, ui, pr, c, i, a].every((weight) => weight !== undefined)
  if (!isComplete || !/^[UC]$/.test(metrics.get('S') ?? '')) return undefined
  const base = 1 - (1 - (c ?? 0)) * (1 - (i ?? 0)) * (1 - (a ?? 0))
  const impact = isChanged ? 7.52 * (base - 0.029) - 3.25 * (base - 0.02) ** 15 : 6.42 * base
  if (impact <= 0) return 0
  const exploitability = 8.22 * (av ?? 0) * (ac ?? 0) * (pr ?? 0) * (ui ?? 0)
  return roundUp(Math.min((isChanged ? 1.08 : 1) * (impact + exploitability), 10))
}

/** To one decimal, as the specification defines it for all implementations to agree. */
function roundUp(score: number): number {
  const whole = Math.round(score * 100_000)
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10
}

export function severityOfScore(score: number): Severity {
  if (score >= 9) return 'Critical'
  if (score >= 7) return 'High'
  if (score >= 4) return 'Medium'
  return score > 0 ? 'Low' : 'Unknown'
}
